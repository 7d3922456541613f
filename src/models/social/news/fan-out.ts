/** For whom a post is meant, in steps: those whose news have it. */
import type { Db } from 'mongodb';
import { InputError } from '../../../shared/errors.js';
import type { FanOutWay, PostDelivery } from '../delivery/delivery.js';
import { readFollowerPages } from '../network/follower.js';
import { findLeft, findPerson, type PersonDocument } from '../network/person.js';
import type { PostDocument } from '../posts/post.js';
import { requireAudience } from '../posts/post-input.js';
import { fanOutWay } from '../posts/publishing.js';
import { type Audience, isMeantFor } from '../posts/visibility.js';

type Meant = Pick<PostDocument, 'author_id' | 'wall_id' | 'audience' | 'circle_ids'>;

const READERS_AT_ONCE = 500;

const membersOf = (author: PersonDocument, post: Meant): string[] =>
  author.following
    .filter(({ circles }) => isMeantFor(post, circles))
    .map(({ id }) => id)
    .sort();

export interface Readers {
  readonly ids: readonly string[];
  /** Where the next ones begin. Null if these are the last ones. */
  readonly next: PostDelivery['position'] | null;
}

/**
 * The next readers of a post, and the author with the first ones. At most a page of followers at once.
 * @param author as read before: who begins to follow later is compared with the author (`comparison.ts`)
 */
export async function findNextReaders(
  db: Db,
  author: PersonDocument,
  post: Meant,
  position: PostDelivery['position'],
): Promise<Readers> {
  const own = position ? [] : [author._id];
  if (post.audience === 'PUBLIC') {
    const [page] = await readFollowerPages(db, author._id, position?.page ?? 0, 1);
    const ids = page?.followers.map(({ id }) => id) ?? [];
    const isLast = !page || page.number >= author.follower_page.number;
    return { ids: [...own, ...ids], next: isLast ? null : { page: page.number } };
  }
  const left = membersOf(author, post).filter((id) => id > (position?.reader ?? ''));
  const ids = left.slice(0, READERS_AT_ONCE);
  const last = ids.at(-1);
  return { ids: [...own, ...ids], next: last !== undefined && left.length > ids.length ? { reader: last } : null };
}

/** How many readers a post has, without its author. */
export function countReaders(author: PersonDocument, post: Meant): number {
  return post.audience === 'PUBLIC' ? author.follower_count : membersOf(author, post).length;
}

export interface AudiencePreview {
  readonly readers: number;
  readonly isPublic: boolean;
  readonly way: FanOutWay;
}

/** @throws InputError `circleIds`: as for a post, or one that is not the author's */
export async function previewAudience(
  db: Db,
  authorId: string,
  audience: Audience,
  circles: readonly string[],
): Promise<AudiencePreview> {
  const isPublic = audience === 'PUBLIC';
  requireAudience({ audience, circles }, 'circleIds');
  const author = await findPerson(db, authorId);
  const own = new Set(author?.circles.map(({ id }) => id));
  if (!circles.every((circle) => own.has(circle))) throw new InputError('circleIds', 'must name circles that you have');
  if (!author) return { readers: 0, isPublic, way: 'WRITE' };
  const post = { author_id: authorId, wall_id: authorId, audience, circle_ids: [...circles] };
  // Followers who have left are counted until they are erased: there may be a million.
  const left = isPublic ? 0 : (await findLeft(db, membersOf(author, post))).size;
  return { readers: countReaders(author, post) - left, isPublic, way: fanOutWay(author, audience) };
}
