/** The ways out of a room, in words. */
import { type ItemEntry, theLabel } from '../world/item-entry.js';
import type { Exit } from '../world/location.js';

/** The direction, and what one does not have yet and needs to go there. */
export function wayTo({ direction, needs, needs_name }: Exit, inventory: readonly Pick<ItemEntry, 'id'>[]): string {
  if (needs === null || inventory.some(({ id }) => id === needs)) return direction;
  return `${direction} (with ${theLabel({ name: needs_name ?? needs, bonus: 0, quantity: 1 })})`;
}
