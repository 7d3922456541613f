import { MongoClient } from 'mongodb';
import { describe, it } from 'vitest';
import { killShopAtRandom } from '../crash/shop-kills.js';
import { chooseSeed } from '../support/random.js';
import { startReplicaSet } from '../support/replica-set.js';
import { soakMs } from './duration.js';

describe('a shop that is killed at random for a long time', () => {
  it('loses no unit, no cent and no order, and charges nobody twice', async () => {
    const set = await startReplicaSet();
    const client = await MongoClient.connect(set.uri, { writeConcern: { w: 'majority' } });
    try {
      const end = Date.now() + soakMs;
      await killShopAtRandom(set.uri, client.db('soak_shop'), chooseSeed('soak of the shop'), (kills) => {
        process.stderr.write(`${kills} kills survived\n`);
        return Date.now() < end;
      });
    } finally {
      await client.close();
      await set.stop();
    }
  });
});
