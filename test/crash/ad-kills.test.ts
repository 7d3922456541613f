/** SEED=… repeats a run. */
import { describe, it } from 'vitest';
import { chooseSeed } from '../../harness/random.js';
import { strikeAds } from './ad-kills.js';

describe('sixty-four callers who get and record ads, at two servers that are killed in turn', () => {
  const seed = chooseSeed('ad kills');
  it('overspend nothing, exceed no cap, and have each acknowledged receipt counted once', { timeout: 300_000 }, () =>
    strikeAds(seed),
  );
});
