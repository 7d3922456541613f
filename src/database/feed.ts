/**
 * What a model declares so that its documents can be followed live. Everything here is pure but `snapshot`, which reads in the
 * session it is given. The hub (`src/realtime`) runs feeds: it knows no domain, and a feed knows no subscriber.
 *
 * A state feed sends the state, then the parts of it that changed, each with its present value. A part is named by a key
 * (a chart's slot, a cart's line). Because only keys are kept for a subscriber that is behind, any number of changes to the same
 * part merge into one, and nothing is lost in the sum.
 *
 * An event feed sends a list's new entries one by one; none may be merged or left out.
 */
import type { ClientSession, Db, Document, Timestamp } from 'mongodb';

/** A change of one document, as the change stream tells it (no look-up, no image from before). */
export interface ChangeEvent {
  readonly collection: string;
  readonly operation: 'insert' | 'update' | 'replace' | 'delete';
  /** `_id`, and the shard key's fields on a sharded cluster. */
  readonly documentKey: Document;
  /** The whole document: of an insert or a replacement. */
  readonly document?: Document;
  /** Dotted paths with their new values: of an update. A new subdocument comes as one value: `{'minute.4': {7: 1}}`. */
  readonly updated?: Readonly<Record<string, unknown>>;
  /** Dotted paths that are gone: of an update. */
  readonly removed?: readonly string[];
  /** Arrays that became shorter: of an update. */
  readonly truncated?: readonly { readonly field: string; readonly newSize: number }[];
  /** When it was committed. Several events may share it. */
  readonly time: Timestamp;
}

interface FeedBase<Args> {
  /** Unique among all feeds. A cursor is good for one feed and one `key` only. */
  readonly name: string;
  readonly collections: readonly { readonly collectionName: string }[];
  /** The fields of the documents that it reads: the stream carries no others, unless another feed reads all. Left out: all. */
  readonly fields?: readonly string[];
  /** Names what `args` asks for: equal keys are the same thing to follow. */
  key(args: Args): string;
  /** The topic whose changes can concern `args`. */
  topic(args: Args): string;
  /** The topics that an event concerns. Called for every event of the collections, so it must be cheap. */
  topics(event: ChangeEvent): readonly string[];
}

/** A state and its parts. Declare it with `defineFeed`. */
export interface StateFeed<Args, State, View, Change> extends FeedBase<Args> {
  readonly kind: 'state';
  /** Reads the state at one cluster time: every read must use the session. Bounded in size. */
  snapshot(db: Db, args: Args, session: ClientSession, now: Date): Promise<State>;
  /** The keys of the parts that an event may concern. Pure: it is asked for events that a subscriber has missed. */
  touched(event: ChangeEvent, args: Args): readonly string[];
  /**
   * Brings the state up to an event, in place.
   * @returns the keys of the parts that a subscriber sees changed by it
   */
  apply(state: State, event: ChangeEvent, args: Args, now: Date): readonly string[];
  /** The whole state as it is sent. Later calls of `apply` must not alter what was returned. */
  view(state: State, args: Args, now: Date): View;
  /**
   * The present values of the parts with these keys. Not altered later, either. Depends on nothing else: every subscriber may ask for other
   * keys.
   */
  change(state: State, keys: ReadonlySet<string>, args: Args, now: Date): Change;
  /** For states that change with time alone: how often `tick` is called. */
  readonly tickMs?: number;
  /** Brings the state up to `now`. @returns the keys of the parts that a subscriber sees changed */
  tick?(state: State, args: Args, now: Date): readonly string[];
  /** What the state takes up in memory, about. Asked for after every change, so it must be cheap. */
  bytes(state: State): number;
  /** Of a state that has one part, and is always told whole. */
  readonly whole?: {
    /** The part. */
    readonly key: string;
    /** Short text that is equal for equal states as a subscriber sees them: whoever comes back and has seen it is told nothing. */
    fingerprint(state: State): string;
    /** Whether events no longer tell all of it: then it is read anew before anything more is told. */
    isUncertain(state: State): boolean;
  };
}

/** A list that only grows. Declare it with `defineFeed`. */
export interface EventFeed<Args, View, Entry> extends FeedBase<Args> {
  readonly kind: 'events';
  /** What a new subscriber gets first, for example the latest entries. */
  snapshot(db: Db, args: Args, session: ClientSession, now: Date): Promise<View>;
  /** The entries that an event brings, in order. */
  entries(event: ChangeEvent, args: Args): readonly Entry[];
}

/** A feed with its types forgotten, as the registry holds it. */
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

/** The names of the collections that can be followed, sorted: the filter of every change stream, and what a cursor depends on. */
export function followedCollections(): string[] {
  const names = [...declared.values()].flatMap(({ collections }) => collections.map((each) => each.collectionName));
  return [...new Set(names)].sort();
}

/** The collections of which feeds read some fields only, with these. */
export function followedFields(): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, Set<string> | null>();
  for (const { collections, fields } of declared.values()) {
    for (const { collectionName: name } of collections) {
      const known = all.get(name);
      if (!fields || known === null) all.set(name, null);
      else all.set(name, new Set([...(known ?? []), ...fields]));
    }
  }
  return new Map([...all].flatMap(([name, fields]) => (fields ? [[name, [...fields].sort()]] : [])));
}

/** What a subscriber receives. Snapshots come first and after every reset; changes in between. */
export type FeedEvent<View, Change> =
  | { readonly kind: 'snapshot'; readonly cursor: string; readonly reset: boolean; readonly view: View }
  | { readonly kind: 'change'; readonly cursor: string; readonly reset: false; readonly change: Change };
