/** How content uses assets: a node refers to its picture and to those in its text, and so does each of its versions. */
import type { ClientSession, Db } from 'mongodb';
import type { AssetUses } from '../../domain.js';
import { claimAssets } from '../../system/assets/asset-claim.js';
import { type NodeDocument, nodes } from './node.js';
import { versions } from './node-version.js';

/** Claims the assets that a write adds to a node, in its transaction. @throws InputError one does not exist */
export async function claimPictures(
  db: Db,
  session: ClientSession,
  before: Pick<NodeDocument, 'asset_ids'> | null,
  { asset_ids, detail }: Pick<NodeDocument, 'asset_ids' | 'detail'>,
  now: Date,
): Promise<void> {
  const known = new Set(before?.asset_ids);
  const added = asset_ids.filter((id) => !known.has(id));
  const inText = added.filter((id) => id !== detail.asset_id);
  if (inText.length < added.length) await claimAssets(db, session, [detail.asset_id ?? ''], { field: 'imageId', now });
  await claimAssets(db, session, inText, { field: 'text', now });
}

/** One read for each id: a logo may be in thousands of nodes, of which one is enough. */
async function filterIds(ids: readonly string[], isUsed: (id: string) => Promise<unknown>): Promise<string[]> {
  const found = await Promise.all(ids.map(isUsed));
  return ids.filter((_id, index) => found[index] !== null);
}

const ONLY_ID = { projection: { _id: 1 } } as const;

export const assetUses: AssetUses = {
  findUsed: (db, ids) =>
    filterIds(
      ids,
      async (id) =>
        (await nodes(db).findOne({ asset_ids: id }, ONLY_ID)) ??
        (await versions(db).findOne({ asset_ids: id }, ONLY_ID)),
    ),
  // What is in the trash has no publication time.
  findPublic: (db, ids, now) =>
    filterIds(ids, (id) => nodes(db).findOne({ asset_ids: id, published: { $lte: now } }, ONLY_ID)),
};
