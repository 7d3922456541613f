import { MongoClient } from 'mongodb';
import { describe, it } from 'vitest';
import { chooseSeed } from '../../harness/random.js';
import { startReplicaSet } from '../../harness/replica-set.js';
import { killAtRandom } from '../crash/random-kills.js';
import { soakMs } from './duration.js';

describe('a server that is killed at random for a long time', () => {
  it('loses nothing it acknowledged, and counts nothing twice', async () => {
    const set = await startReplicaSet();
    const client = await MongoClient.connect(set.uri);
    try {
      const end = Date.now() + soakMs;
      await killAtRandom(set.uri, client.db('soak'), chooseSeed('soak'), (kills) => {
        process.stderr.write(`${kills} kills survived\n`);
        return Date.now() < end;
      });
    } finally {
      await client.close();
      await set.stop();
    }
  });
});
