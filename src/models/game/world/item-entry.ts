/** Entries of items in inventories, and what can be read from a list of them. */

export type ItemKind = 'THING' | 'CONTAINER' | 'ARMOR' | 'WEAPON';
export type Slot = 'HEAD' | 'HANDS' | 'FEET' | 'BODY' | 'LEFT_HAND' | 'RIGHT_HAND' | 'BOTH_HANDS';

export interface ItemDetails {
  /** Rises with each change of the details, so that an act never carries outdated ones along. */
  edition: number;
  name: string;
  description: string;
  kind: ItemKind;
  bonus: number;
  quantity: number;
  /** In grams, all pieces together. */
  weight: number;
  /** In pieces of gold. Null if it is not for sale. */
  price: number | null;
  is_fixed: boolean;
  slots: Slot[];
}

/** An item where it is. */
export interface ItemEntry extends ItemDetails {
  id: string;
  /** The container, in the same inventory. */
  inside_id: string | null;
}

export const INSIDE_MAX = 50; // items in a container
export const DEPTH_MAX = 5; // containers inside each other

/** For example `+3 wizard's hat` or `20 arrows`. */
export function labelOf({ name, bonus, quantity }: Pick<ItemDetails, 'name' | 'bonus' | 'quantity'>): string {
  const sign = bonus > 0 ? `+${bonus} ` : bonus < 0 ? `${bonus} ` : '';
  return `${quantity > 1 ? `${quantity} ` : ''}${sign}${name}`;
}

/** With an article, unless the name has one. */
export function theLabel(item: Pick<ItemDetails, 'name' | 'bonus' | 'quantity'>): string {
  const label = labelOf(item);
  return /^(the|an?|some|your|his|her|their) /i.test(label) ? label : `the ${label}`;
}

/** An item and everything inside it, the item first. Empty if it is not there. */
export function contentsOf(inventory: readonly ItemEntry[], id: string): ItemEntry[] {
  const found = inventory.filter((entry) => entry.id === id);
  for (const outer of found) found.push(...inventory.filter((entry) => entry.inside_id === outer.id)); // grows while it is read
  return found;
}

export const weightOf = (entries: readonly ItemEntry[]): number => entries.reduce((sum, { weight }) => sum + weight, 0);

/** The containers around an item, from the innermost. */
export function containersAround(inventory: readonly ItemEntry[], id: string | null): ItemEntry[] {
  const around: ItemEntry[] = [];
  for (let at = id; at !== null; ) {
    const container = inventory.find((entry) => entry.id === at);
    if (!container) return around;
    around.push(container);
    at = container.inside_id;
  }
  return around;
}

/** How many containers are inside each other in a list of entries, the first of which is the outermost. */
export function depthOf(entries: readonly ItemEntry[]): number {
  const [outer] = entries;
  if (outer?.kind !== 'CONTAINER') return 0;
  const inner = entries.filter(({ inside_id }) => inside_id === outer.id);
  return 1 + Math.max(0, ...inner.map(({ id }) => depthOf(contentsOf(entries, id))));
}

/** Guard of an update that moves an item with its contents: all are there with the details that were read, and nothing else is inside. */
export function holdsExactly(entries: readonly ItemEntry[]): object[] {
  const ids = entries.map(({ id }) => id);
  return [
    ...entries.map(({ id, inside_id, edition }) => ({ inventory: { $elemMatch: { id, inside_id, edition } } })),
    { inventory: { $not: { $elemMatch: { inside_id: { $in: ids }, id: { $nin: ids } } } } },
  ];
}
