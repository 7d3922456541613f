/**
 * Transactions of processes that died, or stand still. MongoDB keeps them open for its `transactionLifetimeLimitSeconds`, 60 by default,
 * and until then no other process can write to the documents they touched: hits on a page that was being counted would fail for a minute.
 */
import type { MongoClient } from 'mongodb';

/** A live transaction never waits this long between two statements. */
const INACTIVE_MICROS_MIN = 200_000;
/** If its process is there and waits this long, it stands still. Once it goes on, it begins the transaction again. */
const STANDSTILL_MICROS_MIN = 10_000_000;

interface CurrentOperation {
  readonly type: 'op' | 'idleSession' | 'idleCursor';
  /** The connection; for an idle session, the one that carried its last statement. */
  readonly client?: string;
  readonly appName?: string;
  readonly lsid?: { readonly id: unknown };
  readonly transaction?: { readonly timeInactiveMicros: number };
}

/**
 * Aborts the transactions of this application whose connection is closed, or whose process stands still. The driver of a live process would have noticed the
 * broken connection and aborted the transaction as well. Safe to run at any time, in several processes concurrently.
 * Needs no privilege beyond the user's own operations. A mongos shows no such transactions: there MongoDB's limit ends them.
 * @returns how many were aborted
 */
export async function endAbandonedTransactions(client: MongoClient): Promise<number> {
  const admin = client.db('admin');
  const operations = await admin
    .aggregate<CurrentOperation>([{ $currentOp: { idleConnections: true, idleSessions: true } }])
    .toArray();
  const connected = new Set(
    operations.filter(({ type }) => type !== 'idleSession').map((operation) => operation.client),
  );
  const abandoned = operations.filter(
    ({ type, client: connection, appName, transaction }) =>
      type === 'idleSession' &&
      appName === client.options.appName &&
      (transaction?.timeInactiveMicros ?? 0) >=
        (connected.has(connection) ? STANDSTILL_MICROS_MIN : INACTIVE_MICROS_MIN),
  );
  if (abandoned.length > 0) await admin.command({ killSessions: abandoned.map(({ lsid }) => ({ id: lsid?.id })) });
  return abandoned.length;
}
