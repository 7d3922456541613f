/** The map that grows while a character explores: the rooms where it was, and the exits that it saw. */
import { oppositeOf } from './directions.js';
import { type Cell, cellKey, placeNextTo } from './place.js';

export interface MapExit {
  readonly direction: string;
  /** The room behind it. Null: nobody went there yet. */
  readonly to: string | null;
  /** Not gone through, but the way back of an exit that was. */
  readonly isGuess?: true;
}

export interface MapRoom extends Cell {
  readonly id: string;
  readonly name: string;
  readonly exits: readonly MapExit[];
}

export interface ExploredMap {
  readonly rooms: Readonly<Record<string, MapRoom>>;
  /** Where the character was last. Null: nowhere yet. */
  readonly here: string | null;
}

export const emptyMap: ExploredMap = { rooms: {}, here: null };

/** The storage of a browser is small. */
export const ROOMS_MAX = 1_000;

export interface SeenRoom {
  readonly id: string;
  readonly name: string;
  readonly exits: readonly { readonly direction: string }[];
}

/** A move of the character. */
export interface Move {
  readonly direction: string;
  /** Of the room behind the exit. Null: the character has not arrived. */
  readonly name: string | null;
}

/** @param moves those since the last room. None: unknown, or the character was put here by hand */
export function explore(map: ExploredMap, seen: SeenRoom, moves: readonly Move[]): ExploredMap {
  const known = map.rooms[seen.id];
  const via = moves.at(-1)?.direction ?? null;
  const before = roomAfter(map, moves.slice(0, -1));
  const from = before && before.id !== seen.id ? before : undefined;
  const back = from && via !== null ? oppositeOf(via) : null;
  const room: MapRoom = {
    id: seen.id,
    name: seen.name,
    ...(known ? { x: known.x, y: known.y } : placeNew(map, from, via)),
    exits: seen.exits.map(({ direction }) => {
      const exit = known?.exits.find((each) => each.direction === direction);
      if (exit?.to) return exit;
      return from && direction.toLowerCase() === back
        ? { direction, to: from.id, isGuess: true }
        : { direction, to: null };
    }),
  };
  if (map.here === seen.id && known && JSON.stringify(known) === JSON.stringify(room)) return map;
  const rooms = { ...map.rooms, [room.id]: room };
  if (from && via !== null) rooms[from.id] = { ...from, exits: link(from, via, room.id) };
  return { rooms: bounded(rooms, room.id), here: room.id };
}

/** Where some moves have led, which nobody has seen. Undefined if the map does not know it. */
function roomAfter({ rooms, here }: ExploredMap, moves: readonly Move[]): MapRoom | undefined {
  let at = here === null ? undefined : rooms[here];
  for (const { direction, name } of moves) {
    const next = rooms[at?.exits.find((exit) => exit.direction === direction)?.to ?? ''];
    at = next?.name === name ? next : undefined; // a way back that was only guessed may lead elsewhere
  }
  return at;
}

const link = ({ exits }: MapRoom, via: string, to: string): readonly MapExit[] =>
  exits.map((exit) => (exit.direction === via ? { direction: via, to } : exit));

function placeNew({ rooms }: ExploredMap, from: MapRoom | undefined, via: string | null): Cell {
  const all = Object.values(rooms);
  const taken = new Set(all.map(cellKey));
  if (from)
    return placeNextTo(
      from,
      via,
      from.exits.map(({ direction }) => direction),
      taken,
    );
  if (all.length === 0) return { x: 0, y: 0 };
  return { x: Math.max(...all.map(({ x }) => x)) + 2, y: 0 }; // beside all that is known
}

/** Forgets the rooms that were found first. */
function bounded(rooms: Readonly<Record<string, MapRoom>>, here: string): Readonly<Record<string, MapRoom>> {
  const ids = Object.keys(rooms);
  if (ids.length <= ROOMS_MAX) return rooms;
  const gone = new Set(ids.filter((id) => id !== here).slice(0, ids.length - ROOMS_MAX));
  return Object.fromEntries(Object.entries(rooms).filter(([id]) => !gone.has(id)));
}

export interface WalkStep {
  readonly direction: string;
  /** The room where one is then. */
  readonly to: string;
}

/** The shortest known way from where the character is. Empty if it is there, null if no way is known. */
export function wayTo({ rooms, here }: ExploredMap, to: string): readonly WalkStep[] | null {
  if (here === null) return null;
  const ways = new Map<string, readonly WalkStep[]>([[here, []]]);
  for (const [id, way] of ways) {
    if (id === to) return way;
    for (const { direction, to: next } of rooms[id]?.exits ?? [])
      if (next !== null && !ways.has(next) && rooms[next]) ways.set(next, [...way, { direction, to: next }]);
  }
  return null;
}

export interface Edge {
  readonly from: MapRoom;
  readonly to: MapRoom;
}

/** The lines of the map: each pair of rooms once. */
export function edgesOf({ rooms }: ExploredMap): readonly Edge[] {
  const edges = new Map<string, Edge>();
  for (const from of Object.values(rooms))
    for (const exit of from.exits) {
      const to = exit.to === null ? undefined : rooms[exit.to];
      if (!to || to.id === from.id) continue;
      const pair = [from.id, to.id].toSorted().join(' ');
      if (!edges.has(pair)) edges.set(pair, { from, to });
    }
  return [...edges.values()];
}
