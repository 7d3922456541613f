/**
 * The hub: one change stream for this process, opened when somebody follows something and closed a while after the last has gone.
 * It hands each event to the channels of its topics, and keeps the recent ones for those who come back.
 */
import type { ClientSession, Db } from 'mongodb';
import { type EventFeed, followedCollections, type StateFeed } from '../database/index.js';
import { type ClusterTime, clusterTimeMs } from '../shared/cluster-time.js';
import { BusyError } from '../shared/errors.js';
import { CatchUps } from './catch-up.js';
import { type Batch, isHistoryLost, type TimedEvent } from './change-stream.js';
import { type Channel, type ChannelHost, channelId, wholeTime } from './channel.js';
import { Channels } from './channels.js';
import { type CursorScope, CursorSigner, cursorScope, OUTDATED } from './cursor.js';
import { readCursorKeys } from './cursor-key.js';
import { EventChannel } from './event-channel.js';
import { Limiter } from './limiter.js';
import { comparePositions, type Position, WHOLE_TIME } from './position.js';
import { Ring, type RingEntry, toEntry } from './ring.js';
import { readSnapshot } from './snapshot.js';
import { StateChannel } from './state-channel.js';
import { StreamLoop } from './stream-loop.js';
import type { Follow } from './subscriber.js';

export interface HubOptions {
  readonly db: Db;
  /** Events kept for subscribers that come back, and their estimated bytes. */
  readonly ring: { readonly events: number; readonly bytes: number };
  /** Streams that catch up for late subscribers at once. */
  readonly catchUpsMax: number;
  readonly now?: () => Date;
  /** Told of what the hub gets over by itself. */
  readonly onTrouble?: (trouble: string, error: unknown) => void;
  /** How long channels and the stream stay without subscribers, in milliseconds: clients often come right back. */
  readonly lingerMs?: number;
}

export interface HubHealth {
  readonly streaming: boolean;
  readonly subscribers: number;
  readonly channels: number;
  /** How far the last event was behind the clock when it was handed out. */
  readonly lagMs: number;
  readonly ringEvents: number;
  readonly ringReachSeconds: number;
  /** How often the stream had to begin anew while somebody followed something. */
  readonly resets: number;
  readonly catchingUp: number;
  /** How often the stream broke off and was resumed behind its last event. */
  readonly interruptions: number;
  /** Subscribers that came back with a cursor: served from the ring, from the operation log, or with the whole state. */
  readonly resumed: { readonly fromRing: number; readonly caughtUp: number; readonly lost: number };
}

export interface FollowOptions {
  /** The cursor of an event already seen. */
  readonly after?: string | null | undefined;
}

const LINGER_MS = 10_000;
const CHANNELS_MAX = 20_000;
const SNAPSHOTS_AT_ONCE = 16;
const OPEN_MS = 10_000; // how long a subscriber waits for the stream
const END_OF_TIME: ClusterTime = 'f'.repeat(16);
const NOWHERE: Position = { time: '0'.repeat(16), index: 0 };

export class Hub implements ChannelHost {
  readonly db: Db;
  readonly now: () => Date;
  readonly #options: HubOptions;
  readonly #signer: CursorSigner;
  readonly #channels: Channels;
  #closing: NodeJS.Timeout | undefined;
  readonly #snapshots = new Limiter(SNAPSHOTS_AT_ONCE);
  readonly #catchUps: CatchUps;
  readonly #ring: Ring;
  #loop: StreamLoop | null = null;
  #opened: Promise<void> | null = null;
  #position: Position = NOWHERE;
  /** Events of a cluster time that was cut at a batch's end; they wait for the rest of it, so that a transaction is told whole. */
  #held: readonly TimedEvent[] = [];
  /** Everything up to this time has been handed out. */
  #through: ClusterTime = NOWHERE.time;
  #waiting: { readonly time: ClusterTime; readonly resolve: () => void }[] = [];
  #closed = false;
  #lagMs = 0;
  #resets = 0;
  #interruptions = 0;
  readonly #resumed = { fromRing: 0, caughtUp: 0, lost: 0 };

  private constructor(options: HubOptions, signer: CursorSigner) {
    this.#options = options;
    this.#signer = signer;
    this.db = options.db;
    this.now = options.now ?? (() => new Date());
    this.#channels = new Channels(options.lingerMs ?? LINGER_MS);
    this.#ring = new Ring(NOWHERE, options.ring);
    const { db, catchUpsMax: max } = options;
    this.#catchUps = new CatchUps({ db, collections: followedCollections(), max, toEntry });
  }

  /** Makes a hub; reads the keys that sign cursors. Feeds that are declared later are not followed. */
  static async create(options: HubOptions): Promise<Hub> {
    return new Hub(options, new CursorSigner(await readCursorKeys(options.db), followedCollections()));
  }

  get position(): Position {
    return this.#position;
  }

  get health(): HubHealth {
    const channels = this.#channels.all;
    const reach = Math.max(0, clusterTimeMs(this.#position.time) - clusterTimeMs(this.#ring.start.time));
    return {
      streaming: this.#loop !== null,
      subscribers: channels.reduce((sum, { size }) => sum + size, 0),
      channels: channels.length,
      lagMs: this.#lagMs,
      ringEvents: this.#ring.size,
      ringReachSeconds: reach / 1000,
      resets: this.#resets,
      catchingUp: this.#catchUps.running,
      interruptions: this.#interruptions,
      resumed: { ...this.#resumed },
    };
  }

  /**
   * Follows a feed. The first event is the snapshot, or with `after` what was missed, if anything.
   * @throws CursorError the cursor is forged or of another subscription
   * @throws BusyError too much is being followed, or the database does not answer
   */
  async follow<Args, State, View, Change>(
    feed: StateFeed<Args, State, View, Change> | EventFeed<Args, View, Change>,
    args: Args,
    { after }: FollowOptions = {},
  ): Promise<Follow<View, Change>> {
    const scope = cursorScope(feed.name, feed.key(args));
    const place = after ? this.#signer.read(scope, after) : null;
    await this.#open();
    const channel = this.#channels.find(channelId(scope)) ?? this.#addChannel(feed, args);
    // The id names the feed and its arguments, so a channel found by it is of this feed's types.
    const typed = channel as StateChannel<Args, State, View, Change> | EventChannel<Args, View, Change>;
    return typed.join(place === OUTDATED ? { after: null, reset: true } : { after: place, reset: false });
  }

  /** Ends all subscriptions as complete, and the stream. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#channels.close();
    clearTimeout(this.#closing);
    this.#advance(END_OF_TIME); // nobody waits for what will not come
    await this.#loop?.stop();
    this.#loop = null;
  }

  // ---- for channels

  writeCursor(scope: CursorScope, position: Position, entry?: number): string {
    return this.#signer.write(scope, position, entry);
  }

  readSnapshot<T>(read: (session: ClientSession, now: Date) => Promise<T>): Promise<{ value: T; time: ClusterTime }> {
    return this.#snapshots.run(() => readSnapshot(this.db, (session) => read(session, this.now())));
  }

  async missed(from: Position, to: Position, topic: string): Promise<readonly RingEntry[] | null> {
    if (comparePositions(from, to) >= 0) return [];
    const recent = this.#ring.since(from, topic);
    const missed = recent ?? (await this.#catchUps.find(from, to, topic));
    this.#resumed[recent ? 'fromRing' : missed ? 'caughtUp' : 'lost'] += 1;
    return missed;
  }

  reached(time: ClusterTime): Promise<void> {
    if (time <= this.#through) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ time, resolve }));
  }

  idle(channel: Channel): void {
    if (this.#closed) return;
    this.#channels.release(channel, () => {
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
          this.#options.onTrouble?.(trouble, error);
        },
      });
    });
    await withTimeout(this.#opened, OPEN_MS, () => new BusyError('The database does not answer'));
  }

  async #closeStream(): Promise<void> {
    const loop = this.#loop;
    this.#loop = null;
    this.#opened = null;
    await loop?.stop();
  }

  /** What was before is not known: the ring is empty, and whoever follows something begins anew. */
  #begin(openedAt: ClusterTime): void {
    this.#position = wholeTime(openedAt);
    this.#held = [];
    this.#ring.clear(this.#position);
    if (this.#channels.size > 0) this.#resets += 1;
    for (const channel of this.#channels.all) channel.reset();
    this.#advance(openedAt);
  }

  #handOut(batch: Batch): void {
    this.#lagMs = batch.lagMs;
    const events = this.#held.length > 0 ? [...this.#held, ...batch.events] : batch.events;
    const lastTime = events.at(-1)?.time;
    this.#held = batch.cut ? events.filter(({ time }) => time === lastTime) : [];
    const touched = new Set<Channel>();
    for (const { time, event } of events.slice(0, events.length - this.#held.length)) {
      // A new stream may begin with what was committed while it was opened: that lies before its place.
      if (this.#position.index === WHOLE_TIME && time <= this.#position.time) continue;
      const index = time === this.#position.time ? this.#position.index + 1 : 1;
      this.#position = { time, index };
      this.#collect(toEntry(this.#position, event), touched);
    }
    for (const channel of touched) this.#guard(channel, () => channel.flush());
    for (const name of batch.gone) for (const channel of this.#channels.ofCollection(name)) channel.reset();
    this.#advance(this.#held.length > 0 ? this.#position.time : batch.through);
  }

  #advance(through: ClusterTime): void {
    this.#through = through;
    if (this.#waiting.length === 0) return;
    for (const { time, resolve } of this.#waiting) if (time <= through) resolve();
    this.#waiting = this.#waiting.filter(({ time }) => time > through);
  }

  #collect(entry: RingEntry, touched: Set<Channel>): void {
    this.#ring.add(entry);
    for (const topic of entry.topics) {
      for (const channel of this.#channels.onTopic(topic)) {
        this.#guard(channel, () => channel.collect(entry));
        touched.add(channel);
      }
    }
  }

  /** A feed that throws on an event must not stop the stream for all others: its channel begins anew. */
  #guard(channel: Channel, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.onTrouble?.('A feed failed on an event', error);
      channel.reset();
    }
  }

  // ---- channels

  #addChannel<Args, State, View, Change>(
    feed: StateFeed<Args, State, View, Change> | EventFeed<Args, View, Change>,
    args: Args,
  ): Channel {
    if (this.#channels.size >= CHANNELS_MAX) throw new BusyError('Too many different things are being followed');
    const channel = feed.kind === 'state' ? new StateChannel(this, feed, args) : new EventChannel(this, feed, args);
    this.#channels.add(channel);
    return channel;
  }
}

async function withTimeout<T>(promise: Promise<T>, ms: number, toError: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(toError()), ms);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
