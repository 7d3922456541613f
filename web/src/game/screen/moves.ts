/** Through which exits a character went, as its happenings tell: when an event comes says nothing about it. */
import type { Move } from '../map/explored.js';
import type { Screen } from './types.js';

/** The sentences of the server about a character's own moves. */
const GONE = /^You go (.+)\.$/;
const ARRIVED = /^You are here: (.+)\.$/;
const BACK = 'You come back.'; // the room was full

/** Whether a character has come into a room: not back into it, through an exit that leads nowhere else. */
export const isArrivalOf = (id: string, { kind, who, text }: Screen['happenings'][number]): boolean =>
  kind === 'CAME' && who?.id === id && text.includes('You are here: '); // also with other sentences before it

/** A character's moves since a happening, in their order. None if it was put into its room by hand. @param after its number */
export function movesOf({ id, happenings }: Pick<Screen, 'id' | 'happenings'>, after: number): readonly Move[] {
  const moves: Move[] = [];
  for (const { number, kind, who, text } of happenings) {
    if (number <= after || who?.id !== id) continue;
    const [, direction] = (kind === 'LEFT' && GONE.exec(text)) || [];
    const [, name] = (kind === 'CAME' && ARRIVED.exec(text)) || [];
    if (direction !== undefined) moves.push({ direction, name: null });
    if (text === BACK) moves.pop();
    const last = moves.at(-1);
    if (name !== undefined && last) moves[moves.length - 1] = { ...last, name };
  }
  return moves;
}
