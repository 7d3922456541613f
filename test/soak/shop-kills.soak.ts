import { describe, it } from 'vitest';
import { chooseSeed } from '../../harness/random.js';
import { blows, strikeShop } from '../crash/shop-kills.js';
import { soakMs } from './duration.js';

describe.each(blows)('a shop $name for a long time', (blow) => {
  it('loses no unit, no cent and nothing it acknowledged, and charges no one twice', async () => {
    const end = Date.now() + soakMs;
    await strikeShop(blow, chooseSeed(`a shop ${blow.name}`), (count) => {
      process.stderr.write(`a shop ${blow.name}: ${count} times\n`);
      return Date.now() < end;
    });
  });
});
