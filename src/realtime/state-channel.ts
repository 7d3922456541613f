/**
 * A state that is followed, with one copy of it for all subscribers.
 *
 * It begins so: it gathers the events of its topic first; reads a snapshot at a cluster time T; drops what it has gathered up to T
 * and applies the rest. If T lies before what the hub had handed out when the gathering began, it reads again.
 * A subscriber that is behind costs the keys of what changed meanwhile; the values are taken from the state when it is ready.
 */
import type { ClientSession } from 'mongodb';
import { type FeedEvent, pauseBeforeAttempt, type StateFeed } from '../database/index.js';
import type { ClusterTime } from '../shared/cluster-time.js';
import { BusyError } from '../shared/errors.js';
import { type Arrival, ChannelBase, type ChannelHost, wholeTime } from './channel.js';
import { cursorScope } from './cursor.js';
import { comparePositions, laterPosition, type Position } from './position.js';
import type { RingEntry } from './ring.js';
import type { Subscriber } from './subscriber.js';

interface Pending {
  /** The whole state comes next; as a reset, if what came before is lost. */
  whole: 'snapshot' | 'reset' | null;
  /** The parts that changed since the last event. */
  readonly keys: Set<string>;
}

/** The state, and the cluster time up to which it holds everything since it was read. */
interface Held<State> {
  readonly value: State;
  readonly holds: ClusterTime;
}

type Event<View, Change> = FeedEvent<View, Change>;

const SEED_ATTEMPTS_MAX = 10;
const GATHERED_MAX = 10_000; // events that may come in while a snapshot is read
const PENDING_KEYS_MAX = 10_000; // beyond, the whole state is the smaller message
const SNAPSHOT_SHARED_MS = 1000; // how long one rendering of the unchanged state serves new subscribers

export class StateChannel<Args, State, View, Change> extends ChannelBase<View, Change, Pending> {
  readonly #feed: StateFeed<Args, State, View, Change>;
  readonly #args: Args;
  #state: Held<State> | null = null;
  /** The last event that concerned it, or the snapshot. */
  #changedAt: Position = wholeTime('f'.repeat(16));
  /** Events that come in while a snapshot is read. */
  #gathered: RingEntry[] = [];
  #seeding: Promise<State> | null = null;
  /** What was applied since the subscribers were last told. */
  #touched = new Set<string>();
  #rendered: { at: number; snapshot?: Event<View, Change>; reset?: Event<View, Change> } = { at: 0 };
  readonly #ticker: NodeJS.Timeout | undefined;

  constructor(host: ChannelHost, feed: StateFeed<Args, State, View, Change>, args: Args) {
    super(host, cursorScope(feed.name, feed.key(args)), `${feed.name}\0${feed.topic(args)}`);
    this.#feed = feed;
    this.#args = args;
    this.#ticker = feed.tickMs ? setInterval(() => this.#tick(), feed.tickMs).unref() : undefined;
  }

  collect(entry: RingEntry): void {
    if (this.#state) this.#apply(entry);
    else if (this.#gathered.length <= GATHERED_MAX) this.#gathered.push(entry); // one more than the maximum tells that some are missing
  }

  flush(): void {
    this.#tell();
  }

  /** Up to where the state has everything: the hub hands out to all channels before it moves on. */
  private get position(): Position {
    return this.#state ? laterPosition(wholeTime(this.#state.holds), this.host.position) : this.host.position;
  }

  reset(): void {
    this.generation += 1;
    this.#state = null;
    this.#seeding = null;
    for (const subscriber of this.subscribers) subscriber.pending = { whole: 'reset', keys: new Set() };
    if (this.subscribers.size === 0) return;
    this.#seed().then(
      () => this.#pumpAll(),
      (error: Error) => this.close(error),
    );
  }

  override close(error?: Error): void {
    clearInterval(this.#ticker);
    this.generation += 1;
    super.close(error);
  }

  protected async place(
    subscriber: Subscriber<Event<View, Change>, Pending>,
    { after, reset }: Arrival,
  ): Promise<void> {
    while (!this.#state) await this.#seed(); // again, if a reset came just when it was there
    const { generation } = this;
    const missed = after ? await this.#missed(subscriber, after.position) : null;
    if (subscriber.ended) return;
    if (generation === this.generation) {
      if (missed) this.#catchUp(subscriber, missed);
      else subscriber.pending = { whole: reset || after ? 'reset' : 'snapshot', keys: new Set() };
    } // else a reset came in between, and has set what comes next
    subscriber.joined = true;
    if (this.#state) subscriber.pump();
  }

  protected nextEvent(subscriber: Subscriber<Event<View, Change>, Pending>): Event<View, Change> | null {
    const { pending } = subscriber;
    if (!this.#state || !pending) return null;
    subscriber.pending = null;
    return pending.whole
      ? this.#snapshotEvent(pending.whole, this.#state)
      : this.#changeEvent(pending.keys, this.#state);
  }

  #seed(): Promise<State> {
    this.#seeding ??= this.#readState().catch((error: unknown) => {
      this.#seeding = null;
      throw error;
    });
    return this.#seeding;
  }

  async #readState(): Promise<State> {
    const { generation } = this;
    for (let attempt = 1; attempt <= SEED_ATTEMPTS_MAX; attempt += 1) {
      this.#gathered = [];
      const from = this.host.position; // everything after this is gathered
      const { value, time } = await this.host.readSnapshot((session: ClientSession, now) =>
        this.#feed.snapshot(this.host.db, this.#args, session, now),
      );
      if (generation !== this.generation) return this.#seed(); // a reset began another reading meanwhile
      if (time < from.time || this.#gathered.length > GATHERED_MAX) {
        await pauseBeforeAttempt(attempt + 1);
        continue;
      }
      this.#state = { value, holds: time };
      this.#changedAt = wholeTime(time);
      for (const entry of this.#gathered) this.#apply(entry);
      this.#gathered = [];
      this.#touched.clear(); // nobody was told of anything yet
      this.#rendered = { at: 0 };
      return value;
    }
    throw new BusyError('The state changes faster than it can be read');
  }

  #apply({ position, event }: RingEntry): void {
    if (!this.#state || position.time <= this.#state.holds) return; // the snapshot has it already
    this.#changedAt = position;
    for (const key of this.#feed.apply(this.#state.value, event, this.#args, this.host.now())) this.#touched.add(key);
  }

  #tick(): void {
    if (!this.#state || !this.#feed.tick || this.subscribers.size === 0) return;
    for (const key of this.#feed.tick(this.#state.value, this.#args, this.host.now())) this.#touched.add(key);
    this.#tell();
  }

  #tell(): void {
    if (!this.#state || this.#touched.size === 0) return;
    const keys = this.#touched;
    this.#touched = new Set();
    this.#rendered = { at: 0 };
    let event: Event<View, Change> | null = null; // made once for all who are current
    for (const subscriber of this.subscribers) {
      if (!subscriber.current) pend(subscriber, keys);
      else {
        event ??= this.#changeEvent(keys, this.#state);
        subscriber.give(event);
      }
    }
  }

  /** @returns the events after a place that concern this channel; null when they are no longer to be had */
  async #missed(
    subscriber: Subscriber<Event<View, Change>, Pending>,
    from: Position,
  ): Promise<readonly RingEntry[] | null> {
    const { generation } = this;
    // The snapshot, or the client's other process, may be ahead of this one's stream: what lies between must be known, too.
    await this.host.reached(later(from.time, this.#state?.holds ?? ''));
    if (generation !== this.generation) return null;
    subscriber.pending = null; // what was told up to here is among what is looked up now
    // A quiet channel needs no history: nothing has changed since before the client left.
    if (comparePositions(from, this.#changedAt) >= 0) return [];
    return await this.host.missed(from, this.position, this.topic);
  }

  /** What was missed is told as the present values of all that it touched. */
  #catchUp(subscriber: Subscriber<Event<View, Change>, Pending>, missed: readonly RingEntry[]): void {
    const keys = new Set(missed.flatMap(({ event }) => this.#feed.touched(event, this.#args)));
    for (const key of this.#feed.tickKeys ?? []) keys.add(key);
    if (keys.size > 0) pend(subscriber, keys);
  }

  #changeEvent(keys: ReadonlySet<string>, { value }: Held<State>): Event<View, Change> {
    const change = this.#feed.change(value, keys, this.#args, this.host.now());
    return { kind: 'change', cursor: this.cursor(this.position), reset: false, change };
  }

  #snapshotEvent(whole: 'snapshot' | 'reset', { value }: Held<State>): Event<View, Change> {
    const now = this.host.now();
    if (now.getTime() - this.#rendered.at > SNAPSHOT_SHARED_MS) this.#rendered = { at: now.getTime() };
    this.#rendered[whole] ??= {
      kind: 'snapshot',
      cursor: this.cursor(this.position),
      reset: whole === 'reset',
      view: this.#feed.view(value, this.#args, now),
    };
    return this.#rendered[whole];
  }

  #pumpAll(): void {
    for (const subscriber of this.subscribers) subscriber.pump();
  }
}

const later = (left: ClusterTime, right: ClusterTime) => (left < right ? right : left);

function pend(subscriber: Subscriber<unknown, Pending>, keys: ReadonlySet<string>): void {
  subscriber.pending ??= { whole: null, keys: new Set() };
  if (subscriber.pending.whole) return;
  for (const key of keys) subscriber.pending.keys.add(key);
  if (subscriber.pending.keys.size > PENDING_KEYS_MAX) subscriber.pending.whole = 'snapshot';
}
