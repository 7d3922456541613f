/** The rows of a file with the prefix of their world, checked as those that editors save. */
import { InputError } from '../../../shared/errors.js';
import { requireFolk } from '../building/folk-saving.js';
import { requireItem } from '../building/item-saving.js';
import { requireLocation } from '../building/location-saving.js';
import { type RejectReason, RowError, type WorldRow } from './rows/world-row.js';

/** Between the prefix and a key. */
const SEPARATOR = ':';

/** @param prefix empty for none */
export function withPrefix(row: WorldRow, prefix: string): WorldRow {
  if (prefix === '') return row;
  const own = (key: string) => `${prefix}${SEPARATOR}${key}`;
  if (row.type === 'FOLK') return { ...row, location: own(row.location) };
  if (row.type === 'ITEM')
    return { ...row, key: own(row.key), place: 'key' in row.place ? { key: own(row.place.key) } : row.place };
  const exits = row.exits.map((exit) => ({ ...exit, needs: exit.needs && own(exit.needs), to: own(exit.to) }));
  return { ...row, key: own(row.key), exits };
}

/** Why a value is wrong, by the name of its field. Others are texts. */
const REASONS: Readonly<Record<string, RejectReason>> = {
  key: 'INVALID_KEY',
  to: 'INVALID_KEY',
  needs: 'INVALID_KEY',
  location: 'INVALID_KEY',
  bonus: 'INVALID_NUMBER',
  quantity: 'INVALID_NUMBER',
  weight: 'INVALID_NUMBER',
  price: 'INVALID_NUMBER',
  gold: 'INVALID_NUMBER',
  slots: 'INVALID_SLOTS',
  exits: 'INVALID_EXITS',
};

/** @throws RowError */
export function checkRow(row: WorldRow): void {
  try {
    if (row.type === 'LOCATION') requireLocation(row, 'row');
    else if (row.type === 'FOLK') requireFolk(row, 'row');
    else requireItem(itemInputOf(row), 'row');
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const path = String(error.details.field)
      .replace(/\[(\d+)\]/g, '.$1')
      .split('.')
      .slice(1);
    const name = path.findLast((part) => Number.isNaN(Number(part))) ?? '';
    const reason = row.type === 'FOLK' && name === 'name' ? 'INVALID_NAME' : (REASONS[name] ?? 'INVALID_TEXT');
    throw new RowError(reason, path.join('.'));
  }
}

/** As `saveItems` takes it. */
export const itemInputOf = ({ place, ...row }: Extract<WorldRow, { readonly type: 'ITEM' }>) => ({
  ...row,
  place: 'key' in place ? place.key : place,
});
