/** Lines that lead around the rooms between two others, so that nobody reads exits that are not there. */
import { BOX, cellAt } from '../../map/grid.js';
import { cellKey } from '../../map/place.js';
import type { Point } from '../../map/use-view.js';

/** A little more than the box: a line beside it is no exit either. */
const [NEAR_X, NEAR_Y] = [BOX.width / 2 + 4, BOX.height / 2 + 4];
/** How far the middle of the curve is from the straight line, the nearest first. */
const OFFSETS = [30, 50, 75, 100, 130, 170];
const SAMPLES = 40;

/** @returns finds the room whose box is at a point */
export function roomFinder(
  rooms: readonly { readonly id: string; readonly at: Point }[],
): (point: Point) => string | undefined {
  const byCell = new Map(rooms.map((room) => [cellKey(cellAt(room.at)), room]));
  return (point) => {
    const room = byCell.get(cellKey(cellAt(point)));
    if (!room) return undefined;
    const isInside = Math.abs(point.x - room.at.x) < NEAR_X && Math.abs(point.y - room.at.y) < NEAR_Y;
    return isInside ? room.id : undefined;
  };
}

/** @returns the control point of a quadratic curve from `a` to `b` on which every point is free. Null: a straight line is, or none is */
export function bendOf(a: Point, b: Point, isFree: (point: Point) => boolean): Point | null {
  if (isWayFree(a, b, middleOf(a, b), isFree)) return null;
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [across, along] = [(a.y - b.y) / length, (b.x - a.x) / length];
  const middle = middleOf(a, b);
  const bends = OFFSETS.flatMap((offset) =>
    [2 * offset, -2 * offset].map((far) => ({ x: middle.x + across * far, y: middle.y + along * far })),
  );
  return bends.find((bend) => isWayFree(a, b, bend, isFree)) ?? null;
}

/** For the `d` of a path. */
export const wayOf = (a: Point, b: Point, bend: Point | null): string =>
  `M${a.x} ${a.y}${bend ? `Q${bend.x} ${bend.y} ` : 'L'}${b.x} ${b.y}`;

const middleOf = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

function isWayFree(a: Point, b: Point, bend: Point, isFree: (point: Point) => boolean): boolean {
  for (let sample = 1; sample < SAMPLES; sample += 1) {
    const t = sample / SAMPLES;
    const [first, middle, last] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2];
    const x = first * a.x + middle * bend.x + last * b.x;
    const y = first * a.y + middle * bend.y + last * b.y;
    if (!isFree({ x, y })) return false;
  }
  return true;
}
