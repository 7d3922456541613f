/** What may be put into a container. */
import { containersAround, DEPTH_MAX, depthOf, INSIDE_MAX, type ItemEntry } from '../world/item-entry.js';

export type CannotHold = 'NO_CONTAINER' | 'ITSELF' | 'TOO_DEEP' | 'FULL';

/** @param moved the item, then what is inside it @returns why it cannot hold them, or null */
export function whyCannotHold(
  inventory: readonly ItemEntry[],
  containerId: string,
  moved: readonly ItemEntry[],
): CannotHold | null {
  const around = containersAround(inventory, containerId);
  if (around[0]?.kind !== 'CONTAINER') return 'NO_CONTAINER';
  // Also one whose own container is missing here, because it is among what is moved: they would form a circle.
  const ids = new Set<string | null>(moved.map(({ id }) => id));
  if (around.some(({ id, inside_id }) => ids.has(id) || ids.has(inside_id))) return 'ITSELF';
  if (around.length + depthOf(moved) > DEPTH_MAX) return 'TOO_DEEP';
  return inventory.filter(({ inside_id }) => inside_id === containerId).length >= INSIDE_MAX ? 'FULL' : null;
}

/** Guard of an update: the containers are inside each other as they were read, and the innermost has room for one more item. */
export function canStillHold(inventory: readonly ItemEntry[], containerId: string): object[] {
  const inside = {
    $filter: { input: '$inventory', as: 'each', cond: { $eq: ['$$each.inside_id', { $literal: containerId }] } },
  };
  return [
    ...containersAround(inventory, containerId).map(({ id, inside_id }) => ({
      inventory: { $elemMatch: { id, inside_id, kind: 'CONTAINER' } },
    })),
    { $expr: { $lt: [{ $size: inside }, INSIDE_MAX] } },
  ];
}

/** Entries as they are in a container, or open: the first one lies there, the others are inside of it. */
export const insideOf = (containerId: string | null, entries: readonly ItemEntry[]): ItemEntry[] =>
  entries.map((entry, index) => (index === 0 ? { ...entry, inside_id: containerId } : entry));

/** The same of entries that arrive there. */
export const arrivedIn = (containerId: string | null, entries: readonly ItemEntry[]): ItemEntry[] =>
  insideOf(containerId, entries).map((entry) => ({ ...entry, journeys: (entry.journeys ?? 0) + 1 }));
