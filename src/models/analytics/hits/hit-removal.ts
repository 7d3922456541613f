/** Removes hit documents that are empty after hits were undone. */
import type { ClientSession, Db } from 'mongodb';
import { deleteInTransaction, isSharded } from '../../../database/index.js';
import { dailyHits, type Hit, hitFilter, monthlyHits } from './hit.js';

/**
 * Removes the hits' documents whose counters are all 0, in the transaction that undid the hits. That transaction has written to all of
 * them, so a concurrent hit conflicts with it.
 */
export async function removeEmptyHits(db: Db, hits: readonly Hit[], session: ClientSession): Promise<void> {
  const days = new Map(hits.map((hit) => hitFilter('DAY', hit)).map((filter) => [filter._id, filter]));
  const months = new Map(hits.map((hit) => hitFilter('MONTH', hit)).map((filter) => [filter._id, filter]));
  const leftDays = await dailyHits(db)
    .find({ _id: { $in: [...days.keys()] } }, { projection: { hourly: 1 }, session })
    .toArray();
  const leftMonths = await monthlyHits(db)
    .find({ _id: { $in: [...months.keys()] } }, { projection: { daily: 1 }, session })
    .toArray();
  const sharded = await isSharded(db.client);
  const deletion = (filter: { readonly _id: string } | undefined) =>
    filter ? [{ q: sharded ? filter : { _id: filter._id }, limit: 1 as const }] : [];
  const emptyDays = leftDays.filter(({ hourly }) => isEmpty(hourly)).flatMap(({ _id }) => deletion(days.get(_id)));
  const emptyMonths = leftMonths.filter(({ daily }) => isEmpty(daily)).flatMap(({ _id }) => deletion(months.get(_id)));
  await deleteInTransaction(db, dailyHits.collectionName, emptyDays, session);
  await deleteInTransaction(db, monthlyHits.collectionName, emptyMonths, session);
}

const isEmpty = (counters: Readonly<Record<string, number>> = {}): boolean =>
  Object.values(counters).every((count) => count === 0);
