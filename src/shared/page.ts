/**
 * Paginated lists (Relay connections). A cursor holds the position of its edge in the list's order, so a page does not shift when
 * something is added before it. It has a checksum but is not secret: it grants no access that the list does not grant.
 */
import { hash } from 'node:crypto';
import { CursorError, InputError, LimitError } from './errors.js';

export interface Connection<T> {
  readonly edges: readonly { readonly cursor: string; readonly node: T }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** A page of an empty list. */
export const NO_CONNECTION: Connection<never> = { edges: [], pageInfo: { hasNextPage: false, endCursor: null } };

/** The arguments of a page. */
export interface PageInput {
  readonly first: number;
  /** The cursor of the last edge seen. */
  readonly after?: string | null | undefined;
}

/** @throws InputError `first` is below 1 @throws LimitError it is over `max` */
export function requireFirst(first: number, max: number): number {
  if (first < 1) throw new InputError('first', 'must be at least 1');
  if (first > max) throw new LimitError(`first must be at most ${max}`, max);
  return first;
}

/** @param found up to one more than `first`: the extra one only indicates that there is more */
export function toConnection<T>(found: readonly T[], first: number, cursorOf: (node: T) => string): Connection<T> {
  const edges = found.slice(0, first).map((node) => ({ cursor: cursorOf(node), node }));
  return { edges, pageInfo: { hasNextPage: found.length > first, endCursor: edges.at(-1)?.cursor ?? null } };
}

/** The same page, with other nodes. */
export const mapConnection = <From, To>(
  { edges, pageInfo }: Connection<From>,
  toNode: (node: From) => To,
): Connection<To> => ({ edges: edges.map(({ cursor, node }) => ({ cursor, node: toNode(node) })), pageInfo });

type Part = string | number;
const CHECK_LENGTH = 8; // bytes; against damage and mix-ups, not against forgers
const CURSOR_LENGTH_MAX = 4096;

/** @param list identifies the list and its filter: the cursor is valid only for them */
export function encodePosition(list: string, position: readonly Part[]): string {
  const text = JSON.stringify(position);
  return Buffer.concat([check(list, text), Buffer.from(text, 'utf8')]).toString('base64url');
}

/**
 * @param kinds the type of each part of the position
 * @throws CursorError the cursor is damaged, or of another list
 */
export function decodePosition(list: string, cursor: string, kinds: readonly ('string' | 'number')[]): readonly Part[] {
  const bytes = Buffer.from(cursor.slice(0, CURSOR_LENGTH_MAX), 'base64url');
  const text = bytes.subarray(CHECK_LENGTH).toString('utf8');
  if (bytes.toString('base64url') !== cursor || !check(list, text).equals(bytes.subarray(0, CHECK_LENGTH))) {
    throw new CursorError();
  }
  const position = JSON.parse(text) as unknown;
  const fits = Array.isArray(position) && position.length === kinds.length;
  if (!fits || !kinds.every((kind, at) => typeof position[at] === kind)) throw new CursorError();
  return position as Part[];
}

const check = (list: string, text: string): Buffer =>
  hash('sha256', `${list}\0${text}`, 'buffer').subarray(0, CHECK_LENGTH); // synchronous: a page has one per edge
