/** How often the players of a crowded room get a screen. */
import { describe, expect, it } from 'vitest';
import { paceOf } from '../../../src/models/game/rooms/pace.js';
import type { ShownRoom } from '../../../src/models/game/rooms/screen.js';
import { HAPPENINGS_KEPT } from '../../../src/models/game/world/happening.js';

/** @param everyMs between two of its last happenings */
const roomOf = (players: number, everyMs: number, happenings = HAPPENINGS_KEPT): ShownRoom =>
  ({
    players: Array.from({ length: players }, () => ({})),
    happenings: Array.from({ length: happenings }, (_, at) => ({ at: new Date(1_000_000 + at * everyMs) })),
  }) as unknown as ShownRoom;

describe('the pace of screens', () => {
  it('is not felt by a few players', () => {
    expect(paceOf(roomOf(2, 1000))).toBe(8);
    expect(paceOf(roomOf(50, 1000))).toBe(200);
  });

  it('is slower for many, because each of their screens shows them all', () => {
    expect(paceOf(roomOf(200, 1000))).toBe(1600);
    expect(paceOf(roomOf(200, 0, 10))).toBe(1600);
  });

  it.each([8, 10, 12, 15, 20, 50])('loses nothing of what happens every %d ms', (everyMs) => {
    const pace = paceOf(roomOf(200, everyMs));
    expect(pace).toBeGreaterThanOrEqual(800);
    expect(pace / everyMs).toBeLessThanOrEqual(HAPPENINGS_KEPT);
  });
});
