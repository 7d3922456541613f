/**
 * Imports of worlds: background work that stores the locations, folk and items of an uploaded file.
 *
 * A row may refer to one that comes later. So the file is read several times: for the places that are new, for the locations with their
 * exits, for folk, and for items, which is repeated for those inside of something that came later. Rows are saved by key, and saving one
 * again changes nothing, so a batch that a crash has interrupted is simply saved again; what it had begun is finished first.
 */

import type { Readable } from 'node:stream';
import type { Db } from 'mongodb';
import { commitConcernOf, inTransaction } from '../../../database/index.js';
import { InputError } from '../../../shared/errors.js';
import type { Refusal } from '../../../shared/outcome.js';
import type { WorkKindDeclaration } from '../../domain.js';
import { type Act, recordAct } from '../../people/audit.js';
import { storeRowsFile } from '../../system/work/rows/import-upload.js';
import { startWork } from '../../system/work/work-start.js';
import type { WorkDocument } from '../../work.js';
import { finishBegun } from './begun-items.js';
import { isDone, runPass, type WorldImportInput } from './import-pass.js';
import { rejectReasons } from './rows/world-row.js';
import { FOREIGN_BYTES_MAX, type WorldFormat } from './source-rows.js';

export interface WorldImportServices {
  readonly rooms: { readonly changed: (room: string) => void };
}

export const worldImport: WorkKindDeclaration<WorldImportServices> = {
  name: 'world-import',
  type: 'DataImport',
  rejectReasons,

  async run(held, { rooms }) {
    await finishBegun(held);
    while (!isDone(held)) await runPass(held, rooms.changed);
  },
};

export interface WorldUpload {
  /** Identifies the call, and becomes the id of the work. */
  readonly id: string;
  /** For display. */
  readonly fileName: string;
  readonly bytes: () => Readable; // plain or gzip
  readonly format: WorldFormat;
  readonly prefix?: string | null | undefined;
  /** Null for a command. */
  readonly owner: string | null;
  /** Of the unpacked file. Default: 1 GiB. Of other formats, never more than 16 MiB. */
  readonly bytesMax?: number;
}

const PREFIX = /^[\p{L}\p{N}]{1,20}$/u;

/**
 * Stores the file, unpacked, and starts its import, with an entry in the audit trail.
 * @throws InputError
 * @throws LimitError the file is too large, or the owner has too much work that has not ended
 * @throws the stream's error, with nothing kept
 */
export async function startWorldImport(
  db: Db,
  act: Act,
  { id, fileName, bytes, format, prefix: given, owner, bytesMax }: WorldUpload,
): Promise<WorkDocument | Refusal<'ImportFileRefused'>> {
  const prefix = given ?? '';
  if (prefix !== '' && !PREFIX.test(prefix))
    throw new InputError('input.prefix', 'must have 1 to 20 letters and digits');
  const isForeign = format !== 'JSON_LINES';
  const max = isForeign ? Math.min(bytesMax ?? FOREIGN_BYTES_MAX, FOREIGN_BYTES_MAX) : bytesMax;
  const stored = await storeRowsFile(db, { id, bytes, format: 'JSON_LINES', bytesMax: max }, act.at);
  if (typeof stored !== 'number') return stored;
  const input: WorldImportInput = { format, prefix };
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const file = { name: fileName, bytes: stored };
    const work = await startWork(db, { id, kind: worldImport, owner, input, file }, act.at, session);
    await recordAct(db, session, act, { action: 'WORLD_IMPORTED', subject: fileName, detail: prefix });
    return work;
  });
  return value;
}
