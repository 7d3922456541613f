/**
 * A change stream on the server: opened at a position, read batch by batch. Built on `aggregate` and `getMore` instead of the
 * driver's ChangeStream, because the hub needs what that hides: where a batch ends, and up to which cluster time everything was read.
 * It does not resume by itself: its users (`stream-loop.ts`, `catch-up.ts`) decide what a failure means.
 */
import type { ClientSession, Db, Document, ResumeToken, Timestamp } from 'mongodb';
import { Long, MongoError } from 'mongodb';
import { type ChangeEvent, followedFields } from '../../database/index.js';
import { type ClusterTime, formatClusterTime, previousClusterTime } from '../../shared/cluster-time.js';
import { projectEvents } from './event-projection.js';

/** Where to start: after a resume token, at a cluster time (inclusive), or now. */
export type StartPoint = { readonly after: ResumeToken } | { readonly at: Timestamp } | 'now';

/** An event with the cluster time as comparable text. */
export interface TimedEvent {
  readonly time: ClusterTime;
  readonly event: ChangeEvent;
}

export interface Batch {
  readonly events: readonly TimedEvent[];
  /** Collections that were dropped or renamed. */
  readonly gone: readonly string[];
  /** More of the last event's cluster time may follow in the next batch. */
  readonly cut: boolean;
  /** All events up to this cluster time have been read, unless the batch was cut. */
  readonly through: ClusterTime;
  /** Resumes after this batch; empty batches have one too, so that a quiet stream keeps its position. */
  readonly token: ResumeToken;
  /** How far the last event was behind the clock when it was read; 0 for an empty batch. */
  readonly lagMs: number;
}

interface CursorReply {
  cursor: { id: Long | number; firstBatch?: Document[]; nextBatch?: Document[]; postBatchResumeToken: ResumeToken };
}

/** With documents below 16 MB / 500 = 32 kB, only the count cuts a batch. The models' bounds keep documents below that. */
const BATCH_MAX = 500;
const EVERY_CHANGE = ['insert', 'update', 'replace', 'delete', 'drop', 'rename', 'dropDatabase', 'invalidate'];

/** InvalidResumeToken, ChangeStreamFatalError, ChangeStreamHistoryLost, BSONObjectTooLarge, and two older codes for the first. */
const LOST_CODES: ReadonlySet<unknown> = new Set([260, 280, 286, 10334, 40585, 40615]);

/** Whether the stream's position is lost, or an event cannot be sent: no retry helps, and later events are unknown. */
export function isHistoryLost(error: unknown): boolean {
  if (error instanceof StreamInvalidated) return true;
  return (
    error instanceof MongoError && (LOST_CODES.has(error.code) || error.hasErrorLabel('NonResumableChangeStreamError'))
  );
}

/** The database was dropped: the server ends the stream. */
class StreamInvalidated extends Error {
  override name = 'StreamInvalidated';
}

export class ChangeStream {
  readonly #db: Db;
  readonly #session: ClientSession;
  readonly #aborted: AbortController;
  readonly #cursorId: Long;
  /**
   * The stream has everything committed after this. Taken from the first token, which names the first time that it covers, not from
   * the reply's operation time: that is the last majority-committed operation, while a new stream starts after the last applied one.
   */
  readonly openedAt: ClusterTime;

  private constructor(db: Db, session: ClientSession, aborted: AbortController, reply: CursorReply) {
    this.#db = db;
    this.#session = session;
    this.#aborted = aborted;
    // The driver converts a small 64-bit integer, one cursor id in a thousand, to a number, and would send it back as a double.
    this.#cursorId = Long.fromValue(reply.cursor.id);
    this.openedAt = previousClusterTime(timeOfToken(reply.cursor.postBatchResumeToken));
  }

  /** Opens a stream on the named collections of the database. */
  static async open(db: Db, collections: readonly string[], start: StartPoint): Promise<ChangeStream> {
    const session = db.client.startSession({ causalConsistency: false });
    const aborted = new AbortController();
    const place =
      start === 'now' ? {} : 'at' in start ? { startAtOperationTime: start.at } : { resumeAfter: start.after };
    const command = {
      aggregate: 1,
      pipeline: [
        { $changeStream: place },
        { $match: { operationType: { $in: EVERY_CHANGE }, 'ns.coll': { $in: [...collections, null] } } },
        projectEvents(followedFields()),
      ],
      cursor: { batchSize: 0 },
      readConcern: { level: 'majority' },
    };
    try {
      const reply = (await db.command(command, { session, signal: aborted.signal })) as unknown as CursorReply;
      return new ChangeStream(db, session, aborted, reply);
    } catch (error) {
      await session.endSession();
      throw error;
    }
  }

  /** Waits up to `waitMs` for events. @throws MongoError; `isHistoryLost` tells whether to resume or to start over */
  async read(waitMs: number): Promise<Batch> {
    const command = { getMore: this.#cursorId, collection: '$cmd.aggregate', batchSize: BATCH_MAX, maxTimeMS: waitMs };
    const options = { session: this.#session, signal: this.#aborted.signal };
    const { cursor } = (await this.#db.command(command, options)) as unknown as CursorReply;
    return asBatch(cursor.nextBatch ?? [], cursor.postBatchResumeToken);
  }

  /** Ends a pending read, and closes the cursor on the server. */
  async close(): Promise<void> {
    this.#aborted.abort(new Error('The change stream was closed'));
    const command = { killCursors: '$cmd.aggregate', cursors: [this.#cursorId] };
    await this.#db.command(command, { session: this.#session }).catch(() => undefined); // otherwise it times out by itself
    await this.#session.endSession();
  }
}

function asBatch(changes: readonly Document[], token: ResumeToken): Batch {
  const events: TimedEvent[] = [];
  const gone: string[] = [];
  for (const change of changes) {
    if (change.operationType === 'invalidate' || change.operationType === 'dropDatabase') throw new StreamInvalidated();
    if (change.operationType === 'drop' || change.operationType === 'rename') gone.push(change.ns.coll);
    else events.push({ time: formatClusterTime(change.clusterTime), event: asEvent(change) });
  }
  const last = changes.at(-1);
  const lagMs = last?.wallTime ? Math.max(0, Date.now() - last.wallTime.getTime()) : 0;
  return { events, gone, cut: changes.length >= BATCH_MAX, through: timeOfToken(token), token, lagMs };
}

function asEvent(change: Document): ChangeEvent {
  const { updatedFields, removedFields, truncatedArrays } = change.updateDescription ?? {};
  return {
    collection: change.ns.coll,
    operation: change.operationType,
    documentKey: change.documentKey,
    document: change.fullDocument,
    updated: updatedFields,
    removed: removedFields,
    truncated: truncatedArrays,
    time: change.clusterTime,
  };
}

/** A resume token is a key string: a type byte (82, a timestamp), then the cluster time in eight bytes. */
function timeOfToken(token: ResumeToken): ClusterTime {
  return String((token as { _data: string })._data)
    .slice(2, 18)
    .toLowerCase();
}
