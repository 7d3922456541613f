/**
 * The hub: one change stream for this process, opened for the first subscriber and closed a while after the last one has left.
 * It delivers each event to the channels of its topics, and keeps recent events for subscribers that reconnect.
 */
import type { ClientSession, Db } from 'mongodb';
import { type Clock, type EventFeed, followedCollections, openClock, type StateFeed } from '../database/index.js';
import type { ClusterTime } from '../shared/cluster-time.js';
import { BusyError, UnavailableError } from '../shared/errors.js';
import { withTimeout } from '../shared/with-timeout.js';
import { Arrears } from './channels/arrears.js';
import { type Channel, type ChannelHost, channelId, wholeTime } from './channels/channel.js';
import { Channels } from './channels/channels.js';
import { EventChannel } from './channels/event-channel.js';
import { Renderings } from './channels/renderings.js';
import { StateChannel } from './channels/state-channel.js';
import { type Load, type StateBounds, StateLedger } from './channels/state-ledger.js';
import type { Follow } from './channels/subscriber.js';
import { Turns } from './channels/turns.js';
import {
  type CursorDetail,
  type CursorPlace,
  type CursorScope,
  CursorSigner,
  cursorScope,
  OUTDATED,
} from './cursors/cursor.js';
import { readCursorKeys } from './cursors/cursor-key.js';
import { type Position, WHOLE_TIME } from './cursors/position.js';
import type { HubHealth, HubOptions } from './hub-options.js';
import { Alarm } from './stream/alarm.js';
import { type Batch, isHistoryLost, type TimedEvent } from './stream/change-stream.js';
import { ClusterClock } from './stream/cluster-clock.js';
import { History } from './stream/history.js';
import { Limiter } from './stream/limiter.js';
import { Progress } from './stream/progress.js';
import { type RingEntry, toEntry } from './stream/ring.js';
import { readSnapshot } from './stream/snapshot.js';
import { StreamLoop } from './stream/stream-loop.js';

export interface FollowOptions {
  /** The cursor of an event already seen. */
  readonly after?: string | null | undefined;
  /** The account that the subscription's memory counts against. */
  readonly account?: string;
  /** The subscription's own memory, without the followed state. */
  readonly load?: Load;
}

/** The hub as one account sees it. */
export type AccountHub = Pick<Hub, 'follow' | 'sealed' | 'health'>;

const LINGER_MS = 10_000;
const CHANNELS_MAX = 20_000;
const SNAPSHOTS_AT_ONCE = 8; // a large one takes 10 MB while it is read
const STATES: StateBounds = { bytes: 200_000_000, bytesPerAccount: 100_000_000 };
const OPEN_MS = 10_000; // how long a subscriber waits for the stream
const MAKE_ROOM_MS = 5000; // before an ended subscriber should reconnect
const END_OF_TIME: ClusterTime = 'f'.repeat(16);
const NO_LOAD: Load = { bytes: 0, document: {}, documentBytes: 0 };
const NOWHERE: Position = { time: '0'.repeat(16), index: 0 };

export class Hub implements ChannelHost {
  readonly db: Db;
  readonly now: () => Date;
  readonly ledger: StateLedger;
  readonly arrears = new Arrears();
  readonly renderings = new Renderings();
  readonly turns = new Turns();
  readonly #options: HubOptions;
  readonly #clock: ClusterClock;
  readonly #alarm: Alarm;
  readonly #signer: CursorSigner;
  readonly #channels: Channels;
  #closing: NodeJS.Timeout | undefined;
  readonly #snapshots = new Limiter(SNAPSHOTS_AT_ONCE);
  readonly #history: History;
  #loop: StreamLoop | null = null;
  #opened: Promise<void> | null = null;
  #position: Position = NOWHERE;
  /** Events of a cluster time that a batch boundary cut; they wait for the rest, so that a transaction is delivered whole. */
  #held: readonly TimedEvent[] = [];
  readonly #progress = new Progress(NOWHERE.time);
  #closed = false;
  #resets = 0;
  #interruptions = 0;

  private constructor(options: HubOptions, signer: CursorSigner, now: Clock) {
    this.#options = options;
    this.#signer = signer;
    this.db = options.db;
    this.now = now;
    this.ledger = new StateLedger(options.states ?? STATES);
    this.#clock = new ClusterClock(options.db);
    this.#alarm = new Alarm((text) => this.trouble(text, null));
    this.#channels = new Channels(options.lingerMs ?? LINGER_MS);
    this.#history = new History(options, NOWHERE);
  }

  /** Creates a hub; reads the keys that sign cursors. Feeds declared later are not followed. */
  static async create(options: HubOptions): Promise<Hub> {
    const signer = new CursorSigner(await readCursorKeys(options.db), followedCollections());
    return new Hub(options, signer, options.now ?? (await openClock(options.db.client)));
  }

  get position(): Position {
    return this.#position;
  }

  /** See `HubHealth`. */
  get lagMs(): number {
    return this.#loop?.lagMs ?? 0;
  }

  get health(): HubHealth {
    const channels = this.#channels.all;
    return {
      streaming: this.#loop !== null,
      subscribers: channels.reduce((sum, { size }) => sum + size, 0),
      channels: channels.length,
      lagMs: this.lagMs,
      resets: this.#resets,
      alarm: this.#alarm.isOn,
      stateBytes: this.ledger.bytes,
      pendingParts: this.arrears.keys,
      snapshotsWaiting: this.turns.waiting,
      snapshotsKept: this.renderings.count,
      interruptions: this.#interruptions,
      ...this.#history.health(this.#position.time),
    };
  }

  /**
   * Follows a feed. The first event is the snapshot, or with `after` what was missed, if anything.
   * It may be ended later with a BusyError, when the total is too large and its account follows the most.
   * @throws CursorError the cursor is forged or of another subscription
   * @throws LimitError the account follows too much
   * @throws BusyError the server is shutting down
   * @throws UnavailableError the change stream could not be opened within 10 s
   */
  async follow<Args, State, View, Change>(
    feed: StateFeed<Args, State, View, Change> | EventFeed<Args, View, Change>,
    args: Args,
    { after, account = '', load = NO_LOAD }: FollowOptions = {},
  ): Promise<Follow<View, Change>> {
    const scope = cursorScope(feed.name, feed.key(args));
    const read = after ? this.#signer.read(scope, after) : null;
    await this.#open();
    const place = read && read !== OUTDATED ? await this.#reachable(read) : read;
    const excess = this.ledger.excessOf(account);
    if (excess) throw excess;
    this.makeRoom();
    const channel = this.#channels.find(channelId(scope)) ?? this.#addChannel(feed, args);
    // The id names the feed and its arguments, so a channel found by it is of this feed's types.
    const typed = channel as StateChannel<Args, State, View, Change> | EventChannel<Args, View, Change>;
    const isOutdated = place === OUTDATED;
    return typed.join({ after: isOutdated ? null : place, reset: isOutdated, account, load });
  }

  /** A position that the cluster has not reached is from another history: its next events would never occur. */
  async #reachable(place: CursorPlace): Promise<CursorPlace | typeof OUTDATED> {
    const { time } = place.position;
    return time <= this.#progress.through || (await this.#clock.hasReached(time)) ? place : OUTDATED;
  }

  /** The hub for an operation of an account: what it follows counts against the account's share of memory. */
  of(account: string, load = NO_LOAD): AccountHub {
    const hub = this;
    return {
      follow: (feed, args, options) => hub.follow(feed, args, { ...options, account, load }),
      sealed: hub.sealed,
      get health() {
        return hub.health;
      },
    };
  }

  /** Completes all subscriptions, and closes the stream. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#channels.close();
    clearTimeout(this.#closing);
    this.#progress.advance(END_OF_TIME); // releases those who wait for events that will not arrive
    await this.#loop?.stop();
    this.#loop = null;
  }

  /** For what a cursor tells besides its place (`guardFollow`). */
  readonly sealed = (text: string): string => this.#signer.seal(text);

  // ---- for channels

  writeCursor(scope: CursorScope, position: Position, detail?: CursorDetail): string {
    return this.#signer.write(scope, position, detail);
  }

  /** Removes idle channels first; then ends, one by one, the largest subscriptions of the accounts that use the most. */
  makeRoom(): void {
    const hasRoom = () => !this.ledger.full && this.#channels.size <= CHANNELS_MAX;
    this.#channels.dropIdle(hasRoom);
    while (!hasRoom()) {
      const next = this.ledger.largest();
      if (!next) return;
      next.channel.endFor(next.account, new BusyError('The subscriptions use too much memory', MAKE_ROOM_MS));
      this.#channels.dropIdle(hasRoom);
    }
  }

  trouble(what: string, error: unknown): void {
    this.#options.onTrouble?.(what, error);
  }

  readSnapshot<T>(read: (session: ClientSession, now: Date) => Promise<T>): Promise<{ value: T; time: ClusterTime }> {
    return this.#snapshots.run(() => readSnapshot(this.db, (session) => read(session, this.now())));
  }

  missed(from: Position, to: Position, topics: ReadonlySet<string>): Promise<readonly RingEntry[] | null> {
    return this.#history.missed(from, to, topics);
  }

  recent(from: Position, topics: ReadonlySet<string>): readonly RingEntry[] | null {
    return this.#history.recent(from, topics);
  }

  topicsChanged(channel: Channel, before: ReadonlySet<string>): void {
    this.#channels.topicsChanged(channel, before);
  }

  reached(time: ClusterTime): Promise<void> {
    return this.#progress.reached(time);
  }

  idle(channel: Channel): void {
    if (this.#closed) return;
    this.#channels.release(channel, () => {
      this.ledger.remove(channel);
      if (this.#channels.size > 0) return;
      this.#closing = setTimeout(() => void this.#closeStream(), this.#options.lingerMs ?? LINGER_MS).unref();
    });
  }

  // ---- the stream

  async #open(): Promise<void> {
    if (this.#closed) throw new BusyError('The server is shutting down');
    clearTimeout(this.#closing);
    this.#opened ??= new Promise((resolve) => {
      this.#loop = new StreamLoop({
        db: this.db,
        collections: followedCollections(),
        onBegin: (openedAt) => {
          this.#begin(openedAt);
          resolve();
        },
        onBatch: (batch) => this.#handOut(batch),
        onTrouble: (trouble, error) => {
          if (!isHistoryLost(error)) this.#interruptions += 1;
          this.trouble(trouble, error);
        },
      });
    });
    await withTimeout(this.#opened, OPEN_MS, () => new UnavailableError());
  }

  async #closeStream(): Promise<void> {
    const loop = this.#loop;
    this.#loop = null;
    this.#opened = null;
    await loop?.stop();
  }

  /** Earlier events are unknown: the ring is emptied, and all channels start over. */
  #begin(openedAt: ClusterTime): void {
    this.#position = wholeTime(openedAt);
    this.#held = [];
    this.#history.begin(this.#position);
    if (this.#channels.size > 0) {
      this.#resets += 1;
      this.#alarm.count();
    }
    for (const channel of this.#channels.all) channel.reset();
    this.#progress.advance(openedAt);
  }

  #handOut(batch: Batch): void {
    const events = this.#held.length > 0 ? [...this.#held, ...batch.events] : batch.events;
    const lastTime = events.at(-1)?.time;
    this.#held = batch.cut ? events.filter(({ time }) => time === lastTime) : [];
    const touched = new Set<Channel>();
    for (const { time, event } of events.slice(0, events.length - this.#held.length)) {
      // A new stream may start with events committed while it was opened: they lie before its position.
      if (this.#position.index === WHOLE_TIME && time <= this.#position.time) continue;
      const index = time === this.#position.time ? this.#position.index + 1 : 1;
      this.#position = { time, index };
      this.#collect(toEntry(this.#position, event), touched);
    }
    for (const channel of touched) this.#guard(channel, () => channel.flush());
    for (const name of batch.gone) for (const channel of this.#channels.ofCollection(name)) channel.reset();
    this.#progress.advance(this.#held.length > 0 ? this.#position.time : batch.through);
  }

  #collect(entry: RingEntry, touched: Set<Channel>): void {
    this.#history.add(entry);
    for (const topic of entry.topics) {
      for (const channel of this.#channels.onTopic(topic)) {
        this.#guard(channel, () => channel.collect(entry));
        touched.add(channel);
      }
    }
  }

  /** A feed that throws on an event must not stop the stream for all others: its channel starts over. */
  #guard(channel: Channel, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.trouble('A feed failed on an event', error);
      channel.reset();
    }
  }

  // ---- channels

  #addChannel<Args, State, View, Change>(
    feed: StateFeed<Args, State, View, Change> | EventFeed<Args, View, Change>,
    args: Args,
  ): Channel {
    const channel = feed.kind === 'state' ? new StateChannel(this, feed, args) : new EventChannel(this, feed, args);
    this.#channels.add(channel);
    this.ledger.add(channel);
    return channel;
  }
}
