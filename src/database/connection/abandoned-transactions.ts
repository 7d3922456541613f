/**
 * Transactions of processes that died, or stand still. MongoDB keeps them open for its `transactionLifetimeLimitSeconds`, 60 by default,
 * and until then no other process can write to the documents they touched: hits on a page that was being counted would fail for a minute.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';

/** A live transaction never waits this long between two statements. */
const INACTIVE_MICROS_MIN = 200_000;
/** If its process is there, and it has waited for so long in total, it may stand still: it is looked at again after a while. */
const WAITED_MICROS_MIN = 10_000_000;
const STANDSTILL_MS = 2000;

interface CurrentOperation {
  readonly type: 'op' | 'idleSession' | 'idleCursor';
  /** The connection; for an idle session, the one that carried its last statement. */
  readonly client?: string;
  readonly appName?: string;
  readonly lsid?: { readonly id: unknown };
  readonly transaction?: { readonly timeInactiveMicros: number; readonly timeActiveMicros: number };
}

/**
 * Aborts the transactions of this application whose connection is closed, or whose process stands still. The driver of a live process would
 * have noticed the broken connection and aborted the transaction as well; a process that goes on begins its transaction again. Safe to run
 * at any time, in several processes concurrently. Needs no privilege beyond the user's own operations. A mongos shows no such transactions:
 * there MongoDB's limit ends them.
 * @returns how many were aborted
 */
export async function endAbandonedTransactions(client: MongoClient): Promise<number> {
  const { idle, connected } = await look(client);
  const isConnected = (operation: CurrentOperation) => connected.has(operation.client);
  const waiting = idle.filter((each) => isConnected(each) && waitedFor(each) >= WAITED_MICROS_MIN);
  const left = idle.filter((each) => !isConnected(each) && waitedFor(each) >= INACTIVE_MICROS_MIN);
  const abandoned = [...left, ...(waiting.length > 0 ? await standingStill(client, waiting) : [])];
  if (abandoned.length > 0)
    await client.db('admin').command({ killSessions: abandoned.map(({ lsid }) => ({ id: lsid?.id })) });
  return abandoned.length;
}

/** In total since it began. */
const waitedFor = ({ transaction }: CurrentOperation): number => transaction?.timeInactiveMicros ?? 0;

/** Those that have sent no statement in the meantime. */
async function standingStill(client: MongoClient, before: readonly CurrentOperation[]): Promise<CurrentOperation[]> {
  await pause(STANDSTILL_MS);
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
