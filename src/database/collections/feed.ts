/**
 * Feeds: models declare them so that their documents can be followed live. Everything here is pure except `snapshot`, which reads in
 * the given session. The hub (`src/realtime`) runs feeds: it knows no domain, and a feed knows no subscriber.
 *
 * A state feed sends the state, then the parts that changed, each with its current value. A part is named by a key
 * (a chart's slot, a cart's line). Only keys are kept for a subscriber that is behind, so any number of changes to the same
 * part merge into one, and no final value is lost.
 *
 * An event feed sends a list's new entries one by one; none may be merged or dropped.
 */
import type { ClientSession, Db, Document, Timestamp } from 'mongodb';

/** A change of one document, as in the change stream (no lookup, no pre-image). */
export interface ChangeEvent {
  readonly collection: string;
  readonly operation: 'insert' | 'update' | 'replace' | 'delete';
  /** `_id`, and the shard key's fields on a sharded cluster. */
  readonly documentKey: Document;
  /** The whole document, for an insert or a replacement. */
  readonly document?: Document;
  /** Dotted paths with their new values, for an update. A new subdocument is one value: `{'minute.4': {7: 1}}`. */
  readonly updated?: Readonly<Record<string, unknown>>;
  /** Removed dotted paths, for an update. */
  readonly removed?: readonly string[];
  /** Truncated arrays, for an update. */
  readonly truncated?: readonly { readonly field: string; readonly newSize: number }[];
  /** The cluster time of the commit. Several events may share it. */
  readonly time: Timestamp;
}

/** A collection that a feed reads. */
export interface FollowedCollection {
  readonly collectionName: string;
  /** The fields that the feed reads of it. Default: those that it reads of all its collections. */
  readonly fields?: readonly string[];
}

interface FeedBase<Args> {
  /** Unique among all feeds. A cursor is valid for one feed and one `key` only. */
  readonly name: string;
  readonly collections: readonly FollowedCollection[];
  /** The document fields that it reads: the stream carries no others, unless another feed reads all. Default: all. */
  readonly fields?: readonly string[];
  /** Identifies what `args` asks for: equal keys mean the same subject. */
  key(args: Args): string;
  /** The topic whose changes can concern `args`. */
  topic(args: Args): string;
  /** The topics that an event affects. Called for every event of the collections, so it must be cheap. */
  topics(event: ChangeEvent): readonly string[];
}

/** A state and its parts. Declare it with `defineFeed`. */
export interface StateFeed<Args, State, View, Change> extends FeedBase<Args> {
  readonly kind: 'state';
  /**
   * Reads the state at one cluster time: every read must use the session. Bounded in size.
   * @param before the state that is read again, if it is; events are applied to it meanwhile
   */
  snapshot(db: Db, args: Args, session: ClientSession, now: Date, before?: State): Promise<State>;
  /**
   * The topics that concern a state besides `topic(args)`, for example one per followed person; some 15,000 at most. Asked only
   * after a read: an event that may change them makes the state uncertain (`whole`, `reread`), and `touched` is null for it.
   */
  topicsOf?(state: State, args: Args): readonly string[];
  /**
   * The keys of all parts that an event may affect. Pure: it is called for events that a subscriber has missed. Null: they cannot be
   * named, and the subscriber gets the whole state as a reset.
   * @param state has the event
   */
  touched(event: ChangeEvent, args: Args, state: State): readonly string[] | null;
  /**
   * Applies an event to the state, in place.
   * @returns the keys of the parts whose change is visible to subscribers
   */
  apply(state: State, event: ChangeEvent, args: Args, now: Date): readonly string[];
  /** The whole state as it is sent. Later calls of `apply` must not modify the returned value. */
  view(state: State, args: Args, now: Date): View;
  /**
   * The current values of the parts with these keys. Later calls of `apply` must not modify the returned value either. It must depend
   * on the arguments alone: each subscriber may ask for different keys.
   */
  change(state: State, keys: ReadonlySet<string>, args: Args, now: Date): Change;
  /** For states that also change as time passes: how often `tick` is called, in milliseconds. */
  readonly tickMs?: number;
  /** Advances the state to `now`. @returns the keys of the parts whose change is visible to subscribers */
  tick?(state: State, args: Args, now: Date): readonly string[];
  /**
   * How long to wait between two events, in milliseconds, for a state whose events cost much when many follow the same changes. Changes
   * that come meanwhile are sent as one. Only for a state with a single part: an event before the pause ends has everything.
   */
  paceMs?(state: State): number;
  /**
   * For a state that has only the latest parts: how many. A subscriber that missed more gets the whole state as a reset, because some of
   * them are not in the state any more.
   */
  readonly resetAbove?: number;
  /** The approximate size of the state in memory, in bytes. Called after every change, so it must be cheap. */
  bytes(state: State): number;
  /** For a state with a single part that is always sent whole. */
  readonly whole?: {
    /** The key of that part. */
    readonly key: string;
    /** A short text, equal for states that look equal to subscribers: a resuming client that has seen it is sent nothing. */
    fingerprint(state: State): string;
    /** Whether events no longer determine the state: then it is read again before anything more is sent. */
    isUncertain(state: State): boolean;
  };
  /** For a state with many parts that events do not always determine, for example because they change who may see what. */
  readonly reread?: {
    /**
     * Whether events no longer determine the state: then nothing is sent until it has been read again. What was read is sent as of its
     * time, even if events since then make the state uncertain once more.
     */
    isUncertain(state: State): boolean;
    /** The keys of the parts that differ, after it was read again. Null: subscribers get the whole state as a reset. */
    compare(before: State, after: State): readonly string[] | null;
    /**
     * An event that the state was read with, and that arrives only after it was compared: `compare` did not know of it.
     * @returns the keys of the parts whose change is visible nevertheless
     */
    late?(state: State, event: ChangeEvent): readonly string[];
    /**
     * For an uncertain state that lacks little: reads only that, at one time, in the session. What it returns completes the state in
     * place, if no other state has replaced it meanwhile, and returns the keys of the parts that have changed. The state may be
     * uncertain again by then. Null: the whole state is read again.
     */
    missing?(state: State): ((db: Db, session: ClientSession) => Promise<() => readonly string[]>) | null;
  };
}

/** A list that only grows. Declare it with `defineFeed`. */
export interface EventFeed<Args, View, Entry> extends FeedBase<Args> {
  readonly kind: 'events';
  /** Sent to a new subscriber first, for example the latest entries. */
  snapshot(db: Db, args: Args, session: ClientSession, now: Date): Promise<View>;
  /** The entries that an event adds, in order. */
  entries(event: ChangeEvent, args: Args): readonly Entry[];
}

/** A feed with its types erased, as the registry holds it. */
export type AnyFeed = Pick<FeedBase<never>, 'name' | 'collections' | 'fields' | 'topics'>;

const declared = new Map<string, AnyFeed>();

/** Declares a feed, so that the change stream includes its collections. */
export function defineFeed<F extends AnyFeed>(feed: F): F {
  declared.set(feed.name, feed);
  return feed;
}

/** All feeds that the imported modules declare. */
export function declaredFeeds(): readonly AnyFeed[] {
  return [...declared.values()];
}

/** The names of the collections that can be followed, sorted. They form the filter of every change stream, and cursors depend on them. */
export function followedCollections(): string[] {
  const names = [...declared.values()].flatMap(({ collections }) => collections.map((each) => each.collectionName));
  return [...new Set(names)].sort();
}

/** The collections of which feeds read only some fields, with these fields. */
export function followedFields(): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, Set<string> | null>();
  for (const { collections, fields } of declared.values()) {
    for (const { collectionName: name, fields: own = fields } of collections) {
      const known = all.get(name);
      if (!own || known === null) all.set(name, null);
      else all.set(name, new Set([...(known ?? []), ...own]));
    }
  }
  return new Map([...all].flatMap(([name, fields]) => (fields ? [[name, [...fields].sort()]] : [])));
}

/** What a subscriber receives: a snapshot first and after every reset, changes in between. */
export type FeedEvent<View, Change> =
  | { readonly kind: 'snapshot'; readonly cursor: string; readonly reset: boolean; readonly view: View }
  | { readonly kind: 'change'; readonly cursor: string; readonly reset: false; readonly change: Change };
