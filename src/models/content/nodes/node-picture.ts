/** How content uses assets: a node refers to its picture and to those in its text, and so does each of its versions. */
import type { ClientSession, Db } from 'mongodb';
import type { AssetUses } from '../../domain.js';
import { findAssets } from '../../system/assets/asset.js';
import { claimAssets, noSuchAssets } from '../../system/assets/asset-claim.js';
import { filterUsed } from '../../system/assets/asset-use.js';
import { type NodeDocument, nodes } from './node.js';
import { versions } from './node-version.js';
import { isPictureSeen } from './picture-rights.js';
import { sightOfWriter, type Writer } from './rights.js';

/**
 * Claims the assets that a write adds to a node, in its transaction, before it stores its version.
 * @param prefix of the fields' names in errors @throws InputError one does not exist, or the writer may not see it
 */
export async function claimPictures(
  db: Db,
  session: ClientSession,
  before: Pick<NodeDocument, 'asset_ids'> | null,
  { asset_ids, detail }: Pick<NodeDocument, 'asset_ids' | 'detail'>,
  writer: Writer,
  { prefix, now }: { readonly prefix: 'input' | 'changes'; readonly now: Date },
): Promise<void> {
  const known = new Set(before?.asset_ids);
  const added = asset_ids.filter((id) => !known.has(id));
  const inText = added.filter((id) => id !== detail.asset_id);
  const claim = async (ids: readonly string[], name: string) => {
    const field = `${prefix}.${name}`;
    await requireSeen(db, session, ids, writer, field);
    await claimAssets(db, session, ids, { field, now });
  };
  if (inText.length < added.length) await claim([detail.asset_id ?? ''], 'imageId');
  await claim(inText, 'text');
}

/** @throws InputError as for one that does not exist, so that nobody learns which ones do */
async function requireSeen(
  db: Db,
  session: ClientSession,
  ids: readonly string[],
  writer: Writer,
  field: string,
): Promise<void> {
  const sight = sightOfWriter(writer);
  if (sight === 'ALL' || ids.length === 0) return;
  const isPublicPicture = writer.isPublicPicture ?? (async () => false);
  // One after the other, because a transaction sends one command at a time. An author's own uploads need none.
  for (const asset of await findAssets(db, ids))
    if (!asset || !(await isPictureSeen(db, asset, sight, isPublicPicture, session))) throw noSuchAssets(field);
}

const ONLY_ID = { projection: { _id: 1 } } as const;

export const assetUses: AssetUses = {
  findUsed: (db, ids) =>
    filterUsed(
      ids,
      async (id) =>
        (await nodes(db).findOne({ asset_ids: id }, ONLY_ID)) ??
        (await versions(db).findOne({ asset_ids: id }, ONLY_ID)),
    ),
  // What is in the trash has no publication time.
  findPublic: (db, ids, now) =>
    filterUsed(ids, (id) => nodes(db).findOne({ asset_ids: id, published: { $lte: now } }, ONLY_ID)),
};
