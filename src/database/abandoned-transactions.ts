/**
 * Transactions of processes that died. MongoDB keeps them open for its `transactionLifetimeLimitSeconds`, 60 by default, and until
 * then nobody else can write to the documents that they wrote to: a page that was being counted would be refused for a minute.
 */
import type { MongoClient } from 'mongodb';

/** One that waits so long between two of its statements is not ours at work. */
const INACTIVE_MICROS_MIN = 200_000;

interface CurrentOperation {
  readonly type: 'op' | 'idleSession' | 'idleCursor';
  /** The connection: of an idle session, the one that its last statement came by. */
  readonly client?: string;
  readonly appName?: string;
  readonly lsid?: { readonly id: unknown };
  readonly transaction?: { readonly timeInactiveMicros: number };
}

/**
 * Ends the transactions of this application whose connection is gone. The driver of a living process would have noticed the
 * broken connection and given up the transaction as well. May run at any time, in several processes at once.
 * Needs no privilege beyond the user's own operations. Behind a mongos there are none to be seen: there MongoDB's limit ends them.
 * @returns how many
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
      !connected.has(connection) &&
      (transaction?.timeInactiveMicros ?? 0) >= INACTIVE_MICROS_MIN,
  );
  if (abandoned.length > 0) await admin.command({ killSessions: abandoned.map(({ lsid }) => ({ id: lsid?.id })) });
  return abandoned.length;
}
