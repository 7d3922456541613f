/** Where the rooms of a whole world are drawn: each as far as possible in the direction of the exit that leads to it. */
import { type Cell, cellKey, nearest, placeNextTo } from './place.js';

export interface WorldRoom {
  readonly id: string;
  readonly exits: readonly { readonly direction: string; readonly toId?: string | null }[];
}

/**
 * @param rooms the first one of each part of the world that hangs together is its beginning
 * @param fixed the cells of rooms that somebody has moved by hand
 */
export function layOut(
  rooms: readonly WorldRoom[],
  fixed: Readonly<Record<string, Cell>> = {},
): ReadonlyMap<string, Cell> {
  const byId = new Map(rooms.map((room) => [room.id, room]));
  const cells = new Map<string, Cell>();
  const taken = new Set<string>();
  const put = (id: string, cell: Cell) => {
    cells.set(id, cell);
    taken.add(cellKey(cell));
  };
  for (const { id } of rooms) if (fixed[id]) put(id, fixed[id]);
  const visited = new Set<string>();
  for (const room of rooms) {
    if (visited.has(room.id)) continue;
    if (!cells.has(room.id)) put(room.id, beside(cells, taken));
    visited.add(room.id);
    const queue = [room];
    for (const from of queue)
      for (const { direction, toId } of from.exits) {
        const to = byId.get(toId ?? '');
        if (!to || visited.has(to.id)) continue;
        visited.add(to.id);
        queue.push(to);
        const others = from.exits.map((exit) => exit.direction);
        if (!cells.has(to.id)) put(to.id, placeNextTo(cells.get(from.id) ?? { x: 0, y: 0 }, direction, others, taken));
      }
  }
  return cells;
}

/** Below the rooms so far, so that the parts do not mix. */
function beside(cells: ReadonlyMap<string, Cell>, taken: ReadonlySet<string>): Cell {
  if (cells.size === 0) return { x: 0, y: 0 };
  const all = [...cells.values()];
  const y = Math.max(...all.map((cell) => cell.y)) + 2;
  const x = Math.min(...all.map((cell) => cell.x));
  return nearest({ x, y }, (cell) => !taken.has(cellKey(cell)));
}
