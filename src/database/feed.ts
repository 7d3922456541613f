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
import type { CollectionDeclaration } from './collection.js';

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
  readonly collections: readonly CollectionDeclaration<never>[];
  /** Names what `args` asks for: equal keys are the same thing to follow. */
  key(args: Args): string;
  /** The topic whose changes can concern `args`. */
  topic(args: Args): string;
  /** The topics that an event concerns. Called for every event of the collections, so it must be cheap. */
  topics(event: ChangeEvent): readonly string[];
}

export interface StateFeed<Args, State, View, Change> extends FeedBase<Args> {
  readonly kind: 'state';
  /** Reads the state at one cluster time: every read must use the session. Bounded in size. */
  snapshot(db: Db, args: Args, session: ClientSession, now: Date): Promise<State>;
  /** The keys of the parts that an event touches. */
  touched(event: ChangeEvent, args: Args): readonly string[];
  /** Brings the state up to an event, in place. Events that it has already must leave it as it is. */
  apply(state: State, event: ChangeEvent, args: Args, now: Date): void;
  /** The whole state as it is sent. Later calls of `apply` must not alter what was returned. */
  view(state: State, args: Args, now: Date): View;
  /** The present values of the parts with these keys, or null when a subscriber would see no difference. Not altered later, either. */
  change(state: State, keys: ReadonlySet<string>, args: Args, now: Date): Change | null;
  /** For states that change with time alone: how often `tick` is called. */
  readonly tickMs?: number;
  /** Brings the state up to `now` and gives the keys of the parts that changed by it. */
  tick?(state: State, args: Args, now: Date): readonly string[];
}

export interface EventFeed<Args, View, Entry> extends FeedBase<Args> {
  readonly kind: 'events';
  /** What a new subscriber gets first, for example the latest entries. */
  snapshot(db: Db, args: Args, session: ClientSession, now: Date): Promise<View>;
  /** The entries that an event brings, in order. */
  entries(event: ChangeEvent, args: Args): readonly Entry[];
}

export type Feed<Args, View, Change> = StateFeed<Args, never, View, Change> | EventFeed<Args, View, Change>;

/** What a subscriber receives. Snapshots come first and after every reset; changes in between. */
export type FeedEvent<View, Change> =
  | { readonly kind: 'snapshot'; readonly cursor: string; readonly reset: boolean; readonly view: View }
  | { readonly kind: 'change'; readonly cursor: string; readonly reset: false; readonly change: Change };
