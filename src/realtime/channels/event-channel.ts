/**
 * A followed list: every new entry goes to every subscriber, one by one, none merged, none dropped.
 * A subscriber that is too slow is ended with SLOW_CONSUMER and the cursor to resume from. A reset starts with the snapshot
 * (the latest entries), like a first subscription.
 */
import { type EventFeed, type FeedEvent, pauseBeforeAttempt } from '../../database/index.js';
import { BusyError, SextantError } from '../../shared/errors.js';
import { type CursorPlace, cursorScope } from '../cursors/cursor.js';
import { comparePositions, type Position, WHOLE_TIME } from '../cursors/position.js';
import type { RingEntry } from '../stream/ring.js';
import { ChannelBase, type ChannelHost, type Origin, wholeTime } from './channel.js';
import type { Subscriber } from './subscriber.js';

type Event<View, Entry> = FeedEvent<View, Entry>;

/** An entry and the position after it. */
interface PlacedEntry<Entry> {
  readonly entry: Entry;
  readonly position: Position;
  /** Its ordinal among the entries of its change event, from 1. */
  readonly number: number;
}

interface Pending<View, Entry> {
  snapshot: Event<View, Entry> | null;
  entries: PlacedEntry<Entry>[];
}

const SNAPSHOT_ATTEMPTS_MAX = 10;
const WAITING_MAX = 1000; // entries that may wait for one subscriber

export class EventChannel<Args, View, Entry> extends ChannelBase<View, Entry, Pending<View, Entry>> {
  readonly #feed: EventFeed<Args, View, Entry>;
  readonly #args: Args;
  /** How far subscribers are ahead of the stream: they saw later events in a snapshot, or on another process. */
  readonly #ahead = new Map<Subscriber<Event<View, Entry>, Pending<View, Entry>>, CursorPlace>();
  #collected: PlacedEntry<Entry>[] = [];

  constructor(host: ChannelHost, feed: EventFeed<Args, View, Entry>, args: Args) {
    super(host, cursorScope(feed.name, feed.key(args)), feed.topic(args));
    this.#feed = feed;
    this.#args = args;
  }

  collect(entry: RingEntry): void {
    this.#collected.push(...this.#placed(entry));
  }

  flush(): void {
    const placed = this.#collected;
    this.#collected = [];
    for (const entry of placed) {
      let event: Event<View, Entry> | null = null; // rendered once for all current subscribers
      for (const subscriber of this.subscribers) {
        if (this.#hasSeen(subscriber, entry)) continue;
        if (!subscriber.current) this.#wait(subscriber, [entry]);
        else {
          event ??= this.#entryEvent(entry);
          subscriber.give(event);
        }
      }
    }
  }

  reset(): void {
    this.generation += 1;
    this.#collected = [];
    this.#ahead.clear();
    for (const subscriber of this.subscribers) {
      subscriber.joined = false;
      subscriber.pending = null;
      this.place(subscriber, { after: null, reset: true }).catch((error: Error) => subscriber.end(error));
    }
  }

  protected async place(
    subscriber: Subscriber<Event<View, Entry>, Pending<View, Entry>>,
    { after, reset }: Origin,
  ): Promise<void> {
    const { generation } = this;
    const missed = after ? await this.host.missed(before(after.position), this.host.position, this.topics) : null;
    if (generation !== this.generation) return; // a reset happened meanwhile and places it again
    const snapshot = after && missed ? null : await this.#takeSnapshot(reset || after !== null);
    if (generation !== this.generation || subscriber.ended) return;
    const seen = snapshot?.seen ?? after;
    const entries = [...(missed ?? []).flatMap((entry) => this.#placed(entry)), ...(subscriber.pending?.entries ?? [])];
    const unseen = seen ? entries.filter((entry) => isAfter(entry, seen)) : entries;
    subscriber.pending = snapshot || unseen.length > 0 ? { snapshot: snapshot?.event ?? null, entries: unseen } : null;
    if (seen && comparePositions(seen.position, this.host.position) > 0) this.#ahead.set(subscriber, seen);
    subscriber.joined = true;
    subscriber.pump();
  }

  protected override forget(subscriber: Subscriber<Event<View, Entry>, Pending<View, Entry>>): void {
    this.#ahead.delete(subscriber);
  }

  protected isLarge({ pending }: Subscriber<Event<View, Entry>, Pending<View, Entry>>): boolean {
    return pending?.snapshot != null;
  }

  protected nextEvent(subscriber: Subscriber<Event<View, Entry>, Pending<View, Entry>>): Event<View, Entry> | null {
    const { pending } = subscriber;
    if (!pending) return null;
    const { snapshot } = pending;
    pending.snapshot = null;
    const next = snapshot ? undefined : pending.entries.shift();
    if (pending.entries.length === 0) subscriber.pending = null;
    return snapshot ?? (next ? this.#entryEvent(next) : null);
  }

  /** Reads the snapshot for one subscriber; entries that arrive meanwhile wait with it. */
  async #takeSnapshot(reset: boolean): Promise<{ event: Event<View, Entry>; seen: CursorPlace }> {
    for (let attempt = 1; attempt <= SNAPSHOT_ATTEMPTS_MAX; attempt += 1) {
      const from = this.host.position; // everything after this waits with the subscriber
      const { value, time } = await this.host.readSnapshot((session, now) =>
        this.#feed.snapshot(this.host.db, this.#args, session, now),
      );
      if (time < from.time) {
        await pauseBeforeAttempt(attempt + 1);
        continue;
      }
      const position = wholeTime(time);
      const event = { kind: 'snapshot', cursor: this.cursor(position), reset, view: value } as const;
      return { event, seen: { position, entry: 0 } };
    }
    throw new BusyError('The list changes faster than it can be read');
  }

  #hasSeen(subscriber: Subscriber<Event<View, Entry>, Pending<View, Entry>>, entry: PlacedEntry<Entry>): boolean {
    const seen = this.#ahead.get(subscriber);
    if (!seen) return false;
    if (!isAfter(entry, seen)) return true;
    this.#ahead.delete(subscriber);
    return false;
  }

  #placed({ position, event }: RingEntry): PlacedEntry<Entry>[] {
    return this.#feed.entries(event, this.#args).map((entry, index) => ({ entry, position, number: index + 1 }));
  }

  #entryEvent({ entry, position, number }: PlacedEntry<Entry>): Event<View, Entry> {
    return { kind: 'change', cursor: this.cursor(position, { entry: number }), reset: false, change: entry };
  }

  #wait(subscriber: Subscriber<Event<View, Entry>, Pending<View, Entry>>, entries: PlacedEntry<Entry>[]): void {
    subscriber.pending ??= { snapshot: null, entries: [] };
    subscriber.pending.entries.push(...entries);
    if (subscriber.pending.entries.length <= WAITING_MAX) return;
    const [first] = subscriber.pending.entries;
    // The position before the oldest waiting entry: the client has everything up to there.
    const cursor = first ? this.cursor(first.position, { entry: first.number - 1 }) : undefined;
    subscriber.end(new SextantError('SLOW_CONSUMER', 'Events were consumed too slowly', { cursor }));
  }
}

function isAfter(entry: PlacedEntry<unknown>, seen: CursorPlace): boolean {
  const order = comparePositions(entry.position, seen.position);
  return order > 0 || (order === 0 && entry.number > seen.entry);
}

/** The position before the last event seen: perhaps not all of its entries were seen. */
function before({ time, index }: Position): Position {
  return index === WHOLE_TIME ? { time, index } : { time, index: index - 1 };
}
