/** A channel is one thing that is followed: a feed with its arguments, and all who follow it. See `state-channel.ts`, `event-channel.ts`. */
import type { ClientSession, Db } from 'mongodb';
import type { FeedEvent } from '../database/index.js';
import type { ClusterTime } from '../shared/cluster-time.js';
import type { CursorScope } from './cursor.js';
import { type Position, WHOLE_TIME } from './position.js';
import type { RingEntry } from './ring.js';
import { Subscriber, type SubscriberHost } from './subscriber.js';

/** What the hub does for its channels. */
export interface ChannelHost {
  readonly db: Db;
  readonly now: () => Date;
  /** Up to where events have been handed out. */
  readonly position: Position;
  /** Reads at one cluster time, which it gives too. */
  readSnapshot<T>(read: (session: ClientSession, now: Date) => Promise<T>): Promise<{ value: T; time: ClusterTime }>;
  writeCursor(scope: CursorScope, position: Position, entry?: number): string;
  /** The events after `from` up to `to` on a topic; null when history is lost. */
  missed(from: Position, to: Position, topic: string): Promise<readonly RingEntry[] | null>;
  /** Resolves when everything that was committed up to a time has been handed out. */
  reached(time: ClusterTime): Promise<void>;
  /** The last subscriber has gone. */
  idle(channel: Channel): void;
}

/** Where a subscriber comes from. */
export interface Arrival {
  /** What it has seen; null: it wants the whole. */
  readonly after: SeenPlace | null;
  /** It had a cursor that cannot be followed up. */
  readonly reset: boolean;
}

export interface SeenPlace {
  readonly position: Position;
  /** Of the last event: how many of its entries. */
  readonly entry: number;
}

/** What the hub needs to know of a channel; its types are the feed's affair. */
export interface Channel {
  readonly id: string;
  /** The feed's name and its topic. */
  readonly topic: string;
  readonly size: number;
  /** Takes an event of its topic. */
  collect(entry: RingEntry): void;
  /** All events up to the hub's position have been collected: tells the subscribers. */
  flush(): void;
  /** What was followed is lost: begins anew, and tells so. */
  reset(): void;
  /** Ends all subscriptions. */
  close(error?: Error): void;
}

/** What both kinds of channels share: who is there, and how far they have been told. */
export abstract class ChannelBase<View, Change, Pending> implements Channel {
  readonly id: string;
  readonly topic: string;
  protected readonly host: ChannelHost;
  protected readonly subscribers = new Set<Subscriber<FeedEvent<View, Change>, Pending>>();
  /** Rises with every reset: what was begun before it is void. */
  protected generation = 0;
  readonly #scope: CursorScope;
  readonly #subscriberHost: SubscriberHost<FeedEvent<View, Change>, Pending> = {
    nextEvent: (asking) => this.nextEvent(asking),
    leave: (leaving) => {
      this.subscribers.delete(leaving);
      this.forget?.(leaving);
      if (this.subscribers.size === 0) this.host.idle(this);
    },
  };

  constructor(host: ChannelHost, scope: CursorScope, topic: string) {
    this.host = host;
    this.#scope = scope;
    this.id = channelId(scope);
    this.topic = topic;
  }

  get size(): number {
    return this.subscribers.size;
  }

  /** Adds a subscriber. Its first event comes when its place is fixed. */
  join(arrival: Arrival): Subscriber<FeedEvent<View, Change>, Pending> {
    const subscriber: Subscriber<FeedEvent<View, Change>, Pending> = new Subscriber(this.#subscriberHost);
    this.subscribers.add(subscriber);
    this.place(subscriber, arrival).catch((error: Error) => subscriber.end(error));
    return subscriber;
  }

  abstract collect(entry: RingEntry): void;
  abstract flush(): void;
  abstract reset(): void;

  close(error?: Error): void {
    for (const subscriber of [...this.subscribers]) subscriber.end(error);
  }

  /** Finds out from where on the subscriber needs events, sets what is pending for it, and lets it begin. */
  protected abstract place(subscriber: Subscriber<FeedEvent<View, Change>, Pending>, arrival: Arrival): Promise<void>;
  protected abstract nextEvent(
    subscriber: Subscriber<FeedEvent<View, Change>, Pending>,
  ): FeedEvent<View, Change> | null;

  /** A subscriber has left. */
  protected forget?(subscriber: Subscriber<FeedEvent<View, Change>, Pending>): void;

  protected cursor(position: Position, entry?: number): string {
    return this.host.writeCursor(this.#scope, position, entry);
  }
}

export function channelId({ feed, key }: CursorScope): string {
  return `${feed}\0${key}`;
}

/** The state at a cluster time holds everything of that time. */
export function wholeTime(time: ClusterTime): Position {
  return { time, index: WHOLE_TIME };
}
