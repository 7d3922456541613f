/** A short attack; `npm run soak` goes on for longer. */
import { describe, it } from 'vitest';
import { chooseSeed } from '../support/random.js';
import { attack } from './attack.js';

const BLOWS = 3;
const TIMEOUT_MS = 900_000; // stock that no cart needs is returned after minutes

describe('two servers under all loads at once, whose processes are killed and whose clocks step', () => {
  it(
    'lose nothing, count nothing twice, and are in order without help',
    () => attack(chooseSeed('attack'), (blows) => blows < BLOWS),
    TIMEOUT_MS,
  );
});
