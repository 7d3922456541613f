/** Storing a picture of an import: one step, in which the picture is stored whole or not at all. */
import { BusyError, LimitError } from '../../../shared/errors.js';
import { findAsset } from '../../system/assets/asset.js';
import {
  type AssetCopy,
  type AssetIdTaken,
  holdCopy,
  type PictureCheck,
  withCopy,
} from '../../system/assets/asset-copy.js';
import { recordRows } from '../../system/work/data-import.js';
import type { HeldWork } from '../../work.js';
import { RowError } from './import-row.js';
import type { PictureSource } from './picture-source.js';
import type { ReadRow } from './read-row.js';

export interface PictureServices {
  readonly pictureCheck: PictureCheck;
}

/** Stores a picture that is not stored here. @throws as `HeldWork.step` @throws BusyError too many pictures are waiting */
export async function storePictureRow(
  held: HeldWork,
  services: PictureServices,
  { line, raw, position: { rows } }: Omit<ReadRow, 'row'>,
  source: PictureSource,
): Promise<void> {
  try {
    await storeCopy(held, services, source);
  } catch (error) {
    const rejected = rowErrorOf(error);
    if (rejected === null) throw error;
    await source.skip();
    const { reason, field } = rejected;
    const rejects = [{ row: rows, line, reason, field, raw }];
    await recordRows(held, async () => ({ position: source.position, imported: 0, rejects }));
  }
}

function rowErrorOf(error: unknown): RowError | null {
  if (error instanceof RowError) return error;
  return error instanceof LimitError ? new RowError('PICTURE_TOO_LARGE', 'data') : null;
}

async function storeCopy(held: HeldWork, { pictureCheck }: PictureServices, source: PictureSource): Promise<void> {
  const { row } = source;
  const now = held.now();
  if (row.at && row.at > now) throw new RowError('IN_THE_FUTURE', 'at');
  const copy: AssetCopy = {
    id: row.picture,
    name: row.name,
    sha256: row.sha256,
    uploadedAt: row.at ?? now,
    ownerId: held.work.owner ?? '',
  };
  if (await findAsset(held.db, copy.id)) return keepPresent(held, source, copy);
  const outcome = await withCopy(held.db, copy, source.bytes(), pictureCheck, now, (write) =>
    recordRows(held, async (session) => {
      const isNew = requireOwn(await write(session)) === 'STORED';
      return { position: source.position, imported: isNew ? 1 : 0, skipped: isNew ? 0 : 1, rejects: [] };
    }),
  );
  if (outcome) throw new RowError(outcome.__typename === 'CopyDamaged' ? 'DAMAGED_PICTURE' : 'NO_PICTURE', 'data');
}

async function keepPresent(held: HeldWork, source: PictureSource, copy: AssetCopy): Promise<void> {
  await source.skip();
  await recordRows(held, async (session) => {
    const outcome = await holdCopy(held.db, session, copy, held.now());
    if (outcome === null) throw new BusyError('The picture was removed in the meantime');
    requireOwn(outcome);
    return { position: source.position, imported: 0, skipped: 1, rejects: [] };
  });
}

/** @throws RowError, by which the step writes nothing */
function requireOwn(outcome: 'STORED' | 'PRESENT' | AssetIdTaken): 'STORED' | 'PRESENT' {
  if (typeof outcome !== 'string') throw new RowError('PICTURE_TAKEN', 'picture');
  return outcome;
}
