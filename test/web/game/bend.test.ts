import { describe, expect, it } from 'vitest';
import { pointOf } from '../../../web/src/game/map/grid.js';
import type { Cell } from '../../../web/src/game/map/place.js';
import { bendOf, roomFinder, wayOf } from '../../../web/src/game/world/canvas/bend.js';

const cell = (x: number, y: number): Cell => ({ x, y });

/** As the map draws a link between the first two rooms. */
function bend(...cells: readonly [Cell, Cell, ...Cell[]]) {
  const roomAt = roomFinder(new Map(cells.map((each, index) => [String(index), each])));
  return bendOf(pointOf(cells[0]), pointOf(cells[1]), (point) => ['0', '1', undefined].includes(roomAt(point)));
}

describe('a link of the map', () => {
  it('is straight where nothing is in its way', () => {
    expect(bend(cell(0, 0), cell(2, 1))).toBeNull();
    expect(bend(cell(0, 0), cell(1, 0), cell(0, 1), cell(1, 1))).toBeNull();
  });

  it.each([
    ['a room', [cell(1, 0)]],
    ['two rooms', [cell(1, 0), cell(1, 1)]],
    ['rooms on both sides', [cell(1, 0), cell(0, 1), cell(2, -1)]],
  ])('leads around %s', (_what, others) => {
    const curve = bend(cell(0, 0), cell(2, 0), ...others);
    expect(curve).not.toBeNull();
    expect(wayOf(pointOf(cell(0, 0)), pointOf(cell(2, 0)), curve)).toMatch(/^M0 0C.+ 272 0$/);
  });

  it('is straight where no curve leads around', () => {
    expect(bendOf(pointOf(cell(0, 0)), pointOf(cell(2, 0)), () => false)).toBeNull();
  });
});
