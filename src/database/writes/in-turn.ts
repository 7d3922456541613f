/**
 * Writes to the same document take turns in this process, where many at once are usual: as transactions they would conflict, and all but
 * one would start again and again. Between processes there is no coordination: the loser retries its transaction.
 */
import type { Db } from 'mongodb';
import { BusyError } from '../../shared/errors.js';

/** For one document. Beyond it the server is overloaded. */
const WAITING_MAX = 1000;
const RETRY_MS = 1000;

interface Line {
  last: Promise<unknown>;
  waiting: number;
}

const lines = new Map<string, Line>();

/** Runs the work after all earlier ones of the same key in the database. @throws BusyError too many wait */
export async function inTurn<T>(db: Db, key: string, work: () => Promise<T>): Promise<T> {
  const name = `${db.databaseName}/${key}`; // a database's name contains no slash
  const line = lines.get(name) ?? { last: Promise.resolve(), waiting: 0 };
  if (line.waiting >= WAITING_MAX) throw new BusyError('Too many write to the same object at once', RETRY_MS);
  lines.set(name, line);
  line.waiting += 1;
  const running = line.last.then(work, work);
  line.last = running.catch(() => undefined);
  try {
    return await running;
  } finally {
    line.waiting -= 1;
    if (line.waiting === 0) lines.delete(name);
  }
}
