/** Removing assets that no document refers to, and what interrupted uploads and removals left. */
import type { Db } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { WEEK_MS } from '../../../shared/time.js';
import type { AssetUses } from '../../domain.js';
import { type AssetDocument, assetChunks, assetFiles } from './asset.js';
import { discardFile, removeMarkedFile } from './asset-file.js';
import { findNextChunk } from './asset-invariants.js';

const AT_ONCE = 100;
/** A used asset is checked this often. */
const CHECKED_EVERY_MS = WEEK_MS;

/**
 * Removes assets that are due to be checked and not used. Handles at most AT_ONCE; may be repeated and run concurrently.
 * @param uses of all domains
 * @returns how many were checked
 */
export async function removeUnused(db: Db, uses: readonly AssetUses[], now: Date): Promise<number> {
  const due = (await assetFiles(db)
    .find({ 'metadata.state': 'STORED', 'metadata.check_at': { $lte: now } })
    .sort({ 'metadata.check_at': 1 })
    .limit(AT_ONCE)
    .toArray()) as AssetDocument[];
  if (due.length === 0) return 0;
  const ids = due.map(({ _id }) => _id);
  const used = new Set((await Promise.all(uses.map(({ findUsed }) => findUsed(db, ids)))).flat());
  for (const asset of due) {
    if (used.has(asset._id)) await checkLater(db, asset, now);
    else await removeAsset(db, asset, now);
    failpoint('assets.asset.checked');
  }
  return due.length;
}

async function checkLater(db: Db, { _id, metadata }: AssetDocument, now: Date): Promise<void> {
  await assetFiles(db).updateOne(
    { _id, 'metadata.state': 'STORED', 'metadata.check_at': metadata.check_at as Date }, // guard: nobody has asked for a check since
    { $set: { 'metadata.check_at': new Date(now.getTime() + CHECKED_EVERY_MS) } },
  );
}

async function removeAsset(db: Db, { _id, metadata }: AssetDocument, now: Date): Promise<void> {
  const marked = await assetFiles(db).findOneAndUpdate(
    // Guard: since before the domains were asked, no document has begun to refer to it (`claimAssets`).
    { _id, 'metadata.state': 'STORED', 'metadata.used_at': metadata.used_at },
    { $set: { 'metadata.state': 'REMOVING', 'metadata.check_at': now } },
    { returnDocument: 'after' },
  );
  failpoint('assets.asset.marked');
  if (marked) await finishRemoval(db, marked as AssetDocument);
}

/** Finishes the removal of an asset that has begun, so that its id is free. Does nothing to any other. */
export async function endRemoval(db: Db, id: string): Promise<void> {
  const marked = await assetFiles(db).findOne({ _id: id, 'metadata.state': 'REMOVING' });
  if (marked) await finishRemoval(db, marked as AssetDocument);
}

/** From here on the asset is invisible and nothing is added to it. Its own file comes last: it lists the scaled ones. */
async function finishRemoval(db: Db, { _id, metadata }: AssetDocument): Promise<void> {
  for (const { file } of metadata.scaled ?? []) {
    await assetFiles(db).updateOne({ _id: file }, { $set: { 'metadata.state': 'REMOVING' } });
    failpoint('assets.scaled.marked');
    await removeMarkedFile(db, file);
  }
  await removeMarkedFile(db, _id);
}

/**
 * Removes the remains of interrupted uploads, and finishes interrupted removals. Handles at most AT_ONCE of each; may be repeated and
 * run concurrently.
 * @param before files that are being stored since then or longer are given up
 * @returns how many there were
 */
export async function recoverAssets(db: Db, before: Date, now: Date): Promise<number> {
  const halves = await assetFiles(db)
    .find({ 'metadata.state': 'STORING', 'metadata.check_at': { $lte: before } }, { projection: { _id: 1 } })
    .limit(AT_ONCE)
    .toArray();
  for (const { _id } of halves) await discardFile(db, _id, now);
  const marked = (await assetFiles(db)
    .find({ 'metadata.state': 'REMOVING' })
    .limit(AT_ONCE)
    .toArray()) as AssetDocument[];
  for (const file of marked) await finishRemoval(db, file);
  return halves.length + marked.length;
}

/**
 * Removes chunks without a file. None is expected: a chunk would have to be written an hour after its upload was given up. Reads all
 * files' first chunks, so it runs once a day.
 * @returns how many files they were of
 */
export async function removeLooseChunks(db: Db): Promise<number> {
  let removed = 0;
  for (let after = ''; ; ) {
    const next = await findNextChunk(db, after);
    if (!next) return removed;
    after = next;
    if (await assetFiles(db).findOne({ _id: after }, { projection: { _id: 1 } })) continue;
    await assetChunks(db).deleteMany({ files_id: after }); // its file would be there: it is written before its chunks
    failpoint('assets.chunks.removed');
    removed += 1;
  }
}
