/**
 * One subscriber of a channel. It takes events by itself (`for await`), or hands them to a consumer that writes them to a socket.
 * What it has not taken yet is never queued here: the channel keeps only what is needed to make its next event (`pending`).
 */
import type { FeedEvent } from '../database/index.js';
import type { Load } from './state-ledger.js';

/** Takes events as long as it can. */
export interface Consumer<Event> {
  /** Whether it can take an event now; if not, it calls `resume` of the subscriber later. Left out: as `take` said. */
  isReady?(): boolean;
  /** @returns whether it can take another one at once; if not, it calls `resume` of the subscriber later */
  take(event: Event): boolean;
  /** No more events come. @param error why, unless the subscriber left by itself */
  end(error?: Error): void;
}

/** What a channel does for its subscribers. */
export interface SubscriberHost<Event, Pending> {
  /** The next event for a subscriber that is behind, or null when it has everything. Takes it off `pending`. */
  nextEvent(subscriber: Subscriber<Event, Pending>): Event | null;
  /** Whether that may take long to make: then it is made in a turn. */
  isLarge(subscriber: Subscriber<Event, Pending>): boolean;
  takeTurn(work: () => void): void;
  leave(subscriber: Subscriber<Event, Pending>): void;
}

/** A running subscription, as the hub gives it: iterate it, or attach a consumer. */
export type Follow<View, Change> = Pick<
  Subscriber<FeedEvent<View, Change>, unknown>,
  'attach' | 'resume' | 'end' | 'ended' | 'next' | 'return' | 'throw' | typeof Symbol.asyncIterator
>;

export class Subscriber<Event, Pending> implements AsyncIterableIterator<Event> {
  /** What the channel needs to make this subscriber's next event; null when it has everything. */
  pending: Pending | null = null;
  /** False until the channel knows from where on the subscriber needs events. */
  joined = false;

  readonly #host: SubscriberHost<Event, Pending>;
  #consumer: Consumer<Event> | null = null;
  /** Whether the consumer can take an event at once. */
  #open = false;
  #awaitsTurn = false;
  #ended: { error?: Error } | null = null;

  /** @param account whose memory it is that the subscription takes up @param load what that is besides what is followed */
  constructor(
    host: SubscriberHost<Event, Pending>,
    readonly account: string,
    readonly load: Load,
  ) {
    this.#host = host;
  }

  /** Whether the next event of the channel can be given at once. */
  get current(): boolean {
    return this.joined && this.pending === null && this.#isReady();
  }

  get ended(): boolean {
    return this.#ended !== null;
  }

  /** Events go to the consumer from now on. */
  attach(consumer: Consumer<Event>): void {
    this.#consumer = consumer;
    if (this.#ended) consumer.end(this.#ended.error);
    else this.resume();
  }

  /** The consumer can take events again. */
  resume(): void {
    this.#open = true;
    this.pump();
  }

  /** Gives what is pending, as far as the consumer takes it. */
  pump(): void {
    while (this.joined && this.pending !== null && !this.#ended && this.#isReady()) {
      if (this.#host.isLarge(this)) {
        this.#awaitTurn();
        return;
      }
      if (!this.#giveNext()) return;
    }
  }

  /** @returns false when the channel is about to begin anew; it pumps then */
  #giveNext(): boolean {
    const event = this.#host.nextEvent(this);
    if (event !== null) this.give(event);
    return event !== null;
  }

  #awaitTurn(): void {
    if (this.#awaitsTurn) return;
    this.#awaitsTurn = true;
    this.#host.takeTurn(() => {
      this.#awaitsTurn = false;
      if (!this.joined || this.pending === null || this.#ended || !this.#isReady()) return;
      try {
        if (this.#giveNext()) this.pump();
      } catch (error) {
        this.end(error instanceof Error ? error : new Error(String(error)));
      }
    });
  }

  #isReady(): boolean {
    if (this.#open && this.#consumer?.isReady?.() === false) this.#open = false;
    return this.#open;
  }

  /** An event that the consumer fails on ends this subscription, and no other. */
  give(event: Event): void {
    try {
      this.#open = this.#consumer?.take(event) ?? false;
    } catch (error) {
      this.end(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Ends it from the server's side. @param error what the client is told; none: the subscription is complete */
  end(error?: Error): void {
    if (this.#ended) return;
    this.#ended = error ? { error } : {};
    this.#host.leave(this);
    this.pending = null;
    this.#consumer?.end(error);
  }

  next(): Promise<IteratorResult<Event>> {
    if (!this.#consumer) {
      this.#consumer = new Puller<Event>(); // open only while somebody waits
      if (this.#ended) this.#consumer.end(this.#ended.error);
    }
    if (!(this.#consumer instanceof Puller)) throw new Error('The events go to a consumer already');
    const result = this.#consumer.pull();
    if (!this.#ended) this.resume();
    return result;
  }

  /** Ends it from the client's side; also wakes a `next` that waits. */
  return(): Promise<IteratorResult<Event>> {
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  throw(error: unknown): Promise<IteratorResult<Event>> {
    this.end();
    return Promise.reject(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/** The consumer behind `next`: takes one event for each call that waits. */
class Puller<Event> implements Consumer<Event> {
  readonly #waiting: { resolve: (result: IteratorResult<Event>) => void; reject: (error: Error) => void }[] = [];
  #end: { error: Error | undefined } | null = null;

  pull(): Promise<IteratorResult<Event>> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (this.#end) this.end();
    });
  }

  take(event: Event): boolean {
    this.#waiting.shift()?.resolve({ value: event, done: false });
    return this.#waiting.length > 0;
  }

  end(error?: Error): void {
    this.#end ??= { error };
    for (const { resolve, reject } of this.#waiting.splice(0)) {
      if (!this.#end.error) resolve({ value: undefined, done: true });
      else {
        reject(this.#end.error);
        this.#end = { error: undefined }; // told once; then it is done
      }
    }
  }
}
