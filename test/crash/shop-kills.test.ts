/** SEED=… repeats a run. `npm run soak` does the same for a long time. */
import { describe, it } from 'vitest';
import { chooseSeed } from '../../harness/random.js';
import { blows, strikeShop } from './shop-kills.js';

const COUNT = 2;

describe.each(blows)('a shop $name while 50 customers buy', (blow) => {
  const seed = chooseSeed(`a shop ${blow.name}`);
  it('loses no unit, no cent and nothing it acknowledged, and charges no one twice', { timeout: 180_000 }, () =>
    strikeShop(blow, seed, (count) => count < COUNT),
  );
});
