/**
 * How often the players of a room get a screen. A screen costs as much as there are players in it, and each of them gets it, so what all
 * cost together grows with their square.
 */
import type { ShownRoom } from './screen.js';

/** 250 messages a second for a room, however many players it has: 200 get a screen every 0.8 seconds. */
const MS_PER_PLAYER = 4;
/** Of many players, as many screens as the same time pays for: 200 get one every 1.6 seconds, as long as few things happen. */
const MS_PER_PAIR = 0.04;
/** Fewer than a screen has: otherwise what happens between two screens would be lost. */
const HAPPENINGS_BETWEEN = 60;

/** @returns milliseconds between two screens */
export function paceOf({ players, happenings }: ShownRoom): number {
  const shortest = MS_PER_PLAYER * players.length;
  const longest = MS_PER_PAIR * players.length ** 2;
  return Math.max(shortest, Math.min(longest, lately(happenings)));
}

/** How long the last happenings took. */
function lately(happenings: ShownRoom['happenings']): number {
  const first = happenings.at(-HAPPENINGS_BETWEEN);
  const last = happenings.at(-1);
  return first && last ? last.at.getTime() - first.at.getTime() : Number.POSITIVE_INFINITY;
}
