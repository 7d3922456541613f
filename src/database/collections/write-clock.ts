/**
 * When the writes of one operation were committed, for `extensions.writtenAt`.
 *
 * Each mutation works with its own database handle (`withWriteClock`). `defineCollection` opens collections through `timed`, which on
 * such a handle replaces the ten write methods of the driver's collection object (`OPTIONS_OF`) with ones that run in a session and
 * record its time. So models need no code for it. `docs/decisions/write-clock.md` explains why nothing simpler works.
 *
 * The reported time is that of the last write to a followed collection, since clients compare it with cursors. If an operation wrote to
 * none, it is the time of its last write of any kind.
 */
import {
  type ClientSession,
  type Collection,
  type Db,
  type Document,
  MongoBulkWriteError,
  type Timestamp,
} from 'mongodb';
import { followedCollections } from './feed.js';

class WriteClock {
  #followed: Timestamp | undefined;
  #other: Timestamp | undefined;
  /** The transactions that have written, and whether they wrote to a followed collection. */
  readonly #transactions = new WeakMap<ClientSession, boolean>();

  get time(): Timestamp | undefined {
    return this.#followed ?? this.#other;
  }

  note(time: Timestamp | undefined, isFollowed: boolean): void {
    if (isFollowed) this.#followed = later(this.#followed, time);
    else this.#other = later(this.#other, time);
  }

  noteInTransaction(session: ClientSession, isFollowed: boolean): void {
    this.#transactions.set(session, isFollowed || this.#transactions.get(session) === true);
  }

  noteCommit(session: ClientSession): void {
    const isFollowed = this.#transactions.get(session);
    if (isFollowed !== undefined) this.note(session.operationTime, isFollowed);
  }
}

const later = (left: Timestamp | undefined, right: Timestamp | undefined) =>
  left && (!right || left.greaterThan(right)) ? left : right;

const isFollowed = (collection: string) => followedCollections().includes(collection);

const clocks = new WeakMap<Db, WriteClock>();

/** A handle on the same database that records the time of its writes. */
export function withWriteClock(db: Db): Db {
  const own = db.client.db(db.databaseName);
  clocks.set(own, new WriteClock());
  return own;
}

/** The cluster time of the last write through the handle. Undefined if it wrote nothing, or does not record. */
export function lastWriteOf(db: Db): Timestamp | undefined {
  return clocks.get(db)?.time;
}

/** Records a write that was made on behalf of the handle, but not through it. */
export function noteWrite(db: Db, time: Timestamp | undefined): void {
  clocks.get(db)?.note(time, true);
}

/** Records that a transaction has written with a plain command. */
export function noteInTransaction(db: Db, collection: string, session: ClientSession): void {
  clocks.get(db)?.noteInTransaction(session, isFollowed(collection));
}

/** Records that a transaction was committed. From then on its writes through the handle count. */
export function noteCommit(db: Db, session: ClientSession): void {
  clocks.get(db)?.noteCommit(session);
}

/** The write methods, with the position of their options. */
const OPTIONS_OF = {
  insertOne: 1,
  insertMany: 1,
  updateOne: 2,
  updateMany: 2,
  replaceOne: 2,
  deleteOne: 1,
  deleteMany: 1,
  bulkWrite: 1,
  findOneAndUpdate: 2,
  findOneAndDelete: 1,
} as const;

interface WriteOptions {
  readonly session?: ClientSession;
  readonly writeConcern?: { readonly w?: unknown };
}

type Write = (...args: unknown[]) => Promise<unknown>;

/** Makes a collection record its writes, if its database handle has a clock. */
export function timed<T extends Document>(db: Db, collection: Collection<T>): Collection<T> {
  const clock = clocks.get(db);
  if (!clock) return collection;
  const followed = isFollowed(collection.collectionName);
  for (const [method, position] of Object.entries(OPTIONS_OF)) {
    const write: Write = Reflect.get(collection, method).bind(collection);
    Reflect.set(collection, method, async (...args: unknown[]) => {
      const options = (args[position] ?? {}) as WriteOptions;
      if (options.session) clock.noteInTransaction(options.session, followed);
      if (options.session || options.writeConcern?.w === 0) return write(...args);
      const session = db.client.startSession(); // causally consistent: only such a session records the time of a reply
      try {
        const result = await write(...args.slice(0, position), { ...options, session });
        if (hasWritten(result)) clock.note(session.operationTime, followed);
        return result;
      } catch (error) {
        if (error instanceof MongoBulkWriteError && hasWritten(error.result))
          clock.note(session.operationTime, followed); // some were rejected, the others are stored
        throw error;
      } finally {
        await session.endSession();
      }
    });
  }
  return collection;
}

const COUNTS = ['insertedCount', 'modifiedCount', 'upsertedCount', 'deletedCount'] as const;

/** An update whose guard did not match has written nothing. */
function hasWritten(result: unknown): boolean {
  if (typeof result !== 'object' || result === null) return false;
  const counts = COUNTS.filter((name) => name in result);
  // Without counts it is a document: the one that was found and changed, or the result of an insert.
  return counts.length === 0 || counts.some((name) => Reflect.get(result, name) > 0);
}
