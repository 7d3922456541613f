/** The copies of items and characters that the rooms of Ranvier have. The first one has the key, or the name, of the pattern. */

import type { Slot } from '../../world/item-entry.js';
import { folkNameFrom, nameFrom, numbered, withoutTags } from '../rows/foreign-text.js';
import { type ItemRow, itemRow, refused, type SourceRow, stored } from '../rows/world-row.js';
import { type FolkShape, type Found, type ItemShape, idOf, type Known } from './shapes.js';

const DEPTH_MAX = 5; // a pattern may contain itself
const ANY_HAND: readonly Slot[] = ['RIGHT_HAND', 'LEFT_HAND'];
const WORN: ReadonlyMap<string, Slot> = new Map([
  ['head', 'HEAD'],
  ['hands', 'HANDS'],
  ['shield', 'HANDS'],
  ['feet', 'FEET'],
]);
/** Folk of Ranvier have no class. */
const CLASS = 'ROGUE';

export class Copies {
  readonly #rows: (readonly [line: number, row: SourceRow])[] = [];
  readonly #counts = new Map<string, number>();
  readonly #placed = new Set<object>();

  constructor(private readonly known: Known) {}

  /** By line: the copies, then what is refused of their patterns. Patterns that nobody has placed are refused. */
  rows(): Map<number, SourceRow[]> {
    const rows = new Map<number, SourceRow[]>();
    const add = (line: number, row: SourceRow) => rows.set(line, [...(rows.get(line) ?? []), row]);
    for (const [line, row] of this.#rows) add(line, row);
    for (const found of [...this.known.items.values(), ...this.known.folk.values()]) {
      const { line, value } = found;
      if (!this.#placed.has(found)) add(line.line, refused(line, 'NOWHERE'));
      if (value.script) add(line.line, refused(line, 'BY_PROGRAM', 'script'));
      if ('locked' in value && value.locked) add(line.line, refused(line, 'LOCKED_CONTAINER', 'locked'));
    }
    return rows;
  }

  /** @param price instead of that of the pattern @returns whether there is such an item */
  putItem(reference: string, place: ItemRow['place'], price?: number, depth = 0): boolean {
    const found = this.known.find(this.known.items, reference);
    if (!found || depth > DEPTH_MAX) return false;
    const { line, value } = found;
    const key = this.#keyOf(found);
    this.#add(found, stored(line, itemRow({ key, place, ...detailsOf(value), ...(price !== undefined && { price }) })));
    const { currency } = value.metadata?.sellable ?? {};
    if (price === undefined && currency && currency !== 'gold')
      this.#add(found, refused(line, 'OTHER_CURRENCY', 'metadata.sellable'));
    for (const [index, inner] of (value.items ?? []).entries())
      if (!this.putItem(idOf(inner), { key }, undefined, depth + 1))
        this.#add(found, refused(line, 'UNKNOWN_ITEM', `items.${index}`, inner));
    return true;
  }

  /** @returns whether there is such a character */
  putFolk(reference: string, location: string): boolean {
    const found = this.known.find(this.known.folk, reference);
    if (!found) return false;
    const { line, value } = found;
    const pattern = folkNameFrom(value.name);
    const name = numbered(pattern, this.#count(`folk ${pattern.toLowerCase()}`));
    const goods = value.metadata?.vendor?.items;
    this.#add(
      found,
      stored(line, { type: 'FOLK', name, class: CLASS, role: goods ? 'SHOPKEEPER' : 'FOLK', gold: 0, location }),
    );
    for (const [index, item] of (value.items ?? []).entries())
      if (!this.putItem(idOf(item), { carriedBy: name }))
        this.#add(found, refused(line, 'UNKNOWN_ITEM', `items.${index}`, item));
    for (const [item, { cost, currency }] of Object.entries(goods ?? {}))
      this.#putGood(found, name, item, cost, currency);
    return true;
  }

  #putGood(found: Found<FolkShape>, name: string, item: string, cost: number, currency?: string | null): void {
    const field = `metadata.vendor.items.${item}`;
    if (currency && currency !== 'gold') this.#add(found, refused(found.line, 'OTHER_CURRENCY', field));
    else if (!this.putItem(item, { carriedBy: name }, Math.round(cost)))
      this.#add(found, refused(found.line, 'UNKNOWN_ITEM', field));
  }

  #add(found: Found<ItemShape> | Found<FolkShape>, row: SourceRow): void {
    this.#placed.add(found);
    this.#rows.push([found.line.line, row]);
  }

  #keyOf({ key }: Found<ItemShape>): string {
    const number = this.#count(`item ${key}`);
    return number === 1 ? key : `${key}-${number}`;
  }

  #count(name: string): number {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return count;
  }
}

function detailsOf({ name, description, roomDesc, type, metadata }: ItemShape) {
  const { slot, noPickup, sellable } = metadata ?? {};
  const kind = type === 'WEAPON' || type === 'ARMOR' || type === 'CONTAINER' ? type : 'THING';
  const slots = kind === 'WEAPON' ? ANY_HAND : kind === 'ARMOR' ? [WORN.get(slot ?? '') ?? 'BODY'] : [];
  const isGold = sellable && (!sellable.currency || sellable.currency === 'gold');
  return {
    name: nameFrom(name),
    description: withoutTags(description ?? roomDesc ?? '').trim(),
    kind,
    slots,
    isFixed: noPickup === true,
    price: isGold ? Math.round(sellable.value) : null,
  } satisfies Partial<ItemRow>;
}
