/**
 * A followed state, with one copy of it for all subscribers.
 *
 * It starts by gathering the events of its topic. Then it reads a snapshot at a cluster time T, drops gathered events up to T, and
 * applies the rest. If T is before what the hub had delivered when the gathering started, it reads again.
 * A subscriber that is behind costs only the keys of what changed meanwhile; the values are taken from the state when it is ready.
 */
import { type FeedEvent, pauseBeforeAttempt, type StateFeed } from '../../database/index.js';
import type { ClusterTime } from '../../shared/cluster-time.js';
import { BusyError, SextantError, TransientError } from '../../shared/errors.js';
import { type CursorPlace, cursorScope, printOf } from '../cursors/cursor.js';
import { comparePositions, laterPosition, type Position } from '../cursors/position.js';
import type { RingEntry } from '../stream/ring.js';
import type { Pending } from './arrears.js';
import { ChannelBase, type ChannelHost, type Origin, wholeTime } from './channel.js';
import { Gathering } from './gathering.js';
import type { Subscriber } from './subscriber.js';

/** The state, and the cluster time up to which it was read. */
interface Held<State> {
  readonly value: State;
  readonly holds: ClusterTime;
}

type Event<View, Change> = FeedEvent<View, Change>;
type Follower<View, Change> = Subscriber<Event<View, Change>, Pending>;

const SEED_ATTEMPTS_MAX = 10;
/** The minimum pause before a state is read again: this long, or this many times the duration of the last read. */
const READ_AGAIN_MS = 500;
const READ_AGAIN_SHARE = 10;

export class StateChannel<Args, State, View, Change> extends ChannelBase<View, Change, Pending> {
  readonly #feed: StateFeed<Args, State, View, Change>;
  readonly #args: Args;
  #state: Held<State> | null = null;
  /** The last event that affected it, or the snapshot. */
  #changedAt: Position = wholeTime('f'.repeat(16));
  /** Events that arrive while a snapshot is read; null while none is being read. */
  #gathering: Gathering | null = null;
  #seeding: Promise<void> | null = null;
  /** Parts changed since the subscribers were last notified. */
  #touched = new Set<string>();
  /** It must be read again before anything more is sent. */
  #uncertain = false;
  #toldPrint: string | undefined;
  /** The position to report, where it differs from that of the hub. */
  #asOf: Position | null = null;
  #readAgainAt = 0;
  readonly #ticker: NodeJS.Timeout | undefined;

  constructor(host: ChannelHost, feed: StateFeed<Args, State, View, Change>, args: Args) {
    super(host, cursorScope(feed.name, feed.key(args)), `${feed.name}\0${feed.topic(args)}`);
    this.#feed = feed;
    this.#args = args;
    this.#ticker = feed.tickMs ? setInterval(() => this.#tick(), feed.tickMs).unref() : undefined;
  }

  protected take(entry: RingEntry): void {
    this.#gathering?.add(entry);
    if (this.#state) this.#apply(entry);
  }

  flush(): void {
    this.#tell();
  }

  /** Up to where the state is complete: the hub delivers to all channels before it advances. */
  get #position(): Position {
    if (this.#asOf) return this.#asOf;
    return this.#state ? laterPosition(wholeTime(this.#state.holds), this.host.position) : this.host.position;
  }

  reset(): void {
    this.#forgetState();
    for (const subscriber of this.subscribers) this.host.arrears.setWhole(subscriber, 'reset');
    if (this.subscribers.size === 0) return;
    this.#seed().then(
      () => this.#pumpAll(),
      (error: Error) => this.endAll(error), // the channel itself stays: the next subscriber reads again
    );
  }

  override close(error?: Error): void {
    clearInterval(this.#ticker);
    this.#forgetState();
    super.close(error);
  }

  protected async place(subscriber: Follower<View, Change>, { after, reset }: Origin): Promise<void> {
    while (!this.#state && !subscriber.ended) await this.#seed(); // repeated if a reset happened right after it was read
    const { generation } = this;
    const caughtUp = after !== null && (await this.#catchUp(subscriber, after));
    if (subscriber.ended) return;
    // Otherwise a reset happened meanwhile, and has set what is next.
    if (generation === this.generation && !caughtUp)
      this.host.arrears.setWhole(subscriber, reset || after ? 'reset' : 'snapshot');
    subscriber.joined = true;
    if (this.#state) subscriber.pump();
  }

  protected isLarge({ pending }: Follower<View, Change>): boolean {
    return pending?.whole != null && !this.#feed.whole;
  }

  protected nextEvent(subscriber: Follower<View, Change>): Event<View, Change> | null {
    if (!this.#state || this.#isUncertain(this.#state)) return null;
    const pending = this.host.arrears.take(subscriber);
    if (!pending) return null;
    return pending.whole
      ? this.#snapshotEvent(pending.whole, this.#state)
      : this.#changeEvent(pending.keys, this.#state);
  }

  protected override forget(subscriber: Follower<View, Change>): void {
    this.host.arrears.clear(subscriber);
  }

  #forgetState(): void {
    this.generation += 1;
    this.#state = null;
    this.#seeding = null;
    this.#gathering = null;
    this.#uncertain = false;
    this.host.renderings.forget(this);
    this.host.ledger.resize(this, 0);
  }

  #seed(): Promise<void> {
    this.#seeding ??= this.#readState().catch((error: unknown) => {
      this.#seeding = null;
      throw error;
    });
    return this.#seeding;
  }

  /** Replaces the state, if there is one, which stays in use until then. @param onRead called while the state is exactly as read */
  async #readState(onRead?: () => void): Promise<void> {
    const { generation } = this;
    const begin = performance.now();
    for (let attempt = 1; attempt <= SEED_ATTEMPTS_MAX; attempt += 1) {
      const read = await this.#readSnapshot(generation);
      if (generation !== this.generation) return this.#seed(); // a reset has started another read meanwhile
      if (!read) {
        await pauseBeforeAttempt(attempt + 1);
        continue;
      }
      if (this.#listenTo(read.value)) continue; // an event of a new topic may have been before it was followed
      // What subscribers have not been told yet of the state before, they are told with the differences.
      if (!this.#state || !this.#feed.reread) this.#touched.clear();
      this.#state = { value: read.value, holds: read.time };
      this.#changedAt = wholeTime(read.time);
      this.host.renderings.forget(this);
      this.#asOf = wholeTime(read.time);
      onRead?.();
      this.#asOf = null;
      const untold = new Set(this.#touched);
      for (const entry of read.gathered) this.#apply(entry);
      this.#touched = untold; // of this state, no subscriber has seen anything yet
      this.#readAgainAt = performance.now() + Math.max(READ_AGAIN_MS, READ_AGAIN_SHARE * (performance.now() - begin));
      this.host.renderings.forget(this);
      this.#measure();
      return;
    }
    throw new BusyError('The state changes faster than it can be read');
  }

  /** Follows the topics of a state that was read. @returns whether there are new ones: then it must be read again */
  #listenTo(state: State): boolean {
    if (!this.#feed.topicsOf) return false;
    const own = this.#feed.topic(this.#args);
    const named = [own, ...this.#feed.topicsOf(state, this.#args)].map((topic) => `${this.#feed.name}\0${topic}`);
    const wanted = new Set(named);
    const isNew = named.some((topic) => !this.topics.has(topic));
    // Those that are no longer named go only with a state that is in use.
    const topics = isNew ? new Set([...this.topics, ...named]) : wanted;
    if (isNew || topics.size !== this.topics.size) {
      this.host.listen(this, topics);
      this.topics = topics;
    }
    return isNew;
  }

  /** @returns null if it must be read again: it is older than what was delivered, or too many events arrived meanwhile */
  async #readSnapshot(generation: number) {
    let from = this.host.position;
    let gathering = new Gathering();
    const { value, time } = await this.host.readSnapshot((session, now) => {
      from = this.host.position; // everything after this is gathered
      gathering = new Gathering();
      if (generation === this.generation) this.#gathering = gathering;
      return this.#feed.snapshot(this.host.db, this.#args, session, now);
    });
    if (this.#gathering === gathering) this.#gathering = null;
    return time < from.time || gathering.overflowed ? null : { value, time, gathered: gathering.entries };
  }

  #apply({ position, event }: RingEntry): void {
    if (!this.#state || position.time <= this.#state.holds) return; // the snapshot already includes it
    this.#changedAt = position;
    for (const key of this.#feed.apply(this.#state.value, event, this.#args, this.host.now())) this.#touched.add(key);
  }

  #tick(): void {
    if (!this.#state || !this.#feed.tick || this.subscribers.size === 0) return;
    for (const key of this.#feed.tick(this.#state.value, this.#args, this.host.now())) this.#touched.add(key);
    this.#tell();
  }

  #tell(): void {
    if (!this.#state || this.#isUncertain(this.#state) || this.#touched.size === 0) return;
    const keys = this.#touched;
    this.#touched = new Set();
    this.host.renderings.forget(this);
    this.#measure();
    if (!this.#state) return;
    let event: Event<View, Change> | null = null; // rendered once for all current subscribers
    for (const subscriber of this.subscribers) {
      if (!subscriber.current) this.host.arrears.addKeys(subscriber, keys);
      else {
        event ??= this.#changeEvent(keys, this.#state);
        subscriber.give(event);
      }
    }
  }

  /** Updates its size. Ends subscribers whose account exceeds its share; above the total bound, the largest account makes room. */
  #measure(): void {
    if (!this.#state) return;
    const grown = this.host.ledger.resize(this, this.#feed.bytes(this.#state.value));
    if (!grown) return;
    for (const subscriber of this.subscribers) {
      const excess = this.host.ledger.excessOf(subscriber.account);
      if (excess) subscriber.end(excess);
    }
    this.host.makeRoom();
  }

  // ---- states which events alone do not always determine

  #isUncertain({ value }: Held<State>): boolean {
    if (this.#asOf) return false;
    const { isUncertain } = this.#feed.whole ?? this.#feed.reread ?? {};
    if (!this.#uncertain && isUncertain?.(value)) {
      this.#uncertain = true;
      this.#readAgain();
    }
    return this.#uncertain;
  }

  /** @param before the state that subscribers have seen */
  #readAgain(before = this.#state?.value): void {
    const { generation } = this;
    const read = async () => {
      if (generation !== this.generation) return;
      if (this.subscribers.size > 0) await this.#readState(() => this.#tellWhole());
      if (generation !== this.generation || !this.#state) return;
      this.#uncertain = false;
      if (this.#feed.reread && before !== undefined) this.#tellDifferences(before, this.#state.value);
      else if (this.subscribers.size > 0) this.#tellWhole();
    };
    const again = (error: unknown) => {
      if (generation !== this.generation) return;
      if (error instanceof SextantError && !(error instanceof TransientError)) {
        this.#forgetState();
        this.endAll(error); // for example, what it is about no longer exists
        return;
      }
      this.host.trouble('A followed state could not be read again', error);
      this.#readAgainAt = performance.now() + READ_AGAIN_MS;
      this.#readAgain(before);
    };
    setTimeout(() => read().catch(again), Math.max(0, this.#readAgainAt - performance.now())).unref();
  }

  /** Sends the parts that differ to all; those that are behind get their values later, as of any part. */
  #tellDifferences(before: State, after: State): void {
    const keys = this.#feed.reread?.compare(before, after) ?? null;
    if (keys) for (const key of keys) this.#touched.add(key);
    else {
      this.#touched.clear();
      for (const subscriber of this.subscribers) this.host.arrears.setWhole(subscriber, 'reset');
    }
    this.#tell();
    this.#pumpAll();
  }

  /** Sends the single part to all who have not seen its current value. */
  #tellWhole(): void {
    const { whole } = this.#feed;
    if (!whole || !this.#state || this.#isUncertain(this.#state)) return;
    if (printOf(whole.fingerprint(this.#state.value)) !== this.#toldPrint) this.#touched.add(whole.key);
    this.#tell();
    this.#pumpAll();
  }

  // ---- resuming

  /** Records what the subscriber has missed. @returns false when that is no longer known */
  async #catchUp(subscriber: Follower<View, Change>, { position: from, print }: CursorPlace): Promise<boolean> {
    const { generation } = this;
    // The snapshot, or the client's previous process, may be ahead of this stream: wait for the events in between, too.
    await this.host.reached(later(from.time, this.#state?.holds ?? ''));
    if (generation !== this.generation) return false;
    this.host.arrears.clear(subscriber); // what was recorded so far is included in the lookup below
    const { whole } = this.#feed;
    if (whole && this.#state) {
      if (this.#isUncertain(this.#state) || print !== printOf(whole.fingerprint(this.#state.value)))
        this.host.arrears.addKeys(subscriber, [whole.key]);
      return true;
    }
    // A quiet channel needs no history: nothing has changed since the client left.
    if (comparePositions(from, this.#changedAt) >= 0) return true;
    const missed = await this.host.missed(from, this.#position, this.topics);
    if (generation !== this.generation) return false;
    // Missed events are sent as the current values of all parts they touched.
    for (const { event } of missed ?? []) {
      const keys = this.#feed.touched(event, this.#args);
      if (keys === null) return false;
      this.host.arrears.addKeys(subscriber, keys);
    }
    return missed !== null;
  }

  #changeEvent(keys: ReadonlySet<string>, { value }: Held<State>): Event<View, Change> {
    const change = this.#feed.change(value, keys, this.#args, this.host.now());
    return { kind: 'change', cursor: this.#cursorOf(value), reset: false, change };
  }

  #snapshotEvent(whole: 'snapshot' | 'reset', { value }: Held<State>): Event<View, Change> {
    return this.host.renderings.get(this, whole, () => ({
      kind: 'snapshot',
      cursor: this.#cursorOf(value),
      reset: whole === 'reset',
      view: this.#feed.view(value, this.#args, this.host.now()),
    }));
  }

  #cursorOf(value: State): string {
    const { whole } = this.#feed;
    if (whole) this.#toldPrint = printOf(whole.fingerprint(value));
    return this.cursor(this.#position, { print: this.#toldPrint });
  }

  #pumpAll(): void {
    for (const subscriber of this.subscribers) subscriber.pump();
  }
}

const later = (left: ClusterTime, right: ClusterTime) => (left < right ? right : left);
