/**
 * The database's time, as this process knows it. What documents compare with each other (when a cart was last changed, when a session
 * arrived, what is outside of the log's window) is written by many processes, whose clocks may differ and step: so all of them go by
 * the clock of the server that holds the documents.
 *
 * Asking costs nothing: the driver hears from the server every ten seconds, with the server's time, and in between the monotonic clock
 * counts. What an update decides by itself takes the server's `$$NOW` instead (`lease.ts`), which needs no message at all.
 */
import type { MongoClient, ServerHeartbeatSucceededEvent } from 'mongodb';

/** The present moment. */
export type Clock = () => Date;

/**
 * A message that was on its way for long, or that this process read late, makes the server seem to be behind: the freshest of the last
 * ones counts. So this time follows the server's ahead within ten seconds, and back within forty.
 */
const MESSAGES = 4;

class DatabaseClock {
  /** Between the server's time and the monotonic clock, by the last messages. */
  readonly #offsetsMs: number[] = [];
  readonly now: Clock = () => new Date(Math.floor(performance.now() + Math.max(...this.#offsetsMs)));

  hear(serverTime: Date): void {
    this.#offsetsMs.push(serverTime.getTime() - performance.now());
    if (this.#offsetsMs.length > MESSAGES) this.#offsetsMs.shift();
  }
}

const clocks = new WeakMap<MongoClient, Promise<DatabaseClock>>();

/** The clock of the database that a client is connected to; the same one each time. */
export async function openClock(client: MongoClient): Promise<Clock> {
  const opening = clocks.get(client) ?? open(client);
  clocks.set(client, opening);
  opening.catch(() => clocks.delete(client)); // the next one asks again
  return (await opening).now;
}

async function open(client: MongoClient): Promise<DatabaseClock> {
  const clock = new DatabaseClock();
  const { localTime } = await client.db('admin').command({ hello: 1 });
  clock.hear(localTime);
  client.on('serverHeartbeatSucceeded', ({ reply }: ServerHeartbeatSucceededEvent) => {
    // The primary's, or that of a mongos: they say what `$$NOW` is.
    if (reply.isWritablePrimary && reply.localTime instanceof Date) clock.hear(reply.localTime);
  });
  return clock;
}
