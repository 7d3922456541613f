/**
 * The database's time, as this process knows it. Times that documents compare (when a cart was last changed, when a session
 * arrived, which requests are outside the log's window) are written by many processes, whose clocks may differ and step. So all of
 * them use the clock of the server that holds the documents.
 *
 * Reading it costs nothing: the driver receives the server's time with every heartbeat, every five seconds, and the monotonic clock
 * counts in between. Updates that compare times themselves use the server's `$$NOW` instead (`collections/lease.ts`), which needs no
 * message.
 */
import type { MongoClient, ServerHeartbeatSucceededEvent } from 'mongodb';

export type Clock = () => Date;

/**
 * A message that was delayed, or read late, makes the server seem to be behind. So the freshest of the last messages counts:
 * this clock follows the server forward within five seconds, and back within twenty.
 */
const MESSAGES = 4;

class DatabaseClock {
  /** Offsets between the server's time and the monotonic clock, from the last messages. */
  readonly #offsetsMs: number[] = [];
  readonly now: Clock = () => new Date(Math.floor(performance.now() + Math.max(...this.#offsetsMs)));

  hear(serverTime: Date): void {
    this.#offsetsMs.push(serverTime.getTime() - performance.now());
    if (this.#offsetsMs.length > MESSAGES) this.#offsetsMs.shift();
  }
}

const clocks = new WeakMap<MongoClient, Promise<DatabaseClock>>();

/** The clock of the database that a client is connected to; one per client. */
export async function openClock(client: MongoClient): Promise<Clock> {
  const opening = clocks.get(client) ?? open(client);
  clocks.set(client, opening);
  opening.catch(() => clocks.delete(client)); // the next call asks again
  return (await opening).now;
}

async function open(client: MongoClient): Promise<DatabaseClock> {
  const clock = new DatabaseClock();
  const { localTime } = await client.db('admin').command({ hello: 1 });
  clock.hear(localTime);
  client.on('serverHeartbeatSucceeded', ({ reply }: ServerHeartbeatSucceededEvent) => {
    // Only the primary's, or that of a mongos: they determine `$$NOW`.
    if (reply.isWritablePrimary && reply.localTime instanceof Date) clock.hear(reply.localTime);
  });
  return clock;
}
