/** Referring to assets: what a document refers to is not deleted, as long as its domain says so (`AssetUses`). */
import type { ClientSession, Db } from 'mongodb';
import { InputError } from '../../../shared/errors.js';
import { assetFiles, UNUSED_KEPT_MS } from './asset.js';

/**
 * Call in the transaction of a write that begins to refer to assets. From then on they are not deleted for a day, and not while a
 * document refers to them. May be repeated.
 * @param field the input that names the assets, for the error
 * @throws InputError one of them does not exist; the transaction must not be committed
 */
export async function claimAssets(
  db: Db,
  session: ClientSession,
  ids: readonly string[],
  { field, now }: { readonly field: string; readonly now: Date },
): Promise<void> {
  const distinct = [...new Set(ids)];
  if (distinct.length === 0) return;
  const { matchedCount } = await assetFiles(db).updateMany(
    // Guard: it is stored and not being removed. The removal repeats `used_at` in its filter, so of a claim and a removal at the same
    // time only one succeeds.
    claimable(distinct),
    { $set: { 'metadata.used_at': now, 'metadata.check_at': new Date(now.getTime() + UNUSED_KEPT_MS) } },
    { session },
  );
  if (matchedCount < distinct.length) throw noSuchAssets(field);
}

/** What names assets that do not exist, or not for the caller. */
export const noSuchAssets = (field: string): InputError => new InputError(field, 'must name stored pictures');

/** Which of these distinct assets could be claimed in the transaction. */
export const findStored = (db: Db, session: ClientSession, ids: readonly string[]): Promise<string[]> =>
  assetFiles(db)
    .find(claimable(ids), { session, projection: { _id: 1 } })
    .map(({ _id }) => _id)
    .toArray();

const claimable = (ids: readonly string[]) => ({
  _id: { $in: [...ids] },
  'metadata.state': 'STORED' as const,
  'metadata.of': { $exists: false },
});

/**
 * Call after a document has ceased to refer to assets, or in the transaction of that write, so that they are checked soon. Without it,
 * they are found within a week.
 */
export async function releaseAssets(db: Db, ids: readonly string[], now: Date, session?: ClientSession): Promise<void> {
  if (ids.length === 0) return;
  await assetFiles(db).updateMany(
    claimable([...new Set(ids)]),
    { $set: { 'metadata.check_at': now } }, // only brings the check forward: whether they are used is asked then
    session ? { session } : {},
  );
}
