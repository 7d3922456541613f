/**
 * What a followed list holds: the newest posts of the list that the reader sees, and what the rule needs to know of those who write
 * more of them.
 */
import type { ClientSession, Db } from 'mongodb';
import { findLatestFollowers } from '../network/follower.js';
import {
  findHiddenFrom,
  findReader,
  findRelations,
  type HiddenPeople,
  type Reader,
  type Relation,
} from '../network/relation.js';
import { byAge, type PostDocument } from '../posts/post.js';
import { sizeOfPost } from './followed-post.js';
import { graphOf, LEAVING, NAMES } from './graph-topics.js';
import { type Candidates, fill, type Place, type ReadCandidates } from './list-page.js';
import { findFetchedFrom, readNews } from './news.js';
import { readIncoming, readWall } from './wall-list.js';

export interface ListArgs {
  readonly list: 'WALL' | 'INCOMING' | 'NEWS';
  /** Whose wall, or whose news. */
  readonly owner: string;
  /** Null for a visitor. */
  readonly reader: string | null;
}

/** Some people, and whether these are all. */
interface KnownPeople {
  readonly ids: ReadonlySet<string>;
  readonly areAll: boolean;
}

export interface ListState {
  readonly args: ListArgs;
  readonly reader: Reader;
  /** How people are related to the reader, by id: of the posts that are followed, and of others who were looked up. At most RELATIONS_MAX. */
  readonly relations: Map<string, Relation>;
  /** For news: who has the reader in a circle. */
  readonly followers: KnownPeople;
  /** On the other side of a block. */
  readonly hidden: HiddenPeople;
  /** Newest first, at most KEPT_MAX. */
  posts: PostDocument[];
  /** New posts, and older ones that were deleted, of which what is known does not tell whether the reader sees them. */
  undecided: PostDocument[];
  /**
   * The ids of posts that came while the state was uncertain. They were told to nobody, and are not told as gone either: whoever was
   * taken out of a circle would learn of what was posted there since.
   */
  readonly untold: Set<string>;
  /** Somebody has left whose older posts the client may show: they are told by a reset only. */
  hasLost: boolean;
  /** Who may have narrowed what the reader sees since the state was read. */
  readonly narrowing: Set<string>;
  /** The topics of those who may write what belongs to the list. */
  readonly topics: readonly string[];
  /** Whether there are older ones. */
  hasOlder: boolean;
  /** It must be read again. */
  isUncertain: boolean;
  /** Estimated. */
  size: number;
}

export const SHOWN_FIRST = 20;
/** Posts that a state follows. Older ones are no longer told of, except that they are deleted. */
export const KEPT_MAX = 100;
const RELATIONS_MAX = 1000;
const TOPIC_BYTES = 100;
const PERSON_BYTES = 60;
/** Beyond it, all posts for circles are looked at, whoever writes them. */
const FOLLOWERS_MAX = 10_000;

export const byAuthor = (id: string): string => `by ${id}`;
export const onWall = (id: string): string => `on ${id}`;
export const FOR_CIRCLES = 'for circles';

/** Of somebody who has left the network nothing is seen. */
export const HAS_LEFT: Relation = { circles: [], isBlocked: true };

/** Notes that somebody has left, if the client may show older posts of that person. */
export function lose(state: ListState, id: string): void {
  const { args, reader, relations, followers } = state;
  const isKnown = relations.has(id) || reader.following.has(id) || followers.ids.has(id);
  if (!isKnown && (args.list !== 'NEWS' || followers.areAll)) return; // the deletions of the posts tell it
  remember(state, id, HAS_LEFT);
  startOver(state);
}

/** It is read again, and told by a reset. */
export function startOver(state: ListState): void {
  state.isUncertain = true;
  state.hasLost = true;
}

/** @param before the state that is read again: its posts are followed further, and nobody is forgotten */
export async function readState(
  db: Db,
  args: ListArgs,
  session: ClientSession,
  before: ListState | undefined,
): Promise<ListState> {
  const reader = await findReader(db, args.reader, session);
  const read = await readerOfList(db, args, reader, session);
  const { found, hasOlder } = await readFollowed(read, before?.posts ?? []);
  const known = before ? [...before.relations.keys(), ...before.narrowing, ...before.undecided.flatMap(peopleOf)] : [];
  const ids = new Set([...found.flatMap(peopleOf), args.owner, ...known.toReversed()]);
  const hidden = await findHiddenFrom(db, reader.id, session);
  const followers = await findFollowersFor(db, args, session);
  const relations = await findRelations(db, reader, [...ids].slice(0, RELATIONS_MAX), session);
  for (const id of known) if (!relations.has(id) && relations.size < RELATIONS_MAX) relations.set(id, HAS_LEFT);
  return measured({
    args,
    reader,
    relations,
    followers,
    hidden,
    posts: found,
    undecided: [],
    untold: new Set(),
    narrowing: new Set(),
    hasLost: false,
    topics: topicsOfState(args, reader, followers, found),
    hasOlder,
    isUncertain: false,
    size: 0,
  });
}

/** The newest ones: as many as before, or more, if so many new ones have come in front of those. */
async function readFollowed(read: ReadCandidates, before: readonly PostDocument[]) {
  const wanted = Math.max(SHOWN_FIRST, before.length);
  const most = Math.min(KEPT_MAX, before.length > 0 ? wanted + SHOWN_FIRST : wanted);
  const { found: all, last } = await fill(null, most + 1, read);
  const oldest = before.at(-1);
  const isFollowed = (post: PostDocument, at: number) => at < wanted || (oldest && byAge(post, oldest) <= 0);
  const found = all.slice(0, most).filter(isFollowed);
  return { found, hasOlder: last !== null || all.length > found.length };
}

export const peopleOf = ({ author_id, wall_id }: PostDocument): string[] => [author_id, wall_id];

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

async function findFollowersFor(db: Db, { list, owner }: ListArgs, session: ClientSession): Promise<KnownPeople> {
  if (list !== 'NEWS') return { ids: new Set(), areAll: false };
  const { ids, areAll } = await findLatestFollowers(db, owner, FOLLOWERS_MAX, session);
  return { ids: new Set(ids), areAll };
}

function topicsOfState(
  { list, owner, reader: id }: ListArgs,
  reader: Reader,
  followers: KnownPeople,
  followed: readonly PostDocument[],
): string[] {
  const graph = [NAMES, LEAVING, ...(id === null ? [] : [graphOf(id)])];
  if (list !== 'NEWS') return [...graph, ...(id === owner ? [] : [graphOf(owner)])];
  const authors = followed.map(({ author_id }) => author_id);
  const some = [...new Set([...reader.following.keys(), ...followers.ids, ...authors])].map(byAuthor);
  return [...graph, ...some, ...(followers.areAll ? [] : [FOR_CIRCLES])];
}

export function measured(state: ListState): ListState {
  const posts = [...state.posts, ...state.undecided].reduce((sum, post) => sum + sizeOfPost(post), 0);
  const { topics, relations, followers, hidden } = state;
  state.size =
    posts + (topics.length + relations.size) * TOPIC_BYTES + (followers.ids.size + hidden.size) * PERSON_BYTES;
  return state;
}

/** Whether a post is older than all that are followed. */
export function isOlder({ posts, hasOlder }: ListState, post: PostDocument): boolean {
  const oldest = posts.at(-1);
  return hasOlder && oldest !== undefined && byAge(oldest, post) < 0;
}

/** Where a post is, or belongs. */
const placeOf = ({ posts }: ListState, post: PostDocument): number => {
  const at = posts.findIndex((each) => byAge(post, each) <= 0); // a new post belongs before the first one
  return at < 0 ? posts.length : at;
};

/** Whether a post is among those that are followed. */
export const follows = (state: ListState, post: PostDocument): boolean =>
  state.posts[placeOf(state, post)]?._id === post._id;

/**
 * Whether the changes of a post come by a topic of the list. All posts for circles come by one topic, if not all followers are known, but
 * only as they are new or deleted: what else becomes of them comes by the topic of their author.
 */
const isFollowed = ({ args, reader, followers, topics }: ListState, { author_id: author }: PostDocument): boolean =>
  args.list !== 'NEWS' ||
  followers.areAll ||
  author === args.owner ||
  reader.following.has(author) ||
  followers.ids.has(author) ||
  topics.includes(byAuthor(author));

/** Adds a post that the reader sees. @returns whether it is among those that are followed */
export function keep(state: ListState, post: PostDocument): boolean {
  if (isOlder(state, post)) return false; // an imported one
  if (!isFollowed(state, post)) state.isUncertain = true; // read again, with the topic of its author and what came of it meanwhile
  if (state.isUncertain) state.untold.add(post._id);
  state.posts = state.posts.toSpliced(placeOf(state, post), 0, post);
  state.size += sizeOfPost(post);
  const [oldestKept] = state.posts.splice(KEPT_MAX);
  if (oldestKept) {
    state.size -= sizeOfPost(oldestKept);
    state.hasOlder = true;
  }
  return true;
}

/** Somebody was looked up. */
export function remember({ relations }: ListState, id: string, relation: Relation): void {
  relations.set(id, relation);
  const [longest] = relations.keys();
  if (relations.size > RELATIONS_MAX && longest !== undefined) relations.delete(longest);
}
