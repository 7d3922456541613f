/**
 * Transactions of processes that died, or stand still. MongoDB keeps them open for its `transactionLifetimeLimitSeconds`, 60 by default,
 * and until then no other process can write to the documents they touched: hits on a page that was being counted would fail for a minute.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';

/**
 * What may be abandoned has waited for so long in total, and sends no statement until it is looked at again: the connection that carried
 * its last one is closed, which may be that of a live process, or it is there, and the process may stand still.
 */
const SUSPECTED = {
  left: { waitedMicros: 200_000, standstillMs: 500 },
  connected: { waitedMicros: 10_000_000, standstillMs: 2000 },
} as const;

interface CurrentOperation {
  readonly type: 'op' | 'idleSession' | 'idleCursor';
  /** The connection; for an idle session, the one that carried its last statement. */
  readonly client?: string;
  readonly appName?: string;
  readonly lsid?: { readonly id: unknown };
  readonly transaction?: { readonly timeInactiveMicros: number; readonly timeActiveMicros: number };
}

/**
 * Aborts the transactions of this application whose process has died, or stands still. A process that goes on begins its transaction again.
 * Safe to run at any time, in several processes concurrently. Needs no privilege beyond the user's own operations. A mongos shows no such
 * transactions: there MongoDB's limit ends them.
 * @returns how many were aborted
 */
export async function endAbandonedTransactions(client: MongoClient): Promise<number> {
  const { idle, connected } = await look(client);
  const found = await Promise.all(
    (['left', 'connected'] as const).map((kind) => {
      const { waitedMicros, standstillMs } = SUSPECTED[kind];
      const isOfKind = (each: CurrentOperation) => connected.has(each.client) === (kind === 'connected');
      const suspected = idle.filter((each) => isOfKind(each) && waitedFor(each) >= waitedMicros);
      return suspected.length > 0 ? standingStill(client, suspected, standstillMs) : [];
    }),
  );
  const abandoned = found.flat();
  if (abandoned.length > 0)
    await client.db('admin').command({ killSessions: abandoned.map(({ lsid }) => ({ id: lsid?.id })) });
  return abandoned.length;
}

/** In total since it began. */
const waitedFor = ({ transaction }: CurrentOperation): number => transaction?.timeInactiveMicros ?? 0;

/** Those that have sent no statement in the meantime. */
async function standingStill(
  client: MongoClient,
  before: readonly CurrentOperation[],
  standstillMs: number,
): Promise<CurrentOperation[]> {
  await pause(standstillMs);
  const { idle } = await look(client);
  const workOf = ({ lsid, transaction }: CurrentOperation) => JSON.stringify([lsid, transaction?.timeActiveMicros]);
  const known = new Set(before.map(workOf));
  return idle.filter((each) => known.has(workOf(each)));
}

async function look(client: MongoClient) {
  const operations = await client
    .db('admin')
    .aggregate<CurrentOperation>([{ $currentOp: { idleConnections: true, idleSessions: true } }])
    .toArray();
  const { appName } = client.options;
  return {
    idle: operations.filter((each) => each.type === 'idleSession' && each.appName === appName && each.transaction),
    connected: new Set(operations.filter(({ type }) => type !== 'idleSession').map((each) => each.client)),
  };
}
