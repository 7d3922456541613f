/** Exports: background work that writes a file for download. The address of the file has a secret part that only its owner is told. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Db } from 'mongodb';
import type { WorkDocument } from '../../work.js';
import { backgroundWork } from './background-work.js';
import { FILE_KEPT_MS } from './work-file.js';

export const EXPORTS_PATH = '/exports';

const KEY_BYTES = 32;

export const makeDownloadKey = (): string => randomBytes(KEY_BYTES).toString('base64url');

/** When the file is deleted. Null while it is being written. */
export const expiryOf = ({ state, finished_at }: Pick<WorkDocument, 'state' | 'finished_at'>): Date | null =>
  state === 'FINISHED' && finished_at ? new Date(finished_at.getTime() + FILE_KEPT_MS) : null;

type Exported = Pick<WorkDocument, '_id' | 'state' | 'finished_at' | 'download_key'>;

const isThere = (work: Exported, now: Date): boolean => (expiryOf(work)?.getTime() ?? 0) > now.getTime();

/** The path of the file on this server. Null if it is not finished, or no longer there. */
export const pathOfExport = (work: Exported, now: Date): string | null =>
  work.download_key && isThere(work, now) ? `${EXPORTS_PATH}/${work._id}?key=${work.download_key}` : null;

/** @returns the export whose file may be downloaded with this key; otherwise null, as if it did not exist */
export async function findExport(db: Db, id: string, key: unknown, now: Date): Promise<WorkDocument | null> {
  const work = await backgroundWork(db).findOne({ _id: id });
  if (!work?.download_key || typeof key !== 'string' || !isThere(work, now)) return null;
  const [expected, given] = [Buffer.from(work.download_key), Buffer.from(key)];
  return expected.length === given.length && timingSafeEqual(expected, given) ? work : null;
}
