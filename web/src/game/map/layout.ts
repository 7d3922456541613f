/** Where the rooms of a whole world are drawn: each as far as possible in the direction of the exit that leads to it. */
import { oppositeOf } from './directions.js';
import { type Cell, cellKey, nearest, placeNextTo } from './place.js';

export interface WorldRoom {
  readonly id: string;
  readonly exits: readonly { readonly direction: string; readonly toId?: string | null }[];
}

/** The cells of rooms, and which of them are taken. */
class Drawing {
  readonly cells = new Map<string, Cell>();
  readonly taken = new Set<string>();

  put(id: string, cell: Cell): void {
    this.cells.set(id, cell);
    this.taken.add(cellKey(cell));
  }
}

const ORIGIN: Cell = { x: 0, y: 0 };

/**
 * Parts of the world that do not hang together are drawn beside each other.
 * @param rooms the first one of each part is its beginning
 * @param fixed the cells of rooms that somebody has moved by hand
 */
export function layOut(
  rooms: readonly WorldRoom[],
  fixed: Readonly<Record<string, Cell>> = {},
): ReadonlyMap<string, Cell> {
  const spread = spreader(rooms);
  // Where a part begins does not depend on what was moved: otherwise moving one room would move all others.
  const parts = new Map<string, Drawing>();
  const known = new Set<string>();
  for (const { id } of rooms) {
    if (known.has(id)) continue;
    const part = spread(id, ORIGIN, new Drawing());
    parts.set(id, part);
    for (const each of part.cells.keys()) known.add(each);
  }
  const world = new Drawing();
  for (const { id } of rooms) if (fixed[id]) world.put(id, fixed[id]);
  for (const [id, cell] of shelve(parts)) spread(id, cell, world);
  return world.cells;
}

type Spread = (first: string, at: Cell, drawing: Drawing) => Drawing;

/** @returns draws a room, and all that hang together with it */
function spreader(rooms: readonly WorldRoom[]): Spread {
  const byId = new Map(rooms.map((room) => [room.id, room]));
  const backs = waysBack(rooms);
  return (first, at, drawing) => {
    const { cells, taken } = drawing;
    const queue: string[] = [];
    const visited = new Set<string>();
    const reach = (id: string, cell: () => Cell) => {
      visited.add(id);
      queue.push(id);
      if (!cells.has(id)) drawing.put(id, cell());
    };
    const walk = (from: string, ways: readonly Way[]) => {
      const directions = (byId.get(from)?.exits ?? []).map(({ direction }) => direction);
      for (const { direction, toId } of ways)
        if (toId && byId.has(toId) && !visited.has(toId))
          reach(toId, () => placeNextTo(cells.get(from) ?? ORIGIN, direction, directions, taken));
    };
    let walked = 0;
    const walkOn = () => {
      for (; walked < queue.length; walked += 1) {
        const from = queue[walked] ?? first;
        walk(from, byId.get(from)?.exits ?? []);
      }
    };
    reach(first, () => nearest(at, (cell) => !taken.has(cellKey(cell))));
    walkOn();
    for (const room of queue) {
      walk(room, backs.get(room) ?? []); // from where one comes, but does not get back
      walkOn();
    }
    return drawing;
  };
}

interface Way {
  /** Null: none is known. */
  readonly direction: string | null;
  readonly toId?: string | null;
}

/** By room, the exits that lead to it, as one would go back. */
function waysBack(rooms: readonly WorldRoom[]): ReadonlyMap<string, readonly Way[]> {
  const ways = new Map<string, Way[]>(rooms.map(({ id }) => [id, []]));
  for (const { id, exits } of rooms)
    for (const { direction, toId } of exits) ways.get(toId ?? '')?.push({ direction: oppositeOf(direction), toId: id });
  return ways;
}

/** Beside each other, on shelves that are about as wide as they are high together. @returns where each part begins, the first one at the origin */
function shelve(parts: ReadonlyMap<string, Drawing>): readonly (readonly [string, Cell])[] {
  const [first, ...others] = [...parts].map(([id, { cells }]) => ({ id, ...boxOf([...cells.values()]) }));
  if (!first) return [];
  const boxes = [first, ...others.toSorted((a, b) => b.height - a.height || b.width - a.width)];
  const area = boxes.reduce((sum, { width, height }) => sum + width * height, 0);
  const shelfWidth = boxes.reduce((widest, { width }) => Math.max(widest, width), Math.ceil(Math.sqrt(area)));
  const next = { x: 0, y: 0, below: 0 };
  return boxes.map(({ id, left, top, width, height }) => {
    if (next.x + width - 1 > shelfWidth) Object.assign(next, { x: 0, y: next.below });
    const cell = { x: next.x - left + first.left, y: next.y - top + first.top };
    next.x += width;
    next.below = Math.max(next.below, next.y + height);
    return [id, cell];
  });
}

/** With a column and a row that stay empty. */
function boxOf(cells: readonly Cell[]) {
  const [xs, ys] = [cells.map(({ x }) => x), cells.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { left, top, width: Math.max(...xs) - left + 2, height: Math.max(...ys) - top + 2 };
}
