/** With QUICK=1, one of the blows. SEED=… repeats a run. `npm run soak` does the same for a long time. */
import { describe, it } from 'vitest';
import { chooseSeed } from '../../harness/random.js';
import { chooseSome } from '../../harness/rounds.js';
import { blows, strikeShop } from './shop-kills.js';

const COUNT = 2;

describe.each(chooseSome(blows, 1, chooseSeed('blows to a shop')))('a shop $name while 50 customers buy', (blow) => {
  const seed = chooseSeed(`a shop ${blow.name}`);
  it('loses no unit, no cent and nothing it acknowledged, and charges no one twice', () =>
    strikeShop(blow, seed, (count) => count < COUNT));
});
