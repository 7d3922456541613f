/**
 * Who sees a post. The one rule behind every list, subscription, comment and reference: pure, and applied when reading, against the graph
 * as it is then. Whatever was copied or delivered before grants nothing.
 */
import type { Reader, Relation } from '../network/relation.js';

export type Audience = 'PUBLIC' | 'MY_CIRCLES' | 'CIRCLES';

export type VisibilityRule =
  | 'DELETED'
  | 'OWN'
  | 'LEFT'
  | 'ON_OWN_WALL'
  | 'BLOCKED'
  | 'PUBLIC'
  | 'IN_A_CIRCLE'
  | 'NOT_IN_A_CIRCLE';

/** What the rule reads of a post. */
export interface Visible {
  readonly author_id: string;
  readonly wall_id: string;
  readonly audience: Audience;
  /** For `CIRCLES`: circles of the author. */
  readonly circle_ids: readonly string[];
  readonly deleted?: Date;
}

/**
 * @param readerId null for a visitor
 * @param author how the author is related to the reader @param wall how the owner of the wall is. Null: has left the network
 * @returns the first rule that applies, in this order
 */
export function visibilityRule(
  post: Visible,
  readerId: string | null,
  author: Relation | null,
  wall: Relation | null,
): VisibilityRule {
  if (post.deleted) return 'DELETED';
  if (readerId !== null && readerId === post.author_id) return 'OWN';
  if (!author || !wall) return 'LEFT';
  if (readerId !== null && readerId === post.wall_id) return 'ON_OWN_WALL';
  if (readerId !== null && isOverBlock(author, wall)) return 'BLOCKED';
  if (post.audience === 'PUBLIC') return 'PUBLIC';
  return readerId !== null && isMeantFor(post, author.circles) ? 'IN_A_CIRCLE' : 'NOT_IN_A_CIRCLE';
}

/**
 * Whether there is a block between the reader and the author, or the owner of the wall. Authors see their own posts over one, and owners
 * what is on their walls, to delete it. Nobody comments or votes over one.
 */
export const isOverBlock = (author: Relation | null, wall: Relation | null): boolean =>
  (author?.isBlocked ?? false) || (wall?.isBlocked ?? false);

/** @param circles of the author, in which somebody is */
export function isMeantFor({ audience, circle_ids }: Visible, circles: readonly string[]): boolean {
  if (audience === 'MY_CIRCLES') return circles.length > 0;
  return audience === 'CIRCLES' && circles.some((circle) => circle_ids.includes(circle));
}

export const grants = (rule: VisibilityRule): boolean =>
  rule !== 'DELETED' && rule !== 'LEFT' && rule !== 'BLOCKED' && rule !== 'NOT_IN_A_CIRCLE';

/**
 * Whether a post belongs to the news of the reader, if the reader sees it: the reader's own, public ones of people whom the reader
 * follows, and those meant for a circle that the reader is in. These are the readers to whom a new post is delivered.
 */
export const isNewsFor = (post: Visible, reader: Reader, author: Relation): boolean =>
  reader.id === post.author_id ||
  (post.audience === 'PUBLIC' ? reader.following.has(post.author_id) : isMeantFor(post, author.circles));

/** Whether a post belongs to the reader's own wall as the reader sees it: own posts, and those of people whom the reader follows. */
export const isOnOwnWall = (post: Visible, reader: Reader): boolean =>
  reader.id === post.author_id || reader.following.has(post.author_id);
