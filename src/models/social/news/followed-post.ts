/** Posts in the states of many readers: one object for all who follow it, as far as it came by an event. */
import { type ChangeEvent, changedDocument } from '../../../database/index.js';
import type { PostDocument } from '../posts/post.js';

/** What the objects of a post take besides its text. */
const OBJECT_BYTES = 800;

const sizes = new WeakMap<PostDocument, number>();

/** Estimated, and counted for each state. */
export function sizeOfPost(post: PostDocument): number {
  const known = sizes.get(post);
  if (known !== undefined) return known;
  const size = OBJECT_BYTES + JSON.stringify(post).length;
  sizes.set(post, size);
  return size;
}

const changed = new WeakMap<ChangeEvent, PostDocument>();

/** The post after an event. All states that apply the event had the same post before it, so they share what comes out. */
export function changedPost(before: PostDocument, event: ChangeEvent): PostDocument {
  const known = changed.get(event);
  if (known) return known;
  const after = changedDocument(before, event);
  changed.set(event, after);
  return after;
}
