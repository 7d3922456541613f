/** SEED=… repeats a run. `npm run soak` has a long one. */
import { describe, it } from 'vitest';
import { chooseSeed } from '../../harness/random.js';
import { rounds } from '../../harness/rounds.js';
import { playWithKills } from './game-kills.js';

const ACTS = rounds({ quick: 150, full: 300 });
const PLAYERS = 10;
const MINUTES = 60_000;

describe('players who act at random, on two servers that die at random steps', () => {
  const seed = chooseSeed('game kills');
  it(
    'leave every item in one place, everybody in one room, and no gold lost',
    { timeout: (5 + ACTS / 100) * MINUTES },
    () => playWithKills(seed, { players: PLAYERS, acts: ACTS }),
  );
});
