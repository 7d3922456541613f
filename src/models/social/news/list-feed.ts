/**
 * Lists of posts, followed live: walls, incoming posts and news. A state has the newest posts of the list that the reader sees, and what
 * the rule needs to know of those who wrote them. It follows the posts themselves, one topic for each author, never the news that are
 * stored: what a million readers get passes the change stream once.
 *
 * Where an event does not tell who sees what, nothing more is sent for a moment: if the reader's relations have changed, the state is read
 * again; if an author is unknown, only that author is looked up.
 */
import type { ClientSession, Db } from 'mongodb';
import { type ChangeEvent, defineFeed, type StateFeed } from '../../../database/index.js';
import { graphChanges } from '../network/person.js';
import { byAge, type PostDocument, partsOfPostId, posts } from '../posts/post.js';
import { changedPost, sizeOfPost } from './followed-post.js';
import {
  graphOf,
  isLeaving,
  isRenaming,
  isWider,
  LEAVING,
  NAMES,
  peopleOfChange,
  showsChange,
} from './graph-topics.js';
import { decide, lookUp } from './list-decision.js';
import {
  byAuthor,
  FOR_CIRCLES,
  follows,
  isOlder,
  KEPT_MAX,
  keep,
  type ListArgs,
  type ListState,
  lose,
  measured,
  onWall,
  readState,
  SHOWN_FIRST,
} from './list-state.js';

export interface ListChange {
  readonly posts: readonly PostDocument[];
  readonly removed: readonly string[];
}

/** If more wait, the whole state is read again. */
const UNDECIDED_MAX = 100;

function topicsOf(event: ChangeEvent): string[] {
  if (event.collection === graphChanges.collectionName)
    return [
      ...peopleOfChange(event).map(graphOf),
      ...(isRenaming(event) ? [NAMES] : []),
      ...(isLeaving(event) ? [LEAVING] : []),
    ];
  const parts = partsOfPostId(String(event.documentKey._id));
  if (!parts) return [];
  const isForCircles = event.document !== undefined && event.document.audience !== 'PUBLIC'; // new or deleted
  return [byAuthor(parts.author), onWall(parts.wall), ...(isForCircles ? [FOR_CIRCLES] : [])];
}

const ownerTopic = ({ list, owner }: ListArgs): string => (list === 'NEWS' ? byAuthor(owner) : onWall(owner));

/** The key of a part is the id of a post; of one that is gone, with a mark before it. */
const GONE = '-';
const goneKey = (id: string) => `${GONE}${id}`;
/** The key of the newest posts: where some are gone, older ones have moved up. */
const FIRST = 'first';
export const isGone = ({ operation, document }: ChangeEvent): boolean =>
  operation === 'delete' || (operation === 'replace' && !document?.live);

/** @returns the keys of the posts that have changed for the reader */
function applyTo(state: ListState, event: ChangeEvent): string[] {
  if (event.collection === graphChanges.collectionName) {
    noteChange(state, event);
    return changedIn(state, event);
  }
  const id = String(event.documentKey._id);
  if (event.operation === 'insert') return add(state, event.document as PostDocument);
  if (isGone(event)) return remove(state, id, event.document as PostDocument | undefined);
  state.undecided = state.undecided.map((post) => (post._id === id ? changedPost(post, event) : post));
  const at = state.posts.findIndex((post) => post._id === id);
  const before = state.posts[at];
  if (!before) return [];
  const after = changedPost(before, event);
  state.posts[at] = after;
  state.size += sizeOfPost(after) - sizeOfPost(before);
  return [id];
}

/** The keys of posts that are the same, and look different after a change of a person. */
const changedIn = ({ posts: followed, reader }: ListState, event: ChangeEvent): string[] =>
  followed.filter(showsChange(event, reader.id)).map(({ _id }) => _id);

/** Whether a change of the graph is one between the reader and somebody else, or somebody has left the network. */
function concerns({ reader }: ListArgs, event: ChangeEvent): boolean {
  if (event.operation === 'delete') return true;
  return reader !== null && peopleOfChange(event).includes(reader);
}

function noteChange(state: ListState, event: ChangeEvent): void {
  if (isLeaving(event)) lose(state, String(event.documentKey._id));
  if (!concerns(state.args, event)) return;
  state.isUncertain = true;
  const changed = String(event.documentKey._id);
  if (changed !== state.reader.id && !isWider(event)) state.narrowing.add(changed);
}

/**
 * The state was read with it, but whether the reader sees less than before is known only of those who were known before: of others the
 * event tells it, so that nothing is known of them before it is compared once more.
 */
function noteLate(state: ListState, event: ChangeEvent): string[] {
  if (event.collection !== graphChanges.collectionName) return [];
  const changed = String(event.documentKey._id);
  if (isLeaving(event)) lose(state, changed);
  if (concerns(state.args, event) && changed !== state.reader.id && !isWider(event)) {
    state.relations.delete(changed);
    noteChange(state, event);
  }
  return changedIn(state, event);
}

function add(state: ListState, post: PostDocument): string[] {
  if (!post.live || follows(state, post) || state.undecided.some(({ _id }) => _id === post._id)) return [];
  const decided = decide(state, post);
  if (decided === null) wait(state, post);
  return decided && keep(state, post) ? [post._id] : [];
}

function wait(state: ListState, post: PostDocument): void {
  state.undecided.push(post);
  state.size += sizeOfPost(post);
  if (state.undecided.length > UNDECIDED_MAX) state.isUncertain = true;
}

/** @param left what the deletion has left of the post; undefined if it removed all */
function remove(state: ListState, id: string, left: PostDocument | undefined): string[] {
  const has = (some: readonly PostDocument[]) => some.some((post) => post._id === id);
  const without = (some: readonly PostDocument[]) => some.filter((post) => post._id !== id);
  if (has(state.undecided)) {
    const wasNew = state.undecided.some((post) => post._id === id && post.live);
    if (wasNew) state.undecided = without(state.undecided); // nothing was told of it
    measured(state);
    return [];
  }
  if (has(state.posts)) {
    const at = state.posts.findIndex((post) => post._id === id);
    state.posts = without(state.posts);
    if (state.hasOlder && state.posts.length < SHOWN_FIRST) state.isUncertain = true; // an older one moves up
    measured(state);
    // Whoever has joined late was sent no more than the newest.
    const movedUp = at < SHOWN_FIRST ? state.posts[SHOWN_FIRST - 1] : undefined;
    return [...(state.untold.has(id) ? [] : [goneKey(id)]), ...(movedUp ? [movedUp._id] : [])];
  }
  return left ? removeOlder(state, left) : []; // what a deletion has left is removed later, and was told before
}

/**
 * A post that is not followed: the client may have read it on an older page. Its id says who wrote where, and when, so it is told only to
 * a reader who saw the post.
 */
function removeOlder(state: ListState, { deleted: _deleted, ...post }: PostDocument): string[] {
  if (!state.hasOlder || (state.posts.length > 0 && !isOlder(state, post))) return []; // it would be followed
  const decided = decide(state, post);
  if (decided === null) wait(state, post);
  return decided ? [goneKey(post._id)] : [];
}

/** @returns the keys of what the reader sees of posts that were undecided */
const settle = (state: ListState, seen: readonly PostDocument[]): string[] => {
  const keys = seen.flatMap((post) => {
    if (!post.live) return [goneKey(post._id)];
    return keep(state, post) ? [post._id] : [];
  });
  measured(state);
  return keys;
};

/** Posts that look different, are new, or are gone. */
function differences(before: ListState, after: ListState): string[] {
  const known = new Map(before.posts.map((post) => [post._id, post]));
  const isCommentHidden = before.hidden.key !== after.hidden.key;
  const first = new Set(before.posts.slice(0, SHOWN_FIRST).map(({ _id }) => _id));
  const changed = after.posts.filter(
    (post, at) =>
      (at < SHOWN_FIRST && !first.has(post._id)) || // whoever has joined late was sent no more than the first
      JSON.stringify(known.get(post._id)) !== JSON.stringify(post) ||
      (isCommentHidden && (post.comments?.count ?? 0) > 0),
  );
  const present = new Set(after.posts.map(({ _id }) => _id));
  const oldest = after.hasOlder ? after.posts.at(-1) : undefined;
  // What is only older than all that were read again is still there.
  const gone = before.posts.filter(
    (post) => !present.has(post._id) && !before.untold.has(post._id) && !(oldest && byAge(oldest, post) < 0),
  );
  const older = before.undecided.filter((post) => !post.live && decide(after, post));
  return [...changed.map(({ _id }) => _id), ...[...gone, ...older].map(({ _id }) => goneKey(_id))];
}

const hasOthers = (some: ReadonlySet<string>, known: ReadonlySet<string>): boolean => {
  for (const id of some) if (!known.has(id)) return true;
  return false;
};

/** Whether the reader may see less than before: then also older posts that a client shows may be gone. */
function hasNarrowed(before: ListState, after: ListState): boolean {
  for (const id of before.reader.following.keys()) if (!after.reader.following.has(id)) return true;
  if (hasOthers(after.hidden.known, before.hidden.known)) return true;
  if (before.followers.areAll && hasOthers(before.followers.ids, after.followers.ids)) return true;
  for (const [id, { circles, isBlocked }] of before.relations) {
    const now = after.relations.get(id);
    if (!now) continue;
    if (now.isBlocked && !isBlocked) return true;
    if (circles.some((circle) => !now.circles.includes(circle))) return true;
  }
  // Of whom nothing was known, it is not known either what they have taken away: at most what they had granted.
  const hadGranted = (id: string) => !before.followers.areAll || before.followers.ids.has(id);
  return [...before.narrowing].some((id) => !before.relations.has(id) && hadGranted(id));
}

/** The keys of all parts that an event may affect. Null where they cannot be named. */
function touchedBy(event: ChangeEvent, args: ListArgs, state: ListState): string[] | null {
  if (event.collection === graphChanges.collectionName)
    return isLeaving(event) || concerns(args, event) ? null : changedIn(state, event);
  const id = String(event.documentKey._id);
  if (event.operation === 'insert' && isBelow(state, event.document as PostDocument)) return null; // as in a gap
  if (!isGone(event)) return [id];
  if (partsOfPostId(id)?.author === args.reader) return [goneKey(id), FIRST];
  if (args.reader !== null || event.operation === 'delete') return null; // it is not known whether the reader saw it
  return event.document?.audience === 'PUBLIC' ? [goneKey(id), FIRST] : [];
}

/** Most changes are one new post, which is the first: then the others are not looked at, for each of a thousand readers. */
function changedOf(all: readonly PostDocument[], keys: ReadonlySet<string>): PostDocument[] {
  if (keys.has(FIRST)) return all.filter(({ _id }, at) => at < SHOWN_FIRST || keys.has(_id));
  const found: PostDocument[] = [];
  for (const post of all) {
    if (found.length === keys.size) break;
    if (keys.has(post._id)) found.push(post);
  }
  return found;
}

/** Whether a post may be in the list below those that are followed. */
const isBelow = (state: ListState, post: PostDocument): boolean =>
  isOlder(state, post) && decide(state, post) !== false;

export const listFeed: StateFeed<ListArgs, ListState, ListChange, ListChange> = defineFeed({
  kind: 'state',
  name: 'social lists',
  collections: [posts, graphChanges],

  key: ({ list, owner, reader }: ListArgs) => JSON.stringify([list, owner, reader]),
  topic: ownerTopic,
  topicsOf: ({ topics }: ListState) => topics,
  topics: topicsOf,

  snapshot: (db: Db, args: ListArgs, session: ClientSession, _now: Date, before?: ListState) =>
    readState(db, args, session, before),
  touched: touchedBy,
  apply: applyTo,
  view: (state: ListState): ListChange => ({ posts: state.posts.slice(0, SHOWN_FIRST), removed: [] }),
  change: ({ posts: all }: ListState, keys: ReadonlySet<string>): ListChange => {
    const gone = [...keys].flatMap((key) => (key.startsWith(GONE) ? [key.slice(GONE.length)] : []));
    return { posts: changedOf(all, keys), removed: gone.filter((id) => !all.some(({ _id }) => _id === id)) };
  },
  reread: {
    isUncertain: ({ isUncertain, undecided }: ListState) => isUncertain || undecided.length > 0,
    compare: (before: ListState, after: ListState) => {
      const isWhole = !before.hasOlder && !after.hasOlder; // then the differences name all that is gone
      return !isWhole && (before.hasLost || hasNarrowed(before, after)) ? null : differences(before, after);
    },
    late: noteLate,
    missing: (state: ListState) =>
      state.isUncertain
        ? null
        : async (db: Db, session: ClientSession) => {
            const decideAll = await lookUp(db, state, session);
            return () => settle(state, decideAll());
          },
  },
  resetAbove: KEPT_MAX,
  bytes: ({ size }: ListState) => size,
});
