/** SEED=… repeats a run. */
import { describe, it } from 'vitest';
import { chooseSeed } from '../../harness/random.js';
import { strikeNetwork } from './network-kills.js';

describe('fifty readers of live news, on two servers that are killed in turn', () => {
  const seed = chooseSeed('network kills');
  it('see what a fresh read finds, without a gap or a repeated event', { timeout: 600_000 }, () => strikeNetwork(seed));
});
