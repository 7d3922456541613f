/** The rows of this format, one per line: a location, an item, or somebody of the world. Fields and defaults are those of `saveLocations`, `saveItems` and `saveFolk`. */
import { type Fields, numberIn, oneOf, textIn, textsIn } from '../../system/work/rows/row-fields.js';
import {
  type ExitRow,
  type FolkRow,
  type ItemRow,
  itemRow,
  type LocationRow,
  RowError,
  type WorldRow,
} from './rows/world-row.js';

const KINDS = ['location', 'item', 'folk'] as const;
const ITEM_KINDS = ['THING', 'CONTAINER', 'ARMOR', 'WEAPON'] as const;
const SLOTS = ['HEAD', 'HANDS', 'FEET', 'BODY', 'LEFT_HAND', 'RIGHT_HAND', 'BOTH_HANDS'] as const;
const CLASSES = ['WARRIOR', 'MAGE', 'ROGUE', 'CLERIC'] as const;
const ROLES = ['FOLK', 'SHOPKEEPER'] as const;
const COINS = { cp: 0.01, sp: 0.1, ep: 0.5, gp: 1, pp: 10 } as const;
const GRAMS_PER_POUND = 453.59237;
const NUMBER_MAX = 1_000_000_000;

/** @throws RowError */
export function readOwnRow(fields: Fields): WorldRow {
  const [kind, other] = KINDS.filter((each) => fields[each] !== undefined && fields[each] !== null);
  if (kind === undefined || other !== undefined) throw new RowError('NO_KIND', other ?? null);
  if (kind === 'location') return readLocation(fields);
  return kind === 'item' ? readItem(fields) : readFolk(fields);
}

const readLocation = (fields: Fields): LocationRow => ({
  type: 'LOCATION',
  key: requireText(fields, 'location'),
  name: requireText(fields, 'name'),
  description: textIn(fields, 'description') ?? '',
  exits: listIn(fields, 'exits').map((exit, index) => within(`exits.${index}`, () => readExit(exit))),
  isStart: booleanIn(fields, 'isStart'),
});

const readExit = (fields: Fields): ExitRow => ({
  direction: requireText(fields, 'direction'),
  aliases: textsIn(fields, 'aliases') ?? [],
  description: textIn(fields, 'description') ?? '',
  needs: textIn(fields, 'needs') ?? null,
  to: requireText(fields, 'to'),
});

function readItem(fields: Fields): ItemRow {
  const slots = textsIn(fields, 'slots') ?? [];
  const unknown = slots.findIndex((slot) => !SLOTS.includes(slot as (typeof SLOTS)[number]));
  if (unknown >= 0) throw new RowError('INVALID_FIELD', `slots.${unknown}`);
  return itemRow({
    key: requireText(fields, 'item'),
    name: requireText(fields, 'name'),
    description: textIn(fields, 'description') ?? '',
    kind: oneOf(fields, 'kind', ITEM_KINDS) ?? 'THING',
    bonus: wholeIn(fields, 'bonus') ?? 0,
    quantity: wholeIn(fields, 'quantity') ?? 1,
    weight: weightIn(fields),
    price: priceIn(fields),
    isFixed: booleanIn(fields, 'isFixed'),
    slots: slots as ItemRow['slots'],
    place: placeIn(fields),
  });
}

/** In grams, or in pounds, of which a small item has a fraction. */
function weightIn(fields: Fields): number {
  const grams = wholeIn(fields, 'weight');
  const pounds = numberIn(fields, 'pounds', NUMBER_MAX);
  if (grams !== undefined && pounds !== undefined) throw new RowError('INVALID_FIELD', 'pounds');
  return grams ?? Math.round((pounds ?? 0) * GRAMS_PER_POUND);
}

/** In pieces of gold, or in coins. What costs less than a piece of gold costs one, so that nothing with a price is for free. */
function priceIn(fields: Fields): number | null {
  const price = wholeIn(fields, 'price');
  const { cost } = fields;
  if (cost === undefined || cost === null) return price ?? null;
  if (price !== undefined || !isFields(cost)) throw new RowError('INVALID_FIELD', 'cost');
  return within('cost', () => {
    const quantity = numberIn(cost, 'quantity', NUMBER_MAX);
    const unit = oneOf(cost, 'unit', Object.keys(COINS) as (keyof typeof COINS)[]);
    if (quantity === undefined || unit === undefined) throw new RowError('INVALID_FIELD', unit ? 'quantity' : 'unit');
    return quantity === 0 ? 0 : Math.max(1, Math.round(quantity * COINS[unit]));
  });
}

function placeIn(fields: Fields): ItemRow['place'] {
  const [key, carriedBy] = [textIn(fields, 'place'), textIn(fields, 'carriedBy')];
  if (key !== undefined && carriedBy !== undefined) throw new RowError('INVALID_FIELD', 'carriedBy');
  return carriedBy === undefined ? { key: requireText(fields, 'place') } : { carriedBy };
}

const readFolk = (fields: Fields): FolkRow => ({
  type: 'FOLK',
  name: requireText(fields, 'folk'),
  class: oneOf(fields, 'class', CLASSES) ?? 'ROGUE',
  role: oneOf(fields, 'role', ROLES) ?? 'FOLK',
  gold: wholeIn(fields, 'gold') ?? 0,
  location: requireText(fields, 'at'),
});

function requireText(fields: Fields, name: string): string {
  const text = textIn(fields, name);
  if (text === undefined) throw new RowError('INVALID_FIELD', name);
  return text;
}

function wholeIn(fields: Fields, name: string): number | undefined {
  const value = numberIn(fields, name, NUMBER_MAX);
  if (value !== undefined && !Number.isInteger(value)) throw new RowError('INVALID_FIELD', name);
  return value;
}

function booleanIn(fields: Fields, name: string): boolean {
  const value = fields[name] ?? false;
  if (typeof value !== 'boolean') throw new RowError('INVALID_FIELD', name);
  return value;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function listIn(fields: Fields, name: string): readonly Fields[] {
  const value = fields[name] ?? [];
  if (!Array.isArray(value)) throw new RowError('INVALID_FIELD', name);
  const wrong = value.findIndex((each) => !isFields(each));
  if (wrong >= 0) throw new RowError('INVALID_FIELD', `${name}.${wrong}`);
  return value as Fields[];
}

/** The fields of errors in it are named from here. */
function within<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
    throw new RowError(error.reason, error.field === null ? path : `${path}.${error.field}`);
  }
}
