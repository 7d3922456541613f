/** A short attack; `npm run soak` runs a longer one. */
import { describe, it } from 'vitest';
import { chooseSeed } from '../../harness/random.js';
import { rounds } from '../../harness/rounds.js';
import { attack } from './attack.js';

const BLOWS = rounds({ quick: 2, full: 3 });
const TIMEOUT_MS = 900_000; // with the shipped defaults, unneeded stock holds are released after minutes

describe('two servers under every load at once, while they are killed and their clocks step', () => {
  it(
    'lose nothing, count nothing twice, and recover without help',
    () => attack(chooseSeed('attack'), (blows) => blows < BLOWS),
    TIMEOUT_MS,
  );
});
