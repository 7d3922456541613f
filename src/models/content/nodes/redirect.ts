/**
 * Redirects: the parent and slug that a node had before a move. One holds until another node takes its place.
 * Invariant: a redirect's place is free, and its node exists.
 */
import type { ClientSession, Db } from 'mongodb';
import { defineCollection } from '../../../database/index.js';
import { findNode, type NodeDocument } from './node.js';

export interface RedirectDocument {
  /** `<parent's id>/<slug>`. */
  _id: string;
  node_id: string;
  at: Date;
}

export const redirects = defineCollection<RedirectDocument>('cms.redirects', [
  { key: { node_id: 1 } }, // removeRedirectsTo
]);

const placeOf = (parentId: string, slug: string): string => `${parentId}/${slug}`;

/** @returns the node that was there last */
export async function findRedirect(db: Db, parentId: string, slug: string): Promise<NodeDocument | null> {
  const redirect = await redirects(db).findOne({ _id: placeOf(parentId, slug) });
  return redirect && findNode(db, redirect.node_id);
}

type Place = Pick<NodeDocument, 'parent_id' | 'slug'>;

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

/** A node leaves a place. Call it in the same transaction. */
export async function leaveRedirect(
  db: Db,
  session: ClientSession,
  { parent_id, slug, _id }: Place & Pick<NodeDocument, '_id'>,
  at: Date,
): Promise<void> {
  const left = { node_id: _id, at };
  await redirects(db).updateOne({ _id: placeOf(parent_id, slug) }, { $set: left }, { upsert: true, session }); // the last one wins
}

/** @returns how many */
export async function removeRedirectsTo(db: Db, nodeId: string, session?: ClientSession): Promise<number> {
  const { deletedCount } = await redirects(db).deleteMany({ node_id: nodeId }, session ? { session } : {});
  return deletedCount;
}
