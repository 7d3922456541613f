/**
 * Erasing what deleted accounts leave. The transaction that deletes an account notes it here. A recovery worker then lets every domain
 * erase what it has of the account (`personal-data.ts` of each), again and again, and removes the note last: a worker that dies is
 * continued by the next run. A write that began before the deletion may end after it, so the search goes on for a while.
 */
import type { ClientSession, Db } from 'mongodb';
import { defineCollection } from '../../database/index.js';
import { failpoint } from '../../shared/failpoint.js';
import { MINUTE_MS } from '../../shared/time.js';
import type { CommentHost } from '../commentable.js';
import type { PersonalDataOfDomain } from '../personal-data.js';

interface ErasureDocument {
  /** The account. */
  _id: string;
  requested_at: Date;
}

export const erasures = defineCollection<ErasureDocument>('people.erasures');

/** Longer than any request that had read the account before it was deleted. */
export const SEARCHED_MS = 10 * MINUTE_MS;

/** Call it in the transaction that deletes the account. What users of an external issuer leave may be erased again. */
export async function noteErasure(db: Db, session: ClientSession, accountId: string, now: Date): Promise<void> {
  const begun = { $set: { requested_at: now } };
  await erasures(db).updateOne({ _id: accountId }, begun, { session, upsert: true }); // guard: the search begins again with the latest call
}

/**
 * Safe in any number of processes at once.
 * @returns how many items of deleted accounts were erased or must be waited for
 * @throws AggregateError some failed; the others were done
 */
export async function eraseDeleted(
  db: Db,
  personalData: readonly Pick<PersonalDataOfDomain, 'erase'>[],
  now: Date,
  commentHosts: readonly CommentHost[] = [],
): Promise<number> {
  let count = 0;
  const errors: unknown[] = [];
  const noted = erasures(db)
    .find({ _id: { $gt: '' } })
    .sort({ _id: 1 });
  for await (const erasure of noted)
    try {
      count += await eraseOne(db, personalData, erasure, now, commentHosts);
    } catch (error) {
      errors.push(error);
    }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} deleted accounts could not be erased`);
  return count;
}

async function eraseOne(
  db: Db,
  personalData: readonly Pick<PersonalDataOfDomain, 'erase'>[],
  { _id, requested_at }: ErasureDocument,
  now: Date,
  commentHosts: readonly CommentHost[],
): Promise<number> {
  let left = 0;
  for (const domain of personalData) {
    left += (await domain.erase?.(db, _id, now, commentHosts)) ?? 0;
    failpoint('erasure.domain-erased');
  }
  if (left > 0 || requested_at.getTime() + SEARCHED_MS > now.getTime()) return left;
  await erasures(db).deleteOne({ _id, requested_at }); // guard: it was not asked for again
  failpoint('erasure.ended');
  return left;
}
