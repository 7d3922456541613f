/** Makes the embedded server a replica set of one: change streams and transactions need one. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Db, type Document, MongoClient, MongoServerError } from 'mongodb';
import { REPLICA_SET } from './mongod.js';
import { LOOPBACK } from './record.js';

const ALREADY_INITIALIZED = 23;
const NOT_YET_INITIALIZED = 94;
const IN_PROGRESS = 117;
const RETRY_MS = 100;
/** A server looks for itself at its old address first, and waits 30 s for a program there that says nothing. */
const MOVE_TIMEOUT_MS = 60_000;

export function uriOf(port: number): string {
  return `mongodb://${LOOPBACK}:${port}/?replicaSet=${REPLICA_SET}`;
}

/** Initiates a new server's set, and moves a set whose port has changed. Safe to repeat, and in several processes at once. */
export async function ensureReplicaSet(port: number): Promise<void> {
  const client = new MongoClient(`mongodb://${LOOPBACK}:${port}/?directConnection=true`);
  const host = `${LOOPBACK}:${port}`;
  try {
    // The stored configuration, because a server that is looking for itself reports none.
    const stored = await client.db('local').collection('system.replset').findOne();
    if (!stored) await initiate(client.db('admin'), host);
    else if (stored.members[0].host !== host) await move(client.db('admin'), stored, host);
  } finally {
    await client.close();
  }
}

async function initiate(admin: Db, host: string): Promise<void> {
  try {
    await admin.command({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] } });
  } catch (error) {
    if (!isCode(error, ALREADY_INITIALIZED, IN_PROGRESS)) throw error; // another process was quicker
  }
}

/** Forced, because a server that does not find itself in the set cannot be elected, and has nobody else to ask. */
async function move(admin: Db, stored: Document, host: string): Promise<void> {
  const moved = { ...stored, version: stored.version + 1, members: [{ ...stored.members[0], host }] };
  for (const deadline = performance.now() + MOVE_TIMEOUT_MS; ; await delay(RETRY_MS)) {
    try {
      await admin.command({ replSetReconfig: moved, force: true });
      return;
    } catch (error) {
      if (!isCode(error, NOT_YET_INITIALIZED) || performance.now() > deadline) throw error;
    }
  }
}

const isCode = (error: unknown, ...codes: number[]): boolean =>
  error instanceof MongoServerError && codes.includes(Number(error.code));
