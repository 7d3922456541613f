/** Rooms of Ranvier: their exits, also those that follow from coordinates, and their doors. */
import { nameFrom, withoutTags } from '../rows/foreign-text.js';
import { type ExitRow, refused, type SourceRow, stored } from '../rows/world-row.js';
import type { Copies } from './copies.js';
import { type Found, idOf, type Known, type RoomShape } from './shapes.js';

/** As whom somebody may be found who is referred to as `area:id`: the lines of an area may come without its name. */
export const references = (reference: string): string[] => [reference, reference.slice(reference.indexOf(':') + 1)];

/** Also puts what is in the room into it. */
export function rowsOfRoom(found: Found<RoomShape>, known: Known, copies: Copies): SourceRow[] {
  const { line, key, value } = found;
  const refusals: SourceRow[] = [];
  const exits: ExitRow[] = [];
  for (const { roomId, direction, field } of waysOf(found, known)) {
    const target = known.find(known.rooms, roomId);
    const lock = target ? lockBetween(found, target, known) : null;
    const word = direction.toLowerCase();
    if (exits.some((exit) => exit.direction === word)) refusals.push(refused(line, 'NOT_REACHED', field));
    else if (lock === 'LOCKED') refusals.push(refused(line, 'LOCKED', field));
    // Somebody else's area may be in the world already.
    else exits.push({ direction: word, aliases: [], description: '', needs: lock, to: target?.key ?? roomId });
  }
  for (const [index, each] of (value.items ?? []).entries()) {
    const isThere = copies.putItem(idOf(each), { key });
    if (!isThere) refusals.push(refused(line, 'UNKNOWN_ITEM', `items.${index}`, each));
  }
  for (const [index, each] of (value.npcs ?? []).entries()) {
    const isThere = copies.putFolk(idOf(each), key);
    if (!isThere) refusals.push(refused(line, 'UNKNOWN_FOLK', `npcs.${index}`, each));
  }
  if (value.script) refusals.push(refused(line, 'BY_PROGRAM', 'script'));
  const description = withoutTags(value.description ?? '').trim();
  const name = nameFrom(value.title);
  return [stored(line, { type: 'LOCATION', key, name, description, exits, isStart: false }), ...refusals];
}

const SIDES: readonly (readonly [direction: string, x: number, y: number, z: number])[] = [
  ['west', -1, 0, 0],
  ['east', 1, 0, 0],
  ['north', 0, 1, 0],
  ['south', 0, -1, 0],
  ['up', 0, 0, 1],
  ['down', 0, 0, -1],
  ['northeast', 1, 1, 0],
  ['northwest', -1, 1, 0],
  ['southeast', 1, -1, 0],
  ['southwest', -1, -1, 0],
];

interface Way {
  readonly roomId: string;
  readonly direction: string;
  readonly field: string;
}

/** Rooms of an area whose coordinates are next to each other are connected, unless an exit has the direction already. */
function waysOf({ area, value: { exits, coordinates } }: Found<RoomShape>, { rooms }: Known): Way[] {
  const ways = (exits ?? []).map((exit, index): Way => ({ ...exit, field: `exits.${index}` }));
  if (!coordinates) return ways;
  const neighbors = [...rooms].filter(([, other]) => other.area === area && other.value.coordinates);
  for (const [direction, ...step] of SIDES) {
    const next = neighbors.find(([, { value }]) =>
      value.coordinates?.every((at, axis) => at === (coordinates[axis] ?? 0) + (step[axis] ?? 0)),
    );
    if (next && !ways.some((way) => way.direction === direction))
      ways.push({ roomId: next[0], direction, field: 'coordinates' });
  }
  return ways;
}

/** A door belongs to one of its two rooms, and closes both ways. One that is only closed can be opened by everybody. */
function lockBetween(one: Found<RoomShape>, other: Found<RoomShape>, known: Known): string | 'LOCKED' | null {
  for (const [room, next] of [
    [one, other],
    [other, one],
  ] as const)
    for (const [reference, { locked, lockedBy }] of Object.entries(room.value.doors ?? {})) {
      if (!locked || known.find(known.rooms, reference) !== next) continue;
      return (lockedBy && known.find(known.items, lockedBy)?.key) || 'LOCKED';
    }
  return null;
}
