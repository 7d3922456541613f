/** Paginated lists, newest first: by time and, within the same time, by `_id`, so that the order is total. */
import type { Filter } from 'mongodb';
import { type Connection, decodePosition, encodePosition, type PageInput, toConnection } from '../../shared/page.js';

export interface NewestFirst<T> {
  /** Identifies the list with its filter: a cursor is valid for no other. */
  readonly list: string;
  /** The date field. */
  readonly moment: keyof T & string;
  readonly filter: Filter<T>;
  /** At most `limit` matching documents, sorted by that field and `_id`, both descending. */
  readonly read: (filter: Filter<T>, limit: number) => Promise<T[]>;
}

/** @throws CursorError `after` is damaged, or of another list */
export async function findNewestFirst<T extends { readonly _id: string }>(
  { list, moment, filter, read }: NewestFirst<T>,
  { first, after }: PageInput,
): Promise<Connection<T>> {
  const position = after ? (decodePosition(list, after, ['number', 'string']) as [ms: number, id: string]) : null;
  const found = await read(position ? { ...filter, ...olderThan(position, moment, filter) } : filter, first + 1);
  return toConnection(found, first, (node) => encodePosition(list, [(node[moment] as Date).getTime(), node._id]));
}

/** `$lte` bounds the index scan, and the `$or` excludes documents of the same time that the previous page returned. */
export function olderThan<T>(
  [ms, id]: readonly [ms: number, id: string],
  moment: string,
  filter: Filter<T>,
): Filter<T> {
  const at = new Date(ms);
  const bounds: object | undefined = Reflect.get(filter, moment);
  return {
    [moment]: { ...bounds, $lte: at },
    $or: [{ [moment]: { $lt: at } }, { [moment]: at, _id: { $lt: id } }],
  } as Filter<T>;
}
