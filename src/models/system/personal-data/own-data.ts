/** What the system itself stores about an account, and what becomes of it. */
import type { Db, Filter } from 'mongodb';
import { idempotency } from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import { changeMatching, type ErasureRule, type PersonalData, type PersonalRow, rowsIn } from '../../personal-data.js';
import type { WorkDocument } from '../../work.js';
import { type AssetDocument, assetFiles } from '../assets/asset.js';
import { backgroundWork } from '../work/background-work.js';
import { workRejects } from '../work/data-import.js';
import { workParts } from '../work/work-file.js';
import { removeEndedWork } from '../work/work-removal.js';

const files = {
  'pictures.jsonl': 'Pictures that you have uploaded. The pictures themselves are in the folder `pictures`',
  'background-work.jsonl': 'Imports, exports and other work that you have started in the last 30 days',
} as const;

const findOwnAssets = (db: Db, accountId: string) =>
  assetFiles(db)
    .find({ 'metadata.owner_id': accountId })
    .sort({ 'metadata.owner_id': 1, _id: 1 })
    .map((file) => file as AssetDocument);

async function* rows(db: Db, accountId: string): AsyncGenerator<PersonalRow, undefined> {
  yield* rowsIn('pictures.jsonl', findOwnAssets(db, accountId), ({ _id, filename, length, uploadDate, metadata }) => ({
    id: _id,
    name: filename,
    bytes: length,
    type: metadata.content_type,
    width: metadata.width,
    height: metadata.height,
    uploaded_at: uploadDate,
  }));
  const work = backgroundWork(db).find({ owner: accountId }).sort({ owner: 1, created_at: -1, _id: -1 });
  yield* rowsIn('background-work.jsonl', work, (each) => ({
    id: each._id,
    kind: each.kind,
    state: each.state,
    file_name: each.file_name,
    bytes: each.bytes,
    done: each.done,
    created_at: each.created_at,
    finished_at: each.finished_at,
    failure: each.failure,
  }));
}

async function* assets(db: Db, accountId: string): AsyncGenerator<string, undefined> {
  for await (const { _id } of findOwnAssets(db, accountId)) yield _id;
}

const ENDED = ['FINISHED', 'FAILED', 'UNDONE'] as const;

/** Work that has not ended is waited for: what it stores has its owner. */
async function erase(db: Db, accountId: string): Promise<number> {
  const nobody = { $set: { 'metadata.owner_id': '' } } as object;
  let changed = await changeMatching(assetFiles(db), { 'metadata.owner_id': accountId } as object, nobody);
  failpoint('erasure.assets-anonymized');
  for (const state of ENDED) {
    const ended: Filter<WorkDocument> = { owner: accountId, state };
    for await (const { _id } of backgroundWork(db).find({ ...ended, download_key: { $exists: true } })) {
      await removeEndedWork(db, _id);
      failpoint('erasure.export-removed');
      changed += 1;
    }
    changed += await changeMatching(
      backgroundWork(db),
      { ...ended, download_key: { $exists: false } },
      { $set: { owner: null } },
    );
    failpoint('erasure.work-anonymized');
  }
  const isLeft = await backgroundWork(db).findOne({ owner: accountId }, { projection: { _id: 1 } });
  return isLeft ? changed + 1 : changed;
}

const erasure: readonly ErasureRule[] = [
  {
    data: 'Pictures',
    collections: [assetFiles],
    becomes: 'ANONYMIZED',
    reason:
      'Content and products show them. Who uploaded them is removed, and what nothing shows is deleted within a week',
  },
  {
    data: 'Exports, and their files',
    collections: [workParts],
    becomes: 'ERASED',
    reason: 'Nobody else may download them',
  },
  {
    data: 'Imports and other background work',
    collections: [backgroundWork, workRejects],
    becomes: 'ANONYMIZED',
    reason:
      'Administrators may have to undo them. Who started them is removed. They are deleted 30 days after their end',
  },
  {
    data: 'Answers to calls with an idempotency key',
    collections: [idempotency],
    becomes: 'ERASED',
    reason:
      'They end by themselves, after a day by default. Keys and callers are stored as hashes only; the ids of what was made, as of a post, may contain that of the account',
  },
];

export const personalData: PersonalData = { files, rows, assets, erase, erasure };
