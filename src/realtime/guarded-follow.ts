/**
 * A subscription to something that its caller may cease to see. While a guard is asked, no event is delivered; then the next ones are
 * delivered as the guard says, or the subscription ends. Where the caller sees something else than before, it starts over: what was
 * delivered would lack some of it, and have too much. That may have happened while the client was away: so cursors tell what the caller
 * saw, as a print that nobody can make without the keys of the cursors. Without one, the caller saw all.
 */
import type { FeedEvent } from '../database/index.js';
import type { Load } from './channels/state-ledger.js';
import { type Consumer, type Follow, Subscriber, type SubscriberHost } from './channels/subscriber.js';

/** What the caller sees at the moment. */
export interface Sight<Event> {
  /** Differs where the caller sees something else. Empty where the caller sees all. */
  readonly key: string;
  /** @returns the same object, if nothing is different for this caller */
  readonly deliver: (event: Event) => Event;
}

export interface Guard<Event> {
  /** A feed that tells, with each event, also the first, that `ask` has another answer by now. Omitted: it is asked once. */
  follow?(): Promise<Follow<unknown, unknown>>;
  /** @throws the error with which the subscription ends */
  ask(): Promise<Sight<Event>>;
}

type Open<View, Change> = (after: string | null) => Promise<Follow<View, Change>>;

/** Where the client goes on. */
export interface Resuming {
  /** The client's cursor. */
  readonly after?: string | null | undefined;
  /** The print of a text for this caller. Those of two callers tell nothing about each other. */
  readonly sealed: (text: string) => string;
}

const MARK = '~'; // no cursor of the hub has one

/** Whether a cursor tells what its caller saw. */
export const isGuarded = (cursor: string | null | undefined): boolean => cursor?.includes(MARK) ?? false;

/** @param open opens the subscription itself: with a cursor, or from the beginning */
export async function guardFollow<View, Change>(
  open: Open<View, Change>,
  guard: Guard<FeedEvent<View, Change>>,
  { after, sealed }: Resuming,
): Promise<Follow<View, Change>> {
  const watched = (await guard.follow?.()) ?? null;
  const [cursor = null, print = ''] = after?.split(MARK, 2) ?? [];
  try {
    const source = await open(cursor);
    const ask = async () => {
      const sight = await guard.ask();
      return { ...sight, print: sealed(sight.key) };
    };
    return new GuardedFollow(source, open, watched, ask, cursor === null ? null : print).subscriber;
  } catch (error) {
    watched?.end();
    throw error;
  }
}

interface Answer<Event> extends Sight<Event> {
  readonly print: string;
}

/** Both are in the ledger of the hub by themselves. */
const NO_LOAD: Load = { bytes: 0, document: {}, documentBytes: 0 };

/** Between the source, whose consumer it is, and a subscriber of its own. It holds one event; the source keeps the rest. */
class GuardedFollow<View, Change> implements SubscriberHost<FeedEvent<View, Change>, FeedEvent<View, Change>> {
  readonly subscriber = new Subscriber<FeedEvent<View, Change>, FeedEvent<View, Change>>(this, '', NO_LOAD);
  #source: Follow<View, Change>;
  /** As the source gave it. */
  #held: FeedEvent<View, Change> | null = null;
  /** Null until there is an answer that is not outdated. */
  #answer: Answer<FeedEvent<View, Change>> | null = null;
  /** Of what the client has. */
  #print: string | null;
  #isOutdated = false;
  #isAsking = false;
  /** Whether the next event is the snapshot with which it starts over. */
  #isReset = false;

  constructor(
    source: Follow<View, Change>,
    private readonly open: Open<View, Change>,
    private readonly watched: Follow<unknown, unknown> | null,
    private readonly ask: () => Promise<Answer<FeedEvent<View, Change>>>,
    print: string | null,
  ) {
    this.#print = print;
    this.subscriber.joined = true;
    this.#source = source;
    watched?.attach({
      take: () => {
        void this.#askAgain();
        return true;
      },
      end: (error) => this.subscriber.end(error),
    });
    if (!watched) void this.#askAgain();
    source.attach(this.#consumerOf(source));
  }

  #consumerOf(source: Follow<View, Change>): Consumer<FeedEvent<View, Change>> {
    return {
      /** Not at once: what the same batch of the change stream tells the guard comes first. */
      take: (event) => {
        if (this.#source !== source) return false;
        this.#held = event;
        queueMicrotask(() => this.#offer());
        return false;
      },
      end: (error) => {
        if (this.#source === source) this.subscriber.end(error);
      },
    };
  }

  // ---- for the subscriber

  nextEvent(subscriber: Subscriber<FeedEvent<View, Change>, FeedEvent<View, Change>>): FeedEvent<View, Change> | null {
    const event = subscriber.pending;
    subscriber.pending = null;
    this.#held = null;
    this.#isReset = false;
    const source = this.#source;
    queueMicrotask(() => source.resume());
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
    this.#source.end();
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
        if (this.#isOutdated) continue;
        if (this.#print !== null && this.#print !== answer.print) await this.#startOver();
        this.#print = answer.print;
        if (!this.#isOutdated) this.#answer = answer;
      }
    } catch (error) {
      this.#fail(error);
    }
    this.#isAsking = false;
    this.#offer();
  }

  async #startOver(): Promise<void> {
    const [before, next] = [this.#source, await this.open(null)];
    this.#source = next;
    this.#held = null;
    this.#isReset = true;
    before.end();
    if (this.subscriber.ended) next.end();
    else next.attach(this.#consumerOf(next));
  }

  #offer(): void {
    if (!this.#held || !this.#answer || this.subscriber.ended) return;
    try {
      const { deliver, print } = this.#answer;
      const seen = deliver(this.#held);
      const event = print === '' ? seen : { ...seen, cursor: `${seen.cursor}${MARK}${print}` };
      this.subscriber.pending = this.#isReset && event.kind === 'snapshot' ? { ...event, reset: true } : event;
    } catch (error) {
      this.#fail(error);
    }
    this.subscriber.pump();
  }

  #fail(error: unknown): void {
    this.subscriber.end(error instanceof Error ? error : new Error(String(error)));
  }
}
