/** Lists of transfers, newest first. */
import type { Db } from 'mongodb';
import { findNewestFirst } from '../../../database/index.js';
import { type Connection, type PageInput, requireFirst } from '../../../shared/page.js';
import { readNote, type TransferDocument, transactions } from './transfer.js';

const FIRST_MAX = 100;

/** Transfers of all accounts. @throws LimitError `first` exceeds 100 @throws CursorError */
export async function findTransfers(db: Db, { first, after }: PageInput): Promise<Connection<TransferDocument>> {
  requireFirst(first, FIRST_MAX);
  return findNewestFirst({ list: 'transfers', moment: 'created_at', filter: {}, read: readFrom(db) }, { first, after });
}

/** Incoming and outgoing transfers of an account. @throws LimitError `first` exceeds 100 @throws CursorError */
export async function findTransfersOf(
  db: Db,
  account: string,
  { first, after }: PageInput,
): Promise<Connection<TransferDocument>> {
  requireFirst(first, FIRST_MAX);
  // Two lists, each on its own index, merged by date. A single `$or` query would be sorted in memory.
  const both = (filter: object, limit: number) =>
    Promise.all([readFrom(db)({ ...filter, from: account }, limit), readFrom(db)({ ...filter, to: account }, limit)]);
  return findNewestFirst<TransferDocument>(
    {
      list: `transfers/${account}`,
      moment: 'created_at',
      filter: {},
      read: async (filter, limit) => (await both(filter, limit)).flat().sort(byNewest).slice(0, limit),
    },
    { first, after },
  );
}

/** Excludes transfers that were refused or given up before they started. */
const readFrom = (db: Db) => (filter: object, limit: number) =>
  transactions(db)
    .find({ ...filter, run: { $gt: 0 } })
    .sort({ created_at: -1, _id: -1 })
    .limit(limit)
    .toArray();

function byNewest(left: TransferDocument, right: TransferDocument): number {
  const difference = right.created_at.getTime() - left.created_at.getTime();
  return difference === 0 ? (left._id < right._id ? 1 : -1) : difference;
}

/** The transfers in progress on an account, in the order in which they arrived. */
export async function findPendingTransfers(db: Db, pending: readonly string[]): Promise<TransferDocument[]> {
  const ids = [...new Set(pending.map((note) => readNote(note).id))];
  if (ids.length === 0) return [];
  const found = await transactions(db)
    .find({ _id: { $in: ids } })
    .toArray();
  return ids.flatMap((id) => found.filter(({ _id }) => _id === id));
}
