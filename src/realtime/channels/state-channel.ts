/**
 * A followed state, with one copy of it for all subscribers.
 *
 * It starts with a snapshot at a cluster time, and the events since then (`state-reader.ts`), and applies every event of its topics.
 * When events no longer determine the state, nothing is sent until it has been read again (`uncertainty.ts`). What was read is told as of
 * its time, before the events after it make the state uncertain again: otherwise nothing would be told as long as these go on.
 * A subscriber that is behind costs only the keys of what changed meanwhile; the values are taken from the state when it is ready.
 */
import type { FeedEvent, StateFeed } from '../../database/index.js';
import type { ClusterTime } from '../../shared/cluster-time.js';
import { SextantError, TransientError } from '../../shared/errors.js';
import { type CursorPlace, cursorScope, printOf } from '../cursors/cursor.js';
import { comparePositions, laterPosition, type Position } from '../cursors/position.js';
import type { RingEntry } from '../stream/ring.js';
import type { Pending } from './arrears.js';
import { ChannelBase, type ChannelHost, type Origin, wholeTime } from './channel.js';
import { Pace } from './pace.js';
import { type StateRead, StateReader } from './state-reader.js';
import type { Subscriber } from './subscriber.js';
import { Uncertainty } from './uncertainty.js';

/** The state, and the cluster time up to which it was read. */
interface Held<State> {
  readonly value: State;
  readonly holds: ClusterTime;
}

/** One who resumes waits for so many reads that did not make the state certain. Then the whole state is next, as of the next read. */
const SPELLS_MAX = 2;

type Event<View, Change> = FeedEvent<View, Change>;
type Follower<View, Change> = Subscriber<Event<View, Change>, Pending>;

export class StateChannel<Args, State, View, Change> extends ChannelBase<View, Change, Pending> {
  readonly #feed: StateFeed<Args, State, View, Change>;
  readonly #args: Args;
  readonly #reader: StateReader<Args, State>;
  readonly #uncertainty: Uncertainty;
  #state: Held<State> | null = null;
  /** The last event that affected it, or the snapshot. */
  #changedAt: Position = wholeTime('f'.repeat(16));
  #seeding: Promise<void> | null = null;
  /** Parts changed since the subscribers were last notified. */
  #touched = new Set<string>();
  /** It was read again, and subscribers were told what differs. */
  #isCompared = false;
  /** Of the event collected last. */
  #collectedAt: Position | null = null;
  #toldPrint: string | undefined;
  /** The position to report, where it differs from that of the hub. */
  #asOf: Position | null = null;
  readonly #ticker: NodeJS.Timeout | undefined;
  readonly #pace = new Pace(() => this.#tell());

  constructor(host: ChannelHost, feed: StateFeed<Args, State, View, Change>, args: Args) {
    super(host, cursorScope(feed.name, feed.key(args)), feed.topic(args));
    this.#feed = feed;
    this.#args = args;
    this.#reader = new StateReader(host, feed, args, this);
    this.#uncertainty = new Uncertainty(
      () => this.#readAgain(),
      (error) => host.trouble('A followed state could not be read again', error),
    );
    this.#ticker = feed.tickMs ? setInterval(() => this.#tick(), feed.tickMs).unref() : undefined;
  }

  collect(entry: RingEntry): void {
    if (entry.position === this.#collectedAt) return; // it has several of the topics
    this.#collectedAt = entry.position;
    this.#reader.gather(entry);
    if (!this.#state) return;
    if (!this.#isIncluded(entry, this.#state)) this.#apply(entry);
    else if (this.#isCompared) this.#touch(this.#feed.reread?.late?.(this.#state.value, entry.event) ?? []);
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
    this.#resetAll();
    if (this.subscribers.size === 0) return;
    this.#seed().then(
      () => this.#pumpAll(),
      (error: Error) => this.endAll(error), // the channel itself stays: the next subscriber reads again
    );
  }

  override close(error?: Error): void {
    clearInterval(this.#ticker);
    this.#pace.end();
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
    return pending?.whole != null && !this.#feed.whole && !this.#asOf; // it is told as read now or, if it is uncertain by its turn, not at all
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
    this.#reader.stop();
    this.#uncertainty.end();
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
    const isVoid = () => generation !== this.generation;
    const isRead = await this.#reader.read(isVoid, this.#state?.value, (read) => {
      this.#uncertainty.hasRead(performance.now() - begin);
      this.#use(read, onRead);
    });
    if (!isRead) return this.#seed(); // a reset has started another read meanwhile
  }

  #use({ value, time, topics, entries }: StateRead<State>, onRead?: () => void): void {
    const { reread } = this.#feed;
    const before = this.#state;
    const differing = before && reread ? reread.compare(before.value, value) : [];
    if (differing) this.#touch(differing);
    else this.#resetAll();
    this.#isCompared = before !== null && differing !== null;
    this.#state = { value, holds: time };
    this.setTopics(topics);
    this.#changedAt = wholeTime(time);
    this.host.renderings.forget(this);
    this.#asOf = wholeTime(time);
    onRead?.();
    this.#asOf = null;
    for (const entry of entries) this.#apply(entry);
    if (!before || !reread) this.#touched.clear(); // no subscriber has seen the state yet, or each is told its single part
    this.host.renderings.forget(this);
    this.#measure();
  }

  #apply(entry: RingEntry): void {
    if (!this.#state || this.#isIncluded(entry, this.#state)) return;
    this.#changedAt = entry.position;
    this.#touch(this.#feed.apply(this.#state.value, entry.event, this.#args, this.host.now()));
  }

  /** Whether the state was read with it. */
  #isIncluded({ position }: RingEntry, { holds }: Held<State>): boolean {
    return position.time <= holds;
  }

  /** These parts are told next. */
  #touch(keys: readonly string[]): void {
    for (const key of keys) this.#touched.add(key);
  }

  #resetAll(): void {
    for (const subscriber of this.subscribers) this.host.arrears.setWhole(subscriber, 'reset');
  }

  #tick(): void {
    if (!this.#state || !this.#feed.tick || this.subscribers.size === 0) return;
    this.#touch(this.#feed.tick(this.#state.value, this.#args, this.host.now()));
    this.#tell();
  }

  #tell(): void {
    if (!this.#state || this.#isUncertain(this.#state) || this.#touched.size === 0) return;
    if (!this.#pace.begin(this.#feed.paceMs?.(this.#state.value) ?? 0)) return;
    const keys = this.#touched;
    this.#touched = new Set();
    this.host.renderings.forget(this);
    this.#measure();
    if (!this.#state) return;
    let event: Event<View, Change> | null = null; // rendered once for all current subscribers
    for (const subscriber of this.subscribers) {
      if (!subscriber.current) this.host.arrears.addKeys(subscriber, keys, this.#feed.resetAbove);
      else {
        event ??= this.#changeEvent(keys, this.#state);
        subscriber.give(event);
      }
    }
  }

  #measure(): void {
    if (this.#state) this.resize(this.#feed.bytes(this.#state.value));
  }

  // ---- states that events alone do not always determine

  #isUncertain({ value }: Held<State>): boolean {
    if (this.#asOf) return false;
    const { whole, reread } = this.#feed;
    if (!this.#uncertainty.isOn && (whole?.isUncertain(value) || reread?.isUncertain(value))) this.#uncertainty.begin();
    return this.#uncertainty.isOn;
  }

  async #readAgain(): Promise<void> {
    const { generation } = this;
    try {
      if (this.subscribers.size > 0 && !(await this.#complete())) await this.#readState(() => this.#tellRead());
    } catch (error) {
      if (!isFinal(error)) throw error;
      if (generation === this.generation) this.#fail(error);
    }
    if (generation !== this.generation) return;
    this.#uncertainty.end();
    if (this.subscribers.size > 0) this.#tellRead();
  }

  /** @returns whether the state lacked so little that only this was read */
  async #complete(): Promise<boolean> {
    const held = this.#state;
    const missing = held && this.#feed.reread?.missing?.(held.value);
    if (!held || !missing) return false;
    const begin = performance.now();
    let from = this.host.position;
    const { value: complete, time } = await this.host.readSnapshot((session) => {
      from = this.host.position;
      return missing(this.host.db, session);
    });
    this.#uncertainty.hasCompleted(performance.now() - begin);
    if (this.#state !== held) return true; // a reset: the state is read as a whole
    if (time < from.time) return false; // older than what the state has: it would undo a change
    this.#touch(complete());
    return true;
  }

  /** What is followed can no longer be read. The channel itself stays: the next subscriber reads again. */
  #fail(error: Error): void {
    this.#forgetState();
    this.endAll(error);
  }

  /** The state has been read again: sends what subscribers have not seen. */
  #tellRead(): void {
    const { whole } = this.#feed;
    if (!this.#state || this.#isUncertain(this.#state)) return;
    if (whole && printOf(whole.fingerprint(this.#state.value)) !== this.#toldPrint) this.#touched.add(whole.key);
    this.#tell();
    this.#pumpAll();
  }

  // ---- resuming

  /** Records what the subscriber has missed. @returns false when that is no longer known */
  async #catchUp(subscriber: Follower<View, Change>, { position: from, print }: CursorPlace): Promise<boolean> {
    const { generation } = this;
    const isSettled = await this.#settle(subscriber, from.time);
    if (!isSettled || generation !== this.generation) return false;
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
    if (generation !== this.generation || !this.#state) return false;
    // Missed events are sent as the current values of all parts they touched.
    for (const { event } of missed ?? []) {
      const keys = this.#feed.touched(event, this.#args, this.#state.value);
      if (!keys) return false;
      this.host.arrears.addKeys(subscriber, keys, this.#feed.resetAbove);
    }
    return missed !== null;
  }

  /**
   * Waits until the state is certain, unless it has a single part, and everything up to it and up to a time has been delivered.
   * @returns false if it became uncertain again and again
   */
  async #settle(subscriber: Follower<View, Change>, time: ClusterTime): Promise<boolean> {
    const { generation } = this;
    const isVoid = () => generation !== this.generation || subscriber.ended;
    const isOpen = () => this.#feed.reread !== undefined && this.#state !== null && this.#isUncertain(this.#state);
    let through: ClusterTime;
    let spells = 0;
    do {
      // The snapshot, or the client's previous process, may be ahead of this stream: wait for the events in between, too.
      through = later(time, this.#state?.holds ?? '');
      await this.host.reached(through);
      if (isVoid() || !isOpen()) continue;
      spells += 1;
      if (spells > SPELLS_MAX) return false;
      await this.#uncertainty.over;
    } while (!isVoid() && (isOpen() || (this.#state?.holds ?? '') > through));
    return true;
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

/** Whether an error says that no retry helps. */
const isFinal = (error: unknown): error is SextantError =>
  error instanceof SextantError && !(error instanceof TransientError);

const later = (left: ClusterTime, right: ClusterTime) => (left < right ? right : left);
