/** Lists that are read newest first, a page at a time: by a moment and, within it, by `_id`, so that the order is total. */
import type { Filter } from 'mongodb';
import { type Connection, decodePosition, encodePosition, type PageInput, toConnection } from '../shared/connection.js';

export interface NewestFirst<T> {
  /** Names the list with its filter: a cursor is good for no other. */
  readonly list: string;
  /** The field of the moment. */
  readonly moment: keyof T & string;
  readonly filter: Filter<T>;
  /** At most `limit` documents that match, sorted by the moment and `_id`, both descending. */
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

/** `$lte` bounds the index, and the alternatives leave out what the page before has shown of that moment. */
function olderThan<T>([ms, id]: [ms: number, id: string], moment: string, filter: Filter<T>): Filter<T> {
  const at = new Date(ms);
  const bounds: object | undefined = Reflect.get(filter, moment);
  return {
    [moment]: { ...bounds, $lte: at },
    $or: [{ [moment]: { $lt: at } }, { [moment]: at, _id: { $lt: id } }],
  } as Filter<T>;
}
