/** Free cells of a map. */
import { type Step, stepOf } from './directions.js';

export interface Cell {
  readonly x: number;
  readonly y: number;
}

export const cellKey = ({ x, y }: Cell): string => `${x},${y}`;

const around: readonly Step[] = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
  [1, 1],
  [-1, 1],
  [1, -1],
  [-1, -1],
];

const STRAIGHT_MAX = 3;
const RADIUS_MAX = 60;

/**
 * The cell for a room that one reaches from another: the next one in the direction, one further on, or the nearest that is free.
 * @param direction null: none is known
 * @param others the directions of the other exits, whose cells are kept free if possible
 */
export function placeNextTo(
  from: Cell,
  direction: string | null,
  others: readonly string[],
  taken: ReadonlySet<string>,
): Cell {
  const isFree = (cell: Cell) => !taken.has(cellKey(cell));
  const at = ([x, y]: Step, times = 1): Cell => ({ x: from.x + x * times, y: from.y + y * times });
  const step = direction === null ? null : stepOf(direction);
  if (step) {
    for (let times = 1; times <= STRAIGHT_MAX; times += 1) if (isFree(at(step, times))) return at(step, times);
    return nearest(at(step), isFree);
  }
  const kept = new Set(others.map(stepOf).flatMap((other) => (other ? [cellKey(at(other))] : [])));
  const free = around.map((each) => at(each)).filter(isFree);
  return free.find((cell) => !kept.has(cellKey(cell))) ?? free[0] ?? nearest(from, isFree);
}

/** In rings around the cell. */
export function nearest(center: Cell, isFree: (cell: Cell) => boolean): Cell {
  for (let radius = 0; radius <= RADIUS_MAX; radius += 1) {
    const ring: Cell[] = [];
    for (let x = -radius; x <= radius; x += 1)
      for (let y = -radius; y <= radius; y += 1)
        if (Math.max(Math.abs(x), Math.abs(y)) === radius) ring.push({ x: center.x + x, y: center.y + y });
    const free = ring.filter(isFree);
    const distance = (cell: Cell) => Math.hypot(cell.x - center.x, cell.y - center.y);
    const [best] = free.toSorted((a, b) => distance(a) - distance(b));
    if (best) return best;
  }
  return center;
}
