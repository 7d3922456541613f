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
  /** How often it has arrived somewhere: of two places, or transits, the later one has more. Absent before the first time. */
  journeys?: number;
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

/** An item and everything inside it, the item first. Empty if it is not there. Containers in a circle are found once. */
export function contentsOf(inventory: readonly ItemEntry[], id: string): ItemEntry[] {
  const found = new Set(inventory.filter((entry) => entry.id === id));
  for (const outer of found) for (const entry of inventory) if (entry.inside_id === outer.id) found.add(entry); // grows while it is read
  return [...found];
}

export const weightOf = (entries: readonly ItemEntry[]): number => entries.reduce((sum, { weight }) => sum + weight, 0);

/** The containers around an item, from the innermost, as far as they are there. Of those in a circle, each once. */
export function containersAround(inventory: readonly ItemEntry[], id: string | null): ItemEntry[] {
  const around = new Set<ItemEntry>();
  for (let at = id; at !== null; ) {
    const container = inventory.find((entry) => entry.id === at);
    if (!container || around.has(container)) break;
    around.add(container);
    at = container.inside_id;
  }
  return [...around];
}

/** Whether the outermost of the containers around an item lies open: none is missing, and they form no circle. */
export const endOpen = (around: readonly ItemEntry[]): boolean => around.at(-1)?.inside_id === null;

/** How many containers are inside each other in an item with its contents. */
export const depthOf = (entries: readonly ItemEntry[]): number =>
  Math.max(
    0,
    ...entries.filter(({ kind }) => kind === 'CONTAINER').map(({ id }) => containersAround(entries, id).length),
  );

const ABSENT = { $exists: false };

/**
 * Guard of an update that moves an item with its contents: all are there with the details that were read, none has been away since, and
 * nothing else is inside.
 */
export function holdsExactly(entries: readonly ItemEntry[]): object[] {
  const ids = entries.map(({ id }) => id);
  return [
    ...entries.map(({ id, inside_id, edition, journeys = ABSENT }) => ({
      inventory: { $elemMatch: { id, inside_id, edition, journeys } },
    })),
    { inventory: { $not: { $elemMatch: { inside_id: { $in: ids }, id: { $nin: ids } } } } },
  ];
}
