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
  if (around.some(({ id }) => id === moved[0]?.id)) return 'ITSELF';
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
