/** A channel is one followed subject: a feed with its arguments, and all its subscribers. See `state-channel.ts`, `event-channel.ts`. */
import type { ClientSession, Db } from 'mongodb';
import type { FeedEvent } from '../../database/index.js';
import type { ClusterTime } from '../../shared/cluster-time.js';
import type { CursorDetail, CursorPlace, CursorScope } from '../cursors/cursor.js';
import { type Position, WHOLE_TIME } from '../cursors/position.js';
import type { RingEntry } from '../stream/ring.js';
import type { Arrears } from './arrears.js';
import type { Renderings } from './renderings.js';
import type { Followed, Load, StateLedger } from './state-ledger.js';
import { Subscriber, type SubscriberHost } from './subscriber.js';
import type { Turns } from './turns.js';

/** The approximate size of a topic, and of its place in the hub's index. */
const TOPIC_BYTES = 200;

/** What the hub provides to its channels. */
export interface ChannelHost {
  readonly db: Db;
  readonly now: () => Date;
  /** Up to where events have been delivered. */
  readonly position: Position;
  readonly ledger: StateLedger;
  readonly arrears: Arrears;
  readonly renderings: Renderings;
  readonly turns: Turns;
  /** Reads at one cluster time, which it also returns. */
  readSnapshot<T>(read: (session: ClientSession, now: Date) => Promise<T>): Promise<{ value: T; time: ClusterTime }>;
  writeCursor(scope: CursorScope, position: Position, detail?: CursorDetail): string;
  /** The events after `from` up to `to` that have any of the topics; null when history is lost. */
  missed(from: Position, to: Position, topics: ReadonlySet<string>): Promise<readonly RingEntry[] | null>;
  /** The events after `from` that were delivered and have any of the topics; null when they are no longer in memory. */
  recent(from: Position, topics: ReadonlySet<string>): readonly RingEntry[] | null;
  /** A channel has other topics than before. */
  topicsChanged(channel: Channel, before: ReadonlySet<string>): void;
  /** Resolves when everything committed up to a time has been delivered. */
  reached(time: ClusterTime): Promise<void>;
  /** The last subscriber has left. */
  idle(channel: Channel): void;
  /** Ends the largest subscriptions while memory use exceeds the bounds. */
  makeRoom(): void;
  /** Reports a problem from which the channel recovers by itself. */
  trouble(what: string, error: unknown): void;
}

/** Where a subscriber starts. */
export interface Origin {
  /** What it has seen; null: it needs the whole state. */
  readonly after: CursorPlace | null;
  /** It had a cursor from which it cannot resume. */
  readonly reset: boolean;
}

export interface Arrival extends Origin {
  /** The account that the subscription's memory counts against. */
  readonly account: string;
  /** The subscription's own memory, without the followed state. */
  readonly load: Load;
}

/** What the hub needs to know about a channel; only the feed knows its types. */
export interface Channel extends Followed {
  readonly id: string;
  /** What it follows, each with the feed's name (`topicOf`). The set is replaced, never modified. */
  readonly topics: ReadonlySet<string>;
  readonly size: number;
  /** Receives an event of its topics, perhaps once for each of them. */
  collect(entry: RingEntry): void;
  /** All events up to the hub's position have been collected: notifies the subscribers. */
  flush(): void;
  /** The position is lost: starts over, and sends a reset. */
  reset(): void;
  /** Ends all subscriptions. */
  close(error?: Error): void;
}

/** Shared by both kinds of channels: the subscribers, and how far each has got. */
export abstract class ChannelBase<View, Change, Pending> implements Channel {
  readonly id: string;
  protected readonly host: ChannelHost;
  protected readonly subscribers = new Set<Subscriber<FeedEvent<View, Change>, Pending>>();
  /** Incremented by every reset: work that started before it is void. */
  protected generation = 0;
  readonly #scope: CursorScope;
  #topics: ReadonlySet<string>;
  readonly #subscriberHost: SubscriberHost<FeedEvent<View, Change>, Pending> = {
    nextEvent: (asking) => this.nextEvent(asking),
    isLarge: (asking) => this.isLarge(asking),
    takeTurn: (work) => this.host.turns.take(work),
    leave: (leaving) => {
      this.subscribers.delete(leaving);
      this.forget?.(leaving);
      this.host.ledger.leave(this, leaving.account, leaving.load);
      if (this.subscribers.size === 0) this.host.idle(this);
    },
  };

  constructor(host: ChannelHost, scope: CursorScope, topic: string) {
    this.host = host;
    this.#scope = scope;
    this.id = channelId(scope);
    this.#topics = new Set([topicOf(scope.feed, topic)]);
  }

  get topics(): ReadonlySet<string> {
    return this.#topics;
  }

  get size(): number {
    return this.subscribers.size;
  }

  /** Adds a subscriber. Its first event is sent once its position is known. */
  join(arrival: Arrival): Subscriber<FeedEvent<View, Change>, Pending> {
    const { account, load } = arrival;
    const host = this.#subscriberHost;
    const subscriber: Subscriber<FeedEvent<View, Change>, Pending> = new Subscriber(host, account, load);
    this.subscribers.add(subscriber);
    this.host.ledger.enter(this, account, load);
    this.place(subscriber, arrival).catch((error: Error) => subscriber.end(error));
    return subscriber;
  }

  abstract collect(entry: RingEntry): void;
  abstract flush(): void;
  abstract reset(): void;

  close(error?: Error): void {
    this.endAll(error);
  }

  endFor(account: string, error: Error): void {
    for (const subscriber of [...this.subscribers]) if (subscriber.account === account) subscriber.end(error);
  }

  /** It receives the events of these topics from now on. */
  setTopics(topics: ReadonlySet<string>): void {
    if (topics === this.#topics) return;
    const before = this.#topics;
    this.#topics = topics;
    this.host.topicsChanged(this, before);
  }

  /** Updates its size. Ends subscribers whose account exceeds its share; above the total bound, the largest account makes room. */
  protected resize(stateBytes: number): void {
    const grown = this.host.ledger.resize(this, stateBytes + TOPIC_BYTES * (this.#topics.size - 1));
    if (!grown) return;
    for (const subscriber of this.subscribers) {
      const excess = this.host.ledger.excessOf(subscriber.account);
      if (excess) subscriber.end(excess);
    }
    this.host.makeRoom();
  }

  protected endAll(error?: Error): void {
    for (const subscriber of [...this.subscribers]) subscriber.end(error);
  }

  /** Determines from where the subscriber needs events, sets what is pending for it, and starts it. */
  protected abstract place(subscriber: Subscriber<FeedEvent<View, Change>, Pending>, origin: Origin): Promise<void>;
  protected abstract nextEvent(
    subscriber: Subscriber<FeedEvent<View, Change>, Pending>,
  ): FeedEvent<View, Change> | null;

  /** Whether the next event of a subscriber may take long to render: then it waits for its turn. */
  protected abstract isLarge(subscriber: Subscriber<FeedEvent<View, Change>, Pending>): boolean;

  /** A subscriber has left. */
  protected forget?(subscriber: Subscriber<FeedEvent<View, Change>, Pending>): void;

  protected cursor(position: Position, detail?: CursorDetail): string {
    return this.host.writeCursor(this.#scope, position, detail);
  }
}

export function channelId({ feed, key }: CursorScope): string {
  return `${feed}\0${key}`;
}

/** A feed's topic among those of all feeds. */
export function topicOf(feed: string, topic: string): string {
  return `${feed}\0${topic}`;
}

/** A state at a cluster time includes everything of that time. */
export function wholeTime(time: ClusterTime): Position {
  return { time, index: WHOLE_TIME };
}
