/** Lines that lead around the rooms between two others, so that nobody reads exits that are not there. */
import { BOX, cellAt, type Point, pointOf } from '../../map/grid.js';
import { type Cell, cellKey } from '../../map/place.js';

/** The two control points of a cubic curve. */
export type Bend = readonly [Point, Point];

/** A little more than the box: a line that touches it looks like an exit. */
const [NEAR_X, NEAR_Y] = [BOX.width / 2 + 2, BOX.height / 2 + 2];
/** How far the control points are beside the straight line. */
const ASIDE = [0, 50, -50, 90, -90, 140, -140, 200, -200, 270, -270];
const SAMPLES = 40;

/** All pairs, from the flattest to the roundest. */
const curves = ASIDE.flatMap((first) => ASIDE.map((last) => [first, last] as const)).toSorted(
  (one, other) => roundness(one) - roundness(other),
);

function roundness([first, last]: readonly [number, number]): number {
  return Math.abs(first) + Math.abs(last) + Math.abs(first - last) / 2;
}

/** @returns finds the room whose box is at a point */
export function roomFinder(cells: ReadonlyMap<string, Cell>): (point: Point) => string | undefined {
  const byCell = new Map([...cells].map(([id, cell]) => [cellKey(cell), id]));
  return (point) => {
    const cell = cellAt(point);
    const middle = pointOf(cell);
    const isInside = Math.abs(point.x - middle.x) < NEAR_X && Math.abs(point.y - middle.y) < NEAR_Y;
    return isInside ? byCell.get(cellKey(cell)) : undefined;
  };
}

/** @returns the flattest curve from `a` to `b` on which every point is free. Null: a straight line is, or no curve is */
export function bendOf(a: Point, b: Point, isFree: (point: Point) => boolean): Bend | null {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const aside = (share: number, far: number): Point => ({
    x: a.x + (b.x - a.x) * share + ((a.y - b.y) / length) * far,
    y: a.y + (b.y - a.y) * share + ((b.x - a.x) / length) * far,
  });
  for (const [first, last] of curves) {
    const bend: Bend = [aside(1 / 3, first), aside(2 / 3, last)];
    if (isWayFree(a, b, bend, isFree)) return first === 0 && last === 0 ? null : bend;
  }
  return null;
}

/** For the `d` of a path. */
export const wayOf = (a: Point, b: Point, bend: Bend | null): string =>
  bend
    ? `M${a.x} ${a.y}C${bend[0].x} ${bend[0].y} ${bend[1].x} ${bend[1].y} ${b.x} ${b.y}`
    : `M${a.x} ${a.y}L${b.x} ${b.y}`;

function isWayFree(a: Point, b: Point, [one, other]: Bend, isFree: (point: Point) => boolean): boolean {
  for (let sample = 1; sample < SAMPLES; sample += 1) {
    const t = sample / SAMPLES;
    const [toA, toOne, toOther, toB] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t ** 2 * (1 - t), t ** 3];
    const x = toA * a.x + toOne * one.x + toOther * other.x + toB * b.x;
    const y = toA * a.y + toOne * one.y + toOther * other.y + toB * b.y;
    if (!isFree({ x, y })) return false;
  }
  return true;
}
