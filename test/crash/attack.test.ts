/** A short attack; `npm run soak` runs a longer one. */
import { describe, it } from 'vitest';
import { chooseSeed } from '../../harness/random.js';
import { attack } from './attack.js';

const BLOWS = 3;
const TIMEOUT_MS = 900_000; // unneeded stock holds are released after minutes

describe('two servers under every load at once, while they are killed and their clocks step', () => {
  it(
    'lose nothing, count nothing twice, and recover without help',
    () => attack(chooseSeed('attack'), (blows) => blows < BLOWS),
    TIMEOUT_MS,
  );
});
