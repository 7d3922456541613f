/**
 * A subscriber of a channel. It is iterated (`for await`), or passes events to a consumer that writes them to a socket.
 * Events are never queued here: the channel keeps only what it needs to build the next one (`pending`).
 */
import type { FeedEvent } from '../../database/index.js';
import type { Load } from './state-ledger.js';

/** Takes events as long as it can. */
export interface Consumer<Event> {
  /** Whether it can take an event now; if not, it calls `resume` of the subscriber later. Default: the last result of `take`. */
  isReady?(): boolean;
  /** @returns whether it can take another one immediately; if not, it calls `resume` of the subscriber later */
  take(event: Event): boolean;
  /** No more events follow. @param error why, unless the subscriber left by itself */
  end(error?: Error): void;
}

/** What a channel provides to its subscribers. */
export interface SubscriberHost<Event, Pending> {
  /** The next event for a subscriber that is behind, or null when it has everything. Removes it from `pending`. */
  nextEvent(subscriber: Subscriber<Event, Pending>): Event | null;
  /** Whether that event may take long to build: then it is built in a turn. */
  isLarge(subscriber: Subscriber<Event, Pending>): boolean;
  takeTurn(work: () => void): void;
  leave(subscriber: Subscriber<Event, Pending>): void;
}

/** A running subscription, as the hub returns it: iterate it, or attach a consumer. */
export type Follow<View, Change> = Pick<
  Subscriber<FeedEvent<View, Change>, unknown>,
  'attach' | 'resume' | 'end' | 'ended' | 'whenEnded' | 'next' | 'return' | 'throw' | typeof Symbol.asyncIterator
>;

export class Subscriber<Event, Pending> implements AsyncIterableIterator<Event> {
  /** What the channel needs to build this subscriber's next event; null when it has everything. */
  pending: Pending | null = null;
  /** False until the channel knows from which position the subscriber needs events. */
  joined = false;

  readonly #host: SubscriberHost<Event, Pending>;
  #consumer: Consumer<Event> | null = null;
  /** Whether the consumer can take an event immediately. */
  #open = false;
  #awaitsTurn = false;
  #ended: { error?: Error } | null = null;
  readonly #afterwards: (() => void)[] = [];

  /** @param account that the subscription's memory counts against @param load its own memory, without the followed state */
  constructor(
    host: SubscriberHost<Event, Pending>,
    readonly account: string,
    readonly load: Load,
  ) {
    this.#host = host;
  }

  /** Whether the next event of the channel can be delivered immediately. */
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

  /** Delivers what is pending, as far as the consumer takes it. */
  pump(): void {
    while (this.joined && this.pending !== null && !this.#ended && this.#isReady()) {
      if (this.#host.isLarge(this)) {
        this.#awaitTurn();
        return;
      }
      if (!this.#giveNext()) return;
    }
  }

  /** @returns false when the channel is about to start over; it pumps then */
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

  /** If the consumer fails on an event, only this subscription ends. */
  give(event: Event): void {
    try {
      this.#open = this.#consumer?.take(event) ?? false;
    } catch (error) {
      this.end(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Ends it from the server's side. @param error sent to the client; if omitted, the subscription completes */
  end(error?: Error): void {
    if (this.#ended) return;
    this.#ended = error ? { error } : {};
    this.#host.leave(this);
    this.pending = null;
    this.#consumer?.end(error);
    for (const work of this.#afterwards.splice(0)) work();
  }

  /** Calls `work` once it has ended, for whatever reason. At once if it has. */
  whenEnded(work: () => void): void {
    if (this.#ended) work();
    else this.#afterwards.push(work);
  }

  next(): Promise<IteratorResult<Event>> {
    if (!this.#consumer) {
      this.#consumer = new Puller<Event>(); // open only while a `next` is pending
      if (this.#ended) this.#consumer.end(this.#ended.error);
    }
    if (!(this.#consumer instanceof Puller)) throw new Error('The events already go to a consumer');
    const result = this.#consumer.pull();
    if (!this.#ended) this.resume();
    return result;
  }

  /** Ends it from the client's side; also wakes a pending `next`. */
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

/** The consumer behind `next`: takes one event per pending call. */
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
        this.#end = { error: undefined }; // reported once; then it is done
      }
    }
  }
}
