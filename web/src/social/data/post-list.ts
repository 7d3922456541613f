/** The posts of a page, without what draws or reads them. */
import type { SocialPostFragment } from '../../../generated/graphql.js';

export type Post = SocialPostFragment;

export const FIRST = 20;

export interface PostList {
  /** Newest first. */
  readonly shown: readonly Post[];
  /** New ones that are shown on request, so that nothing moves while somebody reads. */
  readonly waiting: readonly Post[];
  /** The cursor of the last page that was read. Null: none was. */
  readonly end: string | null;
  /** Whether no older ones follow. */
  readonly isWhole: boolean;
}

/** Posts that were read, newest first. */
export interface Page {
  readonly posts: readonly Post[];
  /** The cursor of the last one. Null: no older ones follow. */
  readonly end: string | null;
}

export interface Change {
  readonly posts: readonly Post[];
  readonly removed: readonly string[];
}

const newestFirst = (a: Post, b: Post): number => Date.parse(b.postedAt) - Date.parse(a.postedAt);

/** The newest posts, of the first event and after a reset. */
export const startList = (posts: readonly Post[]): PostList => ({
  shown: posts,
  waiting: [],
  end: null,
  isWhole: posts.length < FIRST,
});

/** @param isOwn whether the viewer wrote it: shown at once */
export function hear(list: PostList, { posts, removed }: Change, isOwn: (post: Post) => boolean): PostList {
  const gone = new Set(removed);
  const stays = ({ id }: Post) => !gone.has(id);
  const changed: PostList = { ...list, shown: list.shown.filter(stays), waiting: list.waiting.filter(stays) };
  return posts.reduce((known, post) => place(known, post, isOwn(post)), changed);
}

function place(list: PostList, post: Post, isOwn: boolean): PostList {
  const same = ({ id }: Post) => id === post.id;
  const put = (posts: readonly Post[]) => posts.map((each) => (same(each) ? post : each));
  if (list.shown.some(same)) return { ...list, shown: put(list.shown) };
  if (!isOwn && list.waiting.some(same)) return { ...list, waiting: put(list.waiting) };
  const last = list.shown.at(-1);
  if (!list.isWhole && last && newestFirst(post, last) > 0) return list; // below what is shown
  if (isOwn || !last) return { ...list, shown: [...list.shown, post].toSorted(newestFirst) };
  return { ...list, waiting: [...list.waiting, post] };
}

export const showWaiting = (list: PostList): PostList => ({
  ...list,
  shown: [...list.shown, ...list.waiting].toSorted(newestFirst),
  waiting: [],
});

export function addPage(list: PostList, { posts, end }: Page): PostList {
  const known = new Set([...list.shown, ...list.waiting].map(({ id }) => id));
  const added = posts.filter(({ id }) => !known.has(id));
  return {
    ...list,
    shown: [...list.shown, ...added].toSorted(newestFirst),
    end: end ?? list.end,
    isWhole: end === null,
  };
}

/**
 * The newest posts were told again, after which nothing is known of what happened meanwhile: what is gone disappears,
 * what is new waits, and the rest stays where it is. Older ones than these stay until they are read again.
 */
export function startAgain(list: PostList, posts: readonly Post[], isOwn: (post: Post) => boolean): PostList {
  const told = new Set(posts.map(({ id }) => id));
  const last = posts.length < FIRST ? undefined : posts.at(-1);
  const isOlder = (post: Post) => last !== undefined && newestFirst(post, last) > 0;
  const shown = list.shown.filter((post) => told.has(post.id) || isOlder(post));
  const lowest = shown.at(-1);
  // Others have moved up for those that are gone: they fill the end of the list, where nothing moves.
  const below = lowest ? posts.filter((post) => newestFirst(post, lowest) > 0) : [];
  const kept: PostList = {
    shown: [...shown, ...below],
    waiting: [],
    end: list.end,
    isWhole: last === undefined || list.isWhole,
  };
  return shown.length === 0 ? startList(posts) : hear(kept, { posts, removed: [] }, isOwn);
}

/** All that was shown has been read again. */
export function replaceAll(list: PostList, { posts, end }: Page, isOwn: (post: Post) => boolean): PostList {
  const known = new Set(list.shown.map(({ id }) => id));
  const kept: PostList = { shown: posts.filter(({ id }) => known.has(id)), waiting: [], end, isWhole: end === null };
  return kept.shown.length === 0 ? { ...kept, shown: posts } : hear(kept, { posts, removed: [] }, isOwn);
}
