/**
 * Lists of posts, followed live: walls, incoming posts and news. A state has the newest posts of the list that the reader sees, and what
 * the rule needs to know of those who wrote them. It follows the posts themselves, one topic for each author, never the news that are
 * stored: what a million readers get passes the change stream once.
 *
 * Where an event does not tell who sees what (the reader's relations have changed, or an author is unknown), the state is read again
 * before anything more is sent.
 */
import type { ClientSession, Db } from 'mongodb';
import { type ChangeEvent, defineFeed, type StateFeed } from '../../../database/index.js';
import { findLatestFollowers } from '../network/follower.js';
import { graphChanges } from '../network/person.js';
import { findReader, findRelations, type Reader, type Relation } from '../network/relation.js';
import { byAge, type PostDocument, partsOfPostId, posts } from '../posts/post.js';
import { seenAmong } from '../posts/post-sight.js';
import { isNewsFor, isOnOwnWall } from '../posts/visibility.js';
import { changedPost, sizeOfPost } from './followed-post.js';
import { type Candidates, fill, type Place } from './list-page.js';
import { findFetchedFrom, readNews } from './news.js';
import { readIncoming, readWall } from './wall-list.js';

export interface ListArgs {
  readonly list: 'WALL' | 'INCOMING' | 'NEWS';
  /** Whose wall, or whose news. */
  readonly owner: string;
  /** Null for a visitor. */
  readonly reader: string | null;
}

export interface ListState {
  readonly reader: Reader;
  /** Of people whose posts were decided about, by id. */
  readonly relations: Map<string, Relation>;
  /** Newest first, at most KEPT_MAX. */
  posts: PostDocument[];
  /** The topics of those who may write what belongs to the list. */
  readonly topics: readonly string[];
  /** Whether there are older ones. */
  hasOlder: boolean;
  isUncertain: boolean;
  /** Estimated. */
  size: number;
}

export interface ListChange {
  readonly posts: readonly PostDocument[];
  readonly removed: readonly string[];
}

export const SHOWN_FIRST = 20;
/** Posts that a state follows. Older ones are no longer told of, except that they are deleted. */
const KEPT_MAX = 100;
const TOPIC_BYTES = 100;
/** Beyond it, all posts for circles are looked at, whoever writes them. */
const FOLLOWERS_MAX = 10_000;

const byAuthor = (id: string) => `by ${id}`;
const onWall = (id: string) => `on ${id}`;
const graphOf = (id: string) => `graph ${id}`;
const FOR_CIRCLES = 'for circles';

/** The people whom a change of the graph concerns, besides the one whose document it is. */
export function peopleOfChange({ updated, document }: ChangeEvent): readonly string[] {
  const change = (updated?.graph_change ?? document?.graph_change) as { people?: readonly string[] } | undefined;
  return change?.people ?? [];
}

function topicsOf(event: ChangeEvent): string[] {
  const id = String(event.documentKey._id);
  if (event.collection === graphChanges.collectionName) {
    const others = peopleOfChange(event);
    const concerns = others.length > 0 || event.operation === 'delete';
    return concerns ? [id, ...others].map(graphOf) : [];
  }
  const parts = partsOfPostId(id);
  if (!parts) return [];
  const isNewForCircles = event.operation === 'insert' && event.document?.audience !== 'PUBLIC';
  return [byAuthor(parts.author), onWall(parts.wall), ...(isNewForCircles ? [FOR_CIRCLES] : [])];
}

const ownerTopic = ({ list, owner }: ListArgs): string => (list === 'NEWS' ? byAuthor(owner) : onWall(owner));

async function readState(db: Db, args: ListArgs, session: ClientSession): Promise<ListState> {
  const reader = await findReader(db, args.reader, session);
  const read = await readerOfList(db, args, reader, session);
  const { found, last } = await fill(null, SHOWN_FIRST, read);
  const ids = found.flatMap(({ author_id, wall_id }) => [author_id, wall_id]);
  const relations = await findRelations(db, reader, [...ids, args.owner], session);
  const topics = await findTopics(db, args, reader, session);
  const state = { reader, relations, posts: found, topics, hasOlder: last !== null, isUncertain: false, size: 0 };
  return measured(state);
}

function measured(state: ListState): ListState {
  const posts = state.posts.reduce((sum, post) => sum + sizeOfPost(post), 0);
  state.size = posts + (state.topics.length + state.relations.size) * TOPIC_BYTES;
  return state;
}

async function readerOfList(db: Db, { list, owner }: ListArgs, reader: Reader, session: ClientSession) {
  if (list === 'NEWS') {
    const known = { ...reader, id: owner };
    const from = await findFetchedFrom(db, known, session);
    return (after: Place | null, limit: number) => readNews(db, known, from, after, limit, session);
  }
  if (list === 'INCOMING')
    return (after: Place | null, limit: number) => readIncoming(db, reader, after, limit, session);
  const relation = (await findRelations(db, reader, [owner], session)).get(owner);
  const isOpen = relation !== undefined && !relation.isBlocked;
  return async (after: Place | null, limit: number): Promise<Candidates> =>
    isOpen ? readWall(db, owner, reader, after, limit, session) : { seen: [], last: null };
}

async function findTopics(db: Db, { list, owner, reader: id }: ListArgs, reader: Reader, session: ClientSession) {
  const graph = id === null ? [] : [graphOf(id)];
  if (list !== 'NEWS') return [...graph, ...(id === owner ? [] : [graphOf(owner)])];
  const followers = await findLatestFollowers(db, owner, FOLLOWERS_MAX, session);
  const some = [...new Set([...reader.following.keys(), ...followers])].map(byAuthor);
  return [...graph, ...some, ...(followers.length >= FOLLOWERS_MAX ? [FOR_CIRCLES] : [])];
}

/** Whether a post that the reader sees is in the list. */
function belongs({ list, owner }: ListArgs, { reader }: ListState, post: PostDocument, author: Relation): boolean {
  if (list === 'NEWS') return isNewsFor(post, reader, author);
  if (post.wall_id !== owner) return false;
  if (list === 'INCOMING') return post.author_id !== owner;
  return reader.id !== owner || isOnOwnWall(post, reader);
}

/** Decides about a new post. @returns null if what is known does not tell */
function decide(args: ListArgs, state: ListState, post: PostDocument): boolean | null {
  const { reader, relations } = state;
  // Of those whom the reader follows, nobody is blocked: that is enough for what is public on their own walls.
  const isKnown = post.audience === 'PUBLIC' && post.author_id === post.wall_id && reader.following.has(post.author_id);
  const known: ReadonlyMap<string, Relation> = isKnown
    ? new Map([[post.author_id, { circles: [], isBlocked: false }]])
    : relations;
  const missesSomebody = [post.author_id, post.wall_id].some((id) => !known.has(id));
  if (reader.id === null && post.audience !== 'PUBLIC') return false;
  if (missesSomebody && reader.id !== null) return null;
  const visitors = new Map([post.author_id, post.wall_id].map((id) => [id, { circles: [], isBlocked: false }]));
  const [seen] = seenAmong(reader, [post], reader.id === null ? visitors : known);
  return seen !== undefined && belongs(args, state, post, seen.author);
}

/** The key of a part is the id of a post; of one that is gone, with a mark before it. */
const GONE = '-';
const goneKey = (id: string) => `${GONE}${id}`;
const keyOf = (event: ChangeEvent) =>
  isGone(event) ? goneKey(String(event.documentKey._id)) : String(event.documentKey._id);

const isGone = ({ operation, document }: ChangeEvent): boolean =>
  operation === 'delete' || (operation === 'replace' && !document?.live);

/** @returns the keys of the posts that have changed for the reader */
function applyTo(state: ListState, event: ChangeEvent, args: ListArgs): string[] {
  if (event.collection === graphChanges.collectionName) {
    state.isUncertain = true;
    return [];
  }
  const id = String(event.documentKey._id);
  const at = state.posts.findIndex((post) => post._id === id);
  if (event.operation === 'insert') return at < 0 ? add(state, event.document as PostDocument, args) : [];
  if (isGone(event)) return remove(state, id, at);
  const before = state.posts[at];
  if (!before) return [];
  const after = changedPost(before, event);
  state.posts[at] = after;
  state.size += sizeOfPost(after) - sizeOfPost(before);
  return [id];
}

function add(state: ListState, post: PostDocument, args: ListArgs): string[] {
  if (!post.live) return [];
  const decided = decide(args, state, post);
  if (decided === null) state.isUncertain = true;
  if (!decided) return [];
  const oldest = state.posts.at(-1);
  if (state.hasOlder && oldest && byAge(oldest, post) < 0) return []; // an imported one: older than all that are followed
  state.posts = [...state.posts, post].sort(byAge);
  state.size += sizeOfPost(post);
  const [oldestKept] = state.posts.splice(KEPT_MAX);
  if (oldestKept) {
    state.size -= sizeOfPost(oldestKept);
    state.hasOlder = true;
  }
  return [post._id];
}

/** Also of one that is not followed: the client may show it. */
function remove(state: ListState, id: string, at: number): string[] {
  if (at >= 0) state.posts = state.posts.filter((post) => post._id !== id);
  if (state.hasOlder && state.posts.length < SHOWN_FIRST) state.isUncertain = true; // an older one moves up
  measured(state);
  return [goneKey(id)];
}

/** Posts that look different, are new, or are gone. */
function differences(before: ListState, after: ListState): string[] {
  const known = new Map(before.posts.map((post) => [post._id, post]));
  const changed = after.posts.filter((post) => JSON.stringify(known.get(post._id)) !== JSON.stringify(post));
  const present = new Set(after.posts.map(({ _id }) => _id));
  const oldest = after.hasOlder ? after.posts.at(-1) : undefined;
  // What is only older than all that were read again is still there.
  const gone = before.posts.filter((post) => !present.has(post._id) && !(oldest && byAge(oldest, post) < 0));
  return [...changed.map(({ _id }) => _id), ...gone.map(({ _id }) => goneKey(_id))];
}

/** Whether somebody may see less than before: then also older posts that a client shows may be gone. */
function hasNarrowed(before: ListState, after: ListState): boolean {
  const { reader } = after;
  for (const id of before.reader.following.keys()) if (!reader.following.has(id)) return true;
  for (const id of reader.blocked) if (!before.reader.blocked.has(id)) return true;
  for (const [id, { circles, isBlocked }] of before.relations) {
    const now = after.relations.get(id);
    if (!now) continue;
    if (now.isBlocked && !isBlocked) return true;
    if (circles.some((circle) => !now.circles.includes(circle))) return true;
  }
  return false;
}

export const listFeed: StateFeed<ListArgs, ListState, ListChange, ListChange> = defineFeed({
  kind: 'state',
  name: 'social lists',
  collections: [posts, graphChanges],

  key: ({ list, owner, reader }: ListArgs) => JSON.stringify([list, owner, reader]),
  topic: ownerTopic,
  topicsOf: ({ topics }: ListState) => topics,
  topics: topicsOf,

  snapshot: (db: Db, args: ListArgs, session: ClientSession) => readState(db, args, session),
  touched: (event: ChangeEvent) => (event.collection === graphChanges.collectionName ? null : [keyOf(event)]),
  apply: applyTo,
  view: (state: ListState): ListChange => ({ posts: state.posts.slice(0, SHOWN_FIRST), removed: [] }),
  change: ({ posts: all }: ListState, keys: ReadonlySet<string>): ListChange => {
    const found = all.filter(({ _id }) => keys.has(_id));
    const present = new Set(all.map(({ _id }) => _id));
    const gone = [...keys].flatMap((key) => (key.startsWith(GONE) ? [key.slice(GONE.length)] : []));
    return { posts: found, removed: gone.filter((id) => !present.has(id)) };
  },
  reread: {
    isUncertain: ({ isUncertain }: ListState) => isUncertain,
    compare: (before: ListState, after: ListState) => (hasNarrowed(before, after) ? null : differences(before, after)),
  },
  bytes: ({ size }: ListState) => size,
});
