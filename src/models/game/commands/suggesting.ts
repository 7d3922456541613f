/** Commands that a character can give now, for whoever typed one that is not understood. */
import type { Actor } from '../acts/act.js';
import { isHand } from '../acts/equipment.js';
import type { ItemEntry } from '../world/item-entry.js';
import type { Command, CommandAct } from './command.js';
import type { Named } from './naming.js';
import { candidatesOf, partsOfFirst, type Sight, type Thing, tradersOf } from './sight.js';

/** Commands of this kind that make sense. */
export function suggest(command: Command, sight: Sight): string[] {
  const [first] = command.parts;
  if (!first) return [command.verb];
  if (first.part === 'DIRECTION') return sight.actor.location.exits.map(({ direction }) => `go ${direction}`);
  if (first.part === 'TEXT') return [command.example];
  return partsOfFirst(command)
    .flatMap((part) => candidatesOf(part, sight))
    .filter(({ value }) => makesSense(command.act, value, sight.actor))
    .flatMap(({ names: [name = ''], value }) =>
      endsFor(command, value, sight).map((end) => phrase(command, name, end)),
    );
}

/** As it can be typed. @param second null if it is left out */
export const phrase = ({ verb, parts }: Command, first: string, second: string | null): string =>
  [verb, first, ...(second === null ? [] : [parts[1]?.after[0] ?? '', second])].filter(Boolean).join(' ');

/** What may stand behind a thing, or null for nothing. Empty if something must, and nothing can. */
function endsFor({ act, parts }: Command, thing: Thing, sight: Sight): (string | null)[] {
  const [, second] = parts;
  const nameOf = ({ names: [name = ''] }: Named<Thing>) => name;
  if (!second) return [null];
  if (second.part === 'TEXT') return ['hello'];
  if (act === 'BUY' || act === 'SELL') {
    const names = tradersOf(act, thing, sight).map(nameOf);
    return names.length === 1 ? [null] : names; // needs no name if there is one
  }
  const outer = act === 'TAKE_OUT' && 'inside_id' in thing ? thing.inside_id : null;
  return candidatesOf(second.part, sight)
    .filter(({ value: { id } }) => (outer === null ? id !== thing.id : id === outer))
    .map(nameOf)
    .slice(0, 1);
}

/** Whether it would not be refused for what the item is. */
function makesSense(act: CommandAct, thing: Thing, { armor, weapons }: Actor): boolean {
  if ('is_online' in thing) return true;
  const { id, slots, is_fixed, price }: ItemEntry = thing;
  switch (act) {
    case 'TAKE':
    case 'TAKE_OUT':
      return !is_fixed;
    case 'WEAR':
      return slots.some((slot) => !isHand(slot));
    case 'WIELD':
      return slots.some(isHand);
    case 'REMOVE':
      return [...armor, ...weapons].some((used) => used.id === id);
    case 'SELL':
      return price !== null;
    default:
      return true;
  }
}
