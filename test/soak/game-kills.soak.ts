import { describe, it } from 'vitest';
import { chooseSeed } from '../../harness/random.js';
import { playWithKills } from '../crash/game-kills.js';

const PLAYERS = 50;
const ACTS = 10_000;

describe(`${PLAYERS} players and ${ACTS} acts at random, on two servers that die at random steps`, () => {
  it('leave every item in one place, everybody in one room, and no gold lost', () =>
    playWithKills(chooseSeed('game kills'), { players: PLAYERS, acts: ACTS }));
});
