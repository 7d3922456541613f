/** Recording hits. The API and the beacon make the same calls. */
import type { Db } from 'mongodb';
import { type Durability, isOutcomeUnknown, noteWrite } from '../../../database/index.js';
import { allRejected, checkEach, type RejectedItem } from '../../../shared/bulk-items.js';
import { LimitError, SextantError } from '../../../shared/errors.js';
import { noteSites } from '../sites/site.js';
import { type Hit, type HitInput, requireHit } from './hit.js';
import type { HitRecorder } from './hit-recorder.js';

/** Where hits are recorded. */
export interface HitDestination {
  /** The caller's handle, on which the write is noted for `extensions.writtenAt`. */
  readonly db: Db;
  /** The process's group commit. */
  readonly hits: HitRecorder;
}

/** How hits are recorded. */
export interface HitWrite {
  readonly durability: Durability;
  readonly now: Date;
}

export interface HitsStored {
  /** For FIRE_AND_FORGET: the number accepted. */
  readonly recorded: number;
  readonly documentsTouched: number;
  readonly rejected: readonly RejectedItem[];
}

const HITS_MAX = 10_000;

/**
 * Records one hit. Not idempotent: a retry counts it again.
 * @param hit validated by `requireHit`
 * @throws BusyError and UnavailableError as `HitRecorder.record`, and the database's error when it rejected the hit
 */
export async function recordHit(destination: HitDestination, hit: Hit, write: HitWrite): Promise<HitsStored> {
  const { recorded, documentsTouched } = await record(destination, [hit], write);
  return { recorded, documentsTouched, rejected: [] };
}

/**
 * Records hits independently of each other: an invalid or rejected hit does not affect the others. Not idempotent.
 * @throws LimitError more than 10,000 hits @throws the database's error when it stored none of them
 */
export async function recordHits(
  destination: HitDestination,
  inputs: readonly HitInput[],
  write: HitWrite,
): Promise<HitsStored> {
  if (inputs.length > HITS_MAX) throw new LimitError(`${inputs.length} hits are too many for one request`, HITS_MAX);
  const checked = checkEach(inputs, (hit, index) => requireHit(`hits.${index}`, hit, write.now));
  const { recorded, documentsTouched, failed } = await record(destination, checked.accepted, write);
  const rejected = failed.map(({ index, error }) => rejectionOf(index, error));
  return { recorded, documentsTouched, rejected: allRejected(checked, rejected) };
}

/** Records hits, and stores their sites if they are new. @throws the database's error when it stored none of the hits */
async function record({ db, hits: recorder }: HitDestination, hits: readonly Hit[], { durability, now }: HitWrite) {
  const sites = hits.map(({ site }) => site);
  const { writtenAt, ...result } = await recorder.record(hits, durability, () => noteSites(db, sites, now));
  if (result.recorded === 0 && result.failed[0]) {
    const unknown = result.failed.find(({ error }) => isOutcomeUnknown(error)); // one is enough: the whole call must not be retried
    throw (unknown ?? result.failed[0]).error;
  }
  noteWrite(db, writtenAt); // the group's transaction is not part of this operation
  return result;
}

function rejectionOf(index: number, error: unknown): RejectedItem {
  if (error instanceof SextantError) return { index, code: error.code, message: error.message };
  return { index, code: 'INTERNAL_SERVER_ERROR', message: 'The database did not store this hit' };
}
