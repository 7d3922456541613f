/** The invariants of assets at rest. For tests and `sextant doctor`. */
import type { ClientSession, Db } from 'mongodb';
import { inSnapshotBatches, type Visited } from '../../../database/collections/snapshot-batches.js';
import { openClock } from '../../../database/index.js';
import type { Violation } from '../../domain.js';
import { type AssetDocument, assetChunks, assetFiles, isAsset, type ScaledFileDocument } from './asset.js';
import { STORING_ABANDONED_MS } from './asset-file.js';

export type AssetViolation = Omit<Violation, 'domain'>;
type FileDocument = AssetDocument | ScaledFileDocument;

/** A worker removes them after an hour; a second hour passes before that counts as a fault. */
const INTERRUPTED_MS_MAX = 2 * STORING_ABANDONED_MS;
const FILES_PER_SNAPSHOT = 200;

/** Reads all descriptions of files, and the index of their chunks. */
export async function* findAssetViolations(db: Db, visited: Visited): AsyncGenerator<AssetViolation> {
  const before = new Date((await openClock(db.client))().getTime() - INTERRUPTED_MS_MAX);
  for await (const { documents, session } of inSnapshotBatches(db, assetFiles(db), { visited })) {
    const files = documents as FileDocument[];
    yield* findIncomplete(db, files, session);
    yield* findUnlisted(db, files, session);
    yield* findInterrupted(files, before);
  }
  yield* findLooseChunks(db);
}

async function* findIncomplete(
  db: Db,
  files: readonly FileDocument[],
  session: ClientSession,
): AsyncGenerator<AssetViolation> {
  const stored = files.filter(({ metadata }) => metadata.state === 'STORED');
  const counted = await assetChunks(db)
    .aggregate<{ _id: string; count: number }>(
      [
        { $match: { files_id: { $in: stored.map(({ _id }) => _id) } } },
        { $group: { _id: '$files_id', count: { $sum: 1 } } },
      ],
      { session },
    )
    .toArray();
  const counts = new Map(counted.map(({ _id, count }) => [_id, count]));
  for (const { _id: subject, length, chunkSize } of stored) {
    const [expected, found] = [Math.ceil(length / chunkSize), counts.get(subject) ?? 0];
    if (found !== expected) yield { invariant: 'stored-file-has-all-chunks', subject, expected, found };
  }
}

/** A stored scaled picture is listed by its asset, and an asset lists only stored ones. */
async function* findUnlisted(
  db: Db,
  files: readonly FileDocument[],
  session: ClientSession,
): AsyncGenerator<AssetViolation> {
  const stored = files.filter(({ metadata }) => metadata.state === 'STORED');
  const listed = stored.filter(isAsset).flatMap(({ metadata }) => metadata.scaled.map(({ file }) => file));
  const scaled = stored.filter((file): file is ScaledFileDocument => !isAsset(file));
  const ids = [...listed, ...scaled.map(({ metadata }) => metadata.of)];
  if (ids.length === 0) return;
  const related = await assetFiles(db)
    .find({ _id: { $in: ids } }, { session })
    .toArray();
  const byId = new Map(related.map((file) => [file._id, file as FileDocument]));
  for (const subject of listed)
    if (byId.get(subject)?.metadata.state !== 'STORED')
      yield { invariant: 'listed-scaled-picture-is-stored', subject, expected: 1, found: 0 };
  for (const { _id: subject, metadata } of scaled) {
    const asset = byId.get(metadata.of);
    const found = asset && isAsset(asset) ? asset.metadata.scaled.filter(({ file }) => file === subject).length : 0;
    if (found !== 1) yield { invariant: 'scaled-picture-is-listed-once', subject, expected: 1, found };
  }
}

function* findInterrupted(files: readonly FileDocument[], before: Date): Generator<AssetViolation> {
  for (const { _id: subject, metadata } of files)
    if (metadata.state !== 'STORED' && (metadata.check_at ?? before) < before)
      yield { invariant: 'interrupted-file-is-removed', subject, expected: 0, found: 1 };
}

async function* findLooseChunks(db: Db): AsyncGenerator<AssetViolation> {
  for (let after: string | null = ''; after !== null; ) {
    const session = db.client.startSession({ snapshot: true });
    try {
      const found: readonly { id: string; hasFile: boolean }[] = await nextWithChunks(db, after, session);
      for (const { id: subject, hasFile } of found)
        if (!hasFile) yield { invariant: 'chunk-belongs-to-file', subject, expected: 1, found: 0 };
      after = found.length === FILES_PER_SNAPSHOT ? (found.at(-1)?.id ?? null) : null;
    } finally {
      await session.endSession();
    }
  }
}

/** The next files that have chunks, in the order of their ids, and whether their descriptions exist at the same time. */
async function nextWithChunks(
  db: Db,
  after: string,
  session: ClientSession,
): Promise<{ id: string; hasFile: boolean }[]> {
  const ids: string[] = [];
  for (let last = after; ids.length < FILES_PER_SNAPSHOT; ) {
    const next = await findNextChunk(db, last, session);
    if (!next) break;
    last = next;
    ids.push(next);
  }
  const files = await assetFiles(db)
    .find({ _id: { $in: ids } }, { session, projection: { _id: 1 } })
    .toArray();
  const known = new Set(files.map(({ _id }) => _id));
  return ids.map((id) => ({ id, hasFile: known.has(id) }));
}

/** The file of the first chunk after those of this file. */
export async function findNextChunk(db: Db, after: string, session?: ClientSession): Promise<string | null> {
  const options = { projection: { _id: 0, files_id: 1 }, ...(session && { session }) };
  const [chunk] = await assetChunks(db)
    .find({ files_id: { $gt: after } }, options)
    .sort({ files_id: 1, n: 1 })
    .limit(1)
    .toArray();
  return chunk?.files_id ?? null;
}
