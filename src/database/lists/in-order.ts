/** Paginated lists in the order of a unique text field. */
import type { Collection, Document, Filter, Sort } from 'mongodb';
import { type Connection, decodePosition, encodePosition, type PageInput, toConnection } from '../../shared/page.js';
import { beginningWith } from './prefix.js';

export interface InOrder<T> {
  /** Identifies the list with its filter: a cursor is valid for no other. */
  readonly list: string;
  /** The text field. Its index must start with the fields of the filter. */
  readonly by: keyof T & string;
  /** Only texts with this prefix. Default: all. */
  readonly prefix?: string;
  /** Must not contain a condition on that field. */
  readonly filter: Filter<T>;
  /** The fields to read. Default: all. */
  readonly projection?: Document;
}

/** @throws CursorError `after` is damaged, or of another list */
export async function findInOrder<T extends object>(
  collection: Collection<T>,
  { list, by, prefix, filter, projection = {} }: InOrder<T>,
  { first, after }: PageInput,
): Promise<Connection<T>> {
  const [last] = after ? decodePosition(list, after, ['string']) : [''];
  const found = await collection
    .find({ ...filter, [by]: { $gt: String(last), ...(prefix && beginningWith(prefix)) } } as Filter<T>, {
      projection,
    })
    .sort({ [by]: 1 } as Sort)
    .limit(first + 1)
    .toArray();
  return toConnection(found as T[], first, (node) => encodePosition(list, [String(node[by])]));
}
