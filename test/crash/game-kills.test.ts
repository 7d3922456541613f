/** SEED=… repeats a run. GAME_ACTS=10000 GAME_PLAYERS=50 is the long one. */
import { describe, it } from 'vitest';
import { chooseSeed } from '../../harness/random.js';
import { rounds } from '../../harness/rounds.js';
import { playWithKills } from './game-kills.js';

const ACTS = rounds({ quick: 150, full: 300 });
const run = { players: Number(process.env.GAME_PLAYERS ?? 10), acts: Number(process.env.GAME_ACTS ?? ACTS) };
const MINUTES = 60_000;

describe('players who act at random, on two servers that die at random steps', () => {
  const seed = chooseSeed('game kills');
  it(
    'leave every item in one place, everybody in one room, and no gold lost',
    { timeout: (5 + run.acts / 100) * MINUTES },
    () => playWithKills(seed, run),
  );
});
