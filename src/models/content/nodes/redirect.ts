/**
 * Redirects: the parent and slug that a node had before a move, or before it was put into the trash. One holds until another node takes
 * its place. When its node is removed for good, it stays for a while as a mark that there was something (`closeRedirects`). An import may
 * bring such a node again, under the same id: then the closed redirect leads to it, as long as it is there.
 * Invariant: a redirect's node exists, unless the redirect is closed.
 */
import type { ClientSession, Db } from 'mongodb';
import { defineCollection } from '../../../database/index.js';
import { DAY_MS } from '../../../shared/time.js';
import { isGroup } from './group.js';
import { findNode, type NodeDocument } from './node.js';

export interface RedirectDocument {
  /** `<parent's id>/<slug>`. */
  _id: string;
  node_id: string;
  at: Date;
  /** Its node was removed for good; the place is remembered until then. */
  gone_until?: Date;
  /** Of a closed one: whether everybody could see its node. */
  was_public?: boolean;
  /** The import that stored it, unless that one is undone. */
  import?: string;
  /** Other imports that found it as they would have stored it, and are not undone. */
  found_by?: string[];
}

export const redirects = defineCollection<RedirectDocument>('cms.redirects', [
  { key: { node_id: 1 } }, // removeRedirectsTo, closeRedirects
  // MongoDB removes closed ones when their time has come.
  { key: { gone_until: 1 }, expireAfterSeconds: 0, partialFilterExpression: { gone_until: { $exists: true } } },
]);

/** From the deletion of the node on. Search engines and feed readers ask again within it. */
const GONE_MS = 365 * DAY_MS;

const placeOf = (parentId: string, slug: string): string => `${parentId}/${slug}`;

/** What was last at a place that is free now. */
export interface FormerNode {
  readonly id: string;
  /** Null if it was removed for good. */
  readonly node: NodeDocument | null;
  readonly wasPublic: boolean;
}

export async function findFormer(db: Db, parentId: string, slug: string): Promise<FormerNode | null> {
  const redirect = await redirects(db).findOne({ _id: placeOf(parentId, slug) });
  if (!redirect) return null;
  const { node_id: id, gone_until, was_public } = redirect;
  const node = await findNode(db, id);
  if (gone_until && (!node || node.trash)) return { id, node: null, wasPublic: was_public ?? false };
  return node && { id, node, wasPublic: node.was_public ?? false };
}

type Place = Pick<NodeDocument, 'parent_id' | 'slug'>;

/** Also a closed one, which keeps nobody out. */
export const findRedirectDocument = (db: Db, session: ClientSession, { parent_id, slug }: Place) =>
  redirects(db).findOne({ _id: placeOf(parent_id, slug) }, { session });

/** The redirects whose place is below a node, in the order of their slugs. @param after the slug of the last one before them */
export async function findRedirectsBelow(
  db: Db,
  parentId: string,
  after: string,
  limit: number,
): Promise<(RedirectDocument & { readonly slug: string })[]> {
  const found = await redirects(db)
    .find({ _id: { $gt: placeOf(parentId, after), $lt: `${parentId}0` } }) // the zero follows the slash
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
  return found.map((redirect) => ({ ...redirect, slug: redirect._id.slice(parentId.length + 1) }));
}

/** A node takes a place. Call it in the transaction that puts it there. */
export async function takePlace(db: Db, session: ClientSession, { parent_id, slug }: Place): Promise<void> {
  await redirects(db).deleteOne({ _id: placeOf(parent_id, slug) }, { session });
}

/** The same for many nodes. */
export async function takePlaces(db: Db, session: ClientSession, places: readonly Place[]): Promise<void> {
  const ids = places.map(({ parent_id, slug }) => placeOf(parent_id, slug));
  await redirects(db).deleteMany({ _id: { $in: ids } }, { session });
}

/** A node leaves a place. Call it in the same transaction. */
export async function leaveRedirect(
  db: Db,
  session: ClientSession,
  { parent_id, slug, _id }: Place & Pick<NodeDocument, '_id'>,
  at: Date,
  byImport?: string,
): Promise<void> {
  const left = { node_id: _id, at, ...(byImport !== undefined && { import: byImport }) };
  // The last one wins.
  await redirects(db).replaceOne({ _id: placeOf(parent_id, slug) }, left, { upsert: true, session });
}

/**
 * A node is being removed for good. Its places say for a year that it is gone, if everybody could see it; those of a group also lead on
 * to what was below it. Other redirects are removed. Safe to repeat.
 */
export async function closeRedirects(
  db: Db,
  { _id, type, trash, was_public }: Pick<NodeDocument, '_id' | 'type' | 'trash' | 'was_public'>,
): Promise<void> {
  if (!trash || !(was_public || isGroup(type))) {
    await removeRedirectsTo(db, _id);
    return;
  }
  const gone_until = new Date(trash.at.getTime() + GONE_MS);
  await redirects(db).updateMany({ node_id: _id }, { $set: { gone_until, was_public: was_public ?? false } });
}

export async function removeRedirectsTo(db: Db, nodeId: string, session?: ClientSession): Promise<void> {
  await redirects(db).deleteMany({ node_id: nodeId }, session ? { session } : {});
}
