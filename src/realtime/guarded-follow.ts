/**
 * A subscription to something that its caller may cease to see. While a guard is asked, no event is delivered; then the next ones are
 * delivered as the guard says, or the subscription ends.
 */
import type { FeedEvent } from '../database/index.js';
import type { Load } from './channels/state-ledger.js';
import { type Consumer, type Follow, Subscriber, type SubscriberHost } from './channels/subscriber.js';

export interface Guard<Event> {
  /** A feed that tells, with each event, also the first, that `ask` has another answer by now. Omitted: it is asked once. */
  follow?(): Promise<Follow<unknown, unknown>>;
  /**
   * @returns how events are delivered from now on: as the same object, if nothing is different for this caller
   * @throws the error with which the subscription ends
   */
  ask(): Promise<(event: Event) => Event>;
}

/** @param open opens the subscription itself */
export async function guardFollow<View, Change>(
  open: () => Promise<Follow<View, Change>>,
  guard: Guard<FeedEvent<View, Change>>,
): Promise<Follow<View, Change>> {
  const watched = (await guard.follow?.()) ?? null;
  try {
    return new GuardedFollow(await open(), watched, () => guard.ask()).subscriber;
  } catch (error) {
    watched?.end();
    throw error;
  }
}

/** Both are in the ledger of the hub by themselves. */
const NO_LOAD: Load = { bytes: 0, document: {}, documentBytes: 0 };

/** Between the source, whose consumer it is, and a subscriber of its own. It holds one event; the source keeps the rest. */
class GuardedFollow<Event> implements SubscriberHost<Event, Event>, Consumer<Event> {
  readonly subscriber: Subscriber<Event, Event> = new Subscriber<Event, Event>(this, '', NO_LOAD);
  /** As the source gave it. */
  #held: Event | null = null;
  /** Null until there is an answer that is not outdated. */
  #answer: ((event: Event) => Event) | null = null;
  #isOutdated = false;
  #isAsking = false;

  constructor(
    private readonly source: Pick<Subscriber<Event, unknown>, 'attach' | 'resume' | 'end'>,
    private readonly watched: Follow<unknown, unknown> | null,
    private readonly ask: () => Promise<(event: Event) => Event>,
  ) {
    this.subscriber.joined = true;
    watched?.attach({
      take: () => {
        void this.#askAgain();
        return true;
      },
      end: (error) => this.end(error),
    });
    if (!watched) void this.#askAgain();
    source.attach(this);
  }

  // ---- of the source

  /** Not at once: what the same batch of the change stream tells the guard comes first. */
  take(event: Event): boolean {
    this.#held = event;
    queueMicrotask(() => this.#offer());
    return false;
  }

  end(error?: Error): void {
    this.subscriber.end(error);
  }

  // ---- for the subscriber

  nextEvent(subscriber: Subscriber<Event, Event>): Event | null {
    const event = subscriber.pending;
    subscriber.pending = null;
    this.#held = null;
    queueMicrotask(() => this.source.resume());
    return event;
  }

  isLarge(): boolean {
    return false; // the source has built it
  }

  takeTurn(work: () => void): void {
    work();
  }

  leave(): void {
    this.#held = null;
    this.source.end();
    this.watched?.end();
  }

  // ----

  async #askAgain(): Promise<void> {
    this.#isOutdated = true;
    this.#answer = null;
    this.subscriber.pending = null;
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      while (this.#isOutdated && !this.subscriber.ended) {
        this.#isOutdated = false;
        const answer = await this.ask();
        if (!this.#isOutdated) this.#answer = answer;
      }
    } catch (error) {
      this.#fail(error);
    }
    this.#isAsking = false;
    this.#offer();
  }

  #offer(): void {
    if (!this.#held || !this.#answer || this.subscriber.ended) return;
    try {
      this.subscriber.pending = this.#answer(this.#held);
    } catch (error) {
      this.#fail(error);
    }
    this.subscriber.pump();
  }

  #fail(error: unknown): void {
    this.subscriber.end(error instanceof Error ? error : new Error(String(error)));
  }
}
