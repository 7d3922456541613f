/** With QUICK=1, one of the blows. SEED=… repeats a run. `npm run soak` does the same for a long time. */
import { describe, it } from 'vitest';
import { chooseSeed } from '../../harness/random.js';
import { chooseSome } from '../../harness/rounds.js';
import { blows, strikeAds } from './ad-kills.js';

const COUNT = 3;

describe.each(chooseSome(blows, 1, chooseSeed('blows to ads')))(
  'sixty-four callers who get and record ads while $name',
  (blow) => {
    const seed = chooseSeed(`ads while ${blow.name}`);
    it('overspend nothing, exceed no cap, and have each acknowledged receipt counted once', { timeout: 300_000 }, () =>
      strikeAds(blow, seed, (count) => count < COUNT),
    );
  },
);
