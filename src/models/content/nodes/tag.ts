/**
 * Tags, each with the number of published nodes that have it. The counters are written in the transaction that changes a node.
 * Invariant: a tag's `count` is the number of nodes in the state PUBLISHED that have it (`tag-repair.ts`).
 */
import type { ClientSession, Db } from 'mongodb';
import { beginningWith, defineCollection } from '../../../database/index.js';
import { InputError, LimitError } from '../../../shared/errors.js';
import { requireFirst } from '../../../shared/page.js';
import type { NodeDocument } from './node.js';

export interface TagDocument {
  /** The tag. */
  _id: string;
  /** In lower case, without accents. */
  key: string;
  count: number;
}

/** Unused tags are in none of the lists. They stay until the daily repair. */
const used = { count: { $gt: 0 } };

export const tags = defineCollection<TagDocument>('cms.tags', [
  { key: { count: -1, _id: 1 }, partialFilterExpression: used }, // findTags
  { key: { key: 1, _id: 1 }, partialFilterExpression: used }, // findTags with a prefix
]);

export const keyOfTag = (tag: string): string => tag.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

type Counted = Pick<NodeDocument, 'state' | 'tags'>;

const countedTags = (node: Counted | null): readonly string[] => (node?.state === 'PUBLISHED' ? node.tags : []);

/** A node before and after a write. Null if there is none. */
export interface CountedChange {
  readonly before: Counted | null;
  readonly after: Counted | null;
}

/** Call it in the transaction that replaces `before` by `after`. */
export async function moveTagCounts(db: Db, session: ClientSession, changes: readonly CountedChange[]): Promise<void> {
  const counts = new Map<string, number>();
  const add = (tag: string, by: number) => counts.set(tag, (counts.get(tag) ?? 0) + by);
  for (const { before, after } of changes) {
    for (const tag of countedTags(before)) add(tag, -1);
    for (const tag of countedTags(after)) add(tag, 1);
  }
  const steps = [...counts]
    .map(([tag, by]) => ({ tag, by }))
    .filter(({ by }) => by !== 0)
    .sort((one, other) => (one.tag < other.tag ? -1 : 1)); // in one order, so that two transactions meet at their first common tag
  if (steps.length === 0) return;
  const updates = steps.map(({ tag, by }) => ({
    // Guard: the transaction. The node's own write decides whether this counter moves.
    updateOne: {
      filter: { _id: tag },
      update: { $inc: { count: by }, $setOnInsert: { key: keyOfTag(tag) } },
      upsert: true,
    },
  }));
  await tags(db).bulkWrite(updates, { session });
}

const FIRST_MAX = 200;
const PREFIX_LENGTH_MAX = 50;

/** @throws InputError @throws LimitError */
export async function findTags(db: Db, prefix: string, first: number): Promise<TagDocument[]> {
  requireFirst(first, FIRST_MAX);
  if (prefix.length > PREFIX_LENGTH_MAX)
    throw new InputError('prefix', `must have at most ${PREFIX_LENGTH_MAX} characters`);
  const key = keyOfTag(prefix.trim());
  return key === ''
    ? tags(db).find(used).sort({ count: -1, _id: 1 }).limit(first).toArray()
    : tags(db)
        .find({ ...used, key: beginningWith(key) })
        .sort({ key: 1, _id: 1 })
        .limit(first)
        .toArray();
}

const SEARCHED_MAX = 5;

/** Sorted and distinct, so that a cursor does not depend on their order. @throws InputError @throws LimitError */
export function requireSearchedTags(field: string, searched: readonly string[]): string[] {
  const distinct = [...new Set(searched)].sort();
  if (distinct.length === 0) throw new InputError(field, 'must name at least one tag');
  if (distinct.length > SEARCHED_MAX) throw new LimitError(`At most ${SEARCHED_MAX} tags`, SEARCHED_MAX);
  return distinct;
}
