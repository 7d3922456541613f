/** Work that an administrator starts again from time to time. Its id is the next number of its kind, or of its series, so that two who start it at once start it once. */
import { createHash } from 'node:crypto';
import type { ClientSession, Db } from 'mongodb';
import { commitConcernOf, inTransaction, isDuplicateKey } from '../../../database/index.js';
import { type Act, recordAct } from '../../people/audit.js';
import type { WorkDocument } from '../../work.js';
import { backgroundWork } from './background-work.js';
import { type NewWork, startWork } from './work-start.js';

const NUMBER_DIGITS = 6; // fixed width, so that ids sort like numbers

/** A hash: the id of an account of an external issuer may be long, or not fit into an address. */
const SERIES_DIGITS = 32;

/** The name of the series of works of a kind that are for the same account. */
export const seriesOf = (kind: string, account: string): string =>
  `${kind}.${createHash('sha256').update(account).digest('hex').slice(0, SERIES_DIGITS)}`;

/** The latest work of a kind, or of a series of it. Null if there is none: what ended 30 days ago is removed. */
export async function findLatestWork(db: Db, kind: string): Promise<WorkDocument | null> {
  const [latest] = await backgroundWork(db)
    .find({ _id: { $gte: `${kind}.`, $lt: `${kind}/` } }) // the slash follows the dot
    .sort({ _id: -1 })
    .limit(1)
    .toArray();
  return latest ?? null;
}

/**
 * Stores work that comes after the latest one of its kind, or of its series, and records the act in the same transaction.
 * @returns the work; that of somebody else who was quicker
 * @throws LimitError the owner has too much work that has not ended
 */
export async function startNumberedWork(
  db: Db,
  latest: WorkDocument | null,
  { series, ...work }: Pick<NewWork, 'kind' | 'owner' | 'input'> & { readonly series?: string },
  act: Act,
  audited: Pick<Parameters<typeof recordAct>[3], 'action' | 'subject' | 'detail'>,
): Promise<WorkDocument> {
  const id = nextWorkId(series ?? work.kind.name, latest);
  const start = async (session: ClientSession) => {
    const started = await startWork(db, { ...work, id }, act.at, session);
    await recordAct(db, session, act, audited);
    return started;
  };
  try {
    return (await inTransaction(db, commitConcernOf.MAJORITY, start)).value;
  } catch (error) {
    const other = isDuplicateKey(error) && (await backgroundWork(db).findOne({ _id: id })); // guard: `_id`
    if (other) return other;
    throw error;
  }
}

/** @param kind the name of a kind, or of a series of works of one kind */
export function nextWorkId(kind: string, latest: WorkDocument | null): string {
  const number = latest ? Number(latest._id.slice(kind.length + 1)) + 1 : 1;
  return `${kind}.${String(number).padStart(NUMBER_DIGITS, '0')}`;
}
