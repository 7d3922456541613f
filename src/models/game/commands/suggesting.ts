/** Commands that a character can give now, for whoever typed one that is not understood. */
import type { Actor } from '../acts/act.js';
import { isHand } from '../acts/equipment.js';
import type { ItemEntry } from '../world/item-entry.js';
import type { Command, CommandAct } from './command.js';
import { candidatesOf, partsOfFirst, type Sight, type Thing } from './sight.js';

/** Commands of this kind that make sense. */
export function suggest(command: Command, sight: Sight): string[] {
  const [first, second] = command.parts;
  if (!first) return [command.verb];
  if (first.part === 'DIRECTION') return sight.actor.location.exits.map(({ direction }) => `go ${direction}`);
  const ends = second && !second.isOptional ? candidatesOf(second.part, sight).slice(0, 1) : [null];
  return partsOfFirst(command)
    .flatMap((part) => candidatesOf(part, sight))
    .filter(({ value }) => makesSense(command.act, value, sight.actor))
    .flatMap(({ names: [name], value }) =>
      ends
        .filter((end) => end?.value.id !== value.id)
        .map((end) => `${command.verb} ${name}${end ? ` ${second?.after[0] ?? ''} ${end.names[0]}` : ''}`),
    );
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
