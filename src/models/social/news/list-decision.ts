/**
 * Whether a post is in a followed list, decided by what the state knows. Of somebody unknown, the most and the least that they may let
 * the reader see are tried: if both decide the same, nothing more must be known.
 */
import type { ClientSession, Db } from 'mongodb';
import { findRelations, NO_RELATION, type Relation } from '../network/relation.js';
import type { PostDocument } from '../posts/post.js';
import { grants, isNewsFor, isOnOwnWall, visibilityRule } from '../posts/visibility.js';
import { HAS_LEFT, type ListState, peopleOf, remember, startOver } from './list-state.js';

interface Bounds {
  readonly least: Relation;
  readonly most: Relation;
}

const exactly = (relation: Relation): Bounds => ({ least: relation, most: relation });
const BLOCKED: Relation = { circles: [], isBlocked: true };
/** Stands for circles of which nothing is known but that there are some. */
const SOME_CIRCLE = '?';

/** @returns null if what is known does not tell */
export function decide(state: ListState, post: PostDocument): boolean | null {
  const author = boundsOf(state, post.author_id, post);
  const wall = boundsOf(state, post.wall_id, post);
  const least = isInList(state, post, author.least, wall.least);
  return least === isInList(state, post, author.most, wall.most) ? least : null;
}

function boundsOf({ reader, relations, followers, hidden }: ListState, id: string, post: PostDocument): Bounds {
  if (reader.id === null || id === reader.id) return exactly(NO_RELATION);
  if (hidden.known.has(id)) return exactly(BLOCKED);
  const known = relations.get(id);
  if (known) return exactly(known);
  const isFollower = followers.ids.has(id);
  const mayBeBlocked = !hidden.areAll && !isFollower && !reader.following.has(id); // nobody follows over a block
  const least = { circles: isFollower ? [SOME_CIRCLE] : [], isBlocked: mayBeBlocked };
  if (followers.areAll && !isFollower) return { least, most: NO_RELATION };
  return { least, most: { circles: [SOME_CIRCLE, ...post.circle_ids], isBlocked: false } };
}

function isInList({ args, reader }: ListState, post: PostDocument, author: Relation, wall: Relation): boolean {
  const { list, owner } = args;
  if (!grants(visibilityRule(post, reader.id, author, wall))) return false;
  if (list === 'NEWS') return isNewsFor(post, reader, author);
  if (post.wall_id !== owner || wall.isBlocked) return false;
  if (list === 'INCOMING') return post.author_id !== owner;
  return reader.id !== owner || isOnOwnWall(post, reader);
}

/**
 * Looks up only those of whom something must be known to decide about the posts that wait.
 * @returns decides about them. Of whoever is not found, nothing is seen: they have left the network. Whether the reader saw their posts
 *   before they were deleted is not known any more, so the list starts over
 */
export async function lookUp(db: Db, state: ListState, session: ClientSession) {
  const missing = new Set(state.undecided.flatMap(peopleOf).filter((id) => !state.relations.has(id)));
  const found = await findRelations(db, state.reader, missing, session);
  const left = [...missing].filter((id) => !found.has(id));
  return (): PostDocument[] => {
    for (const [id, relation] of found) remember(state, id, relation);
    const waiting = state.undecided;
    const isLost = (post: PostDocument) => !post.live && peopleOf(post).some((id) => left.includes(id));
    if (waiting.some(isLost)) startOver(state);
    for (const id of left) remember(state, id, HAS_LEFT);
    state.undecided = [];
    return waiting.filter((post) => {
      const isIn = decide(state, post);
      const isNew = isIn === null && peopleOf(post).some((id) => !missing.has(id) && !state.relations.has(id));
      if (isNew) state.undecided.push(post); // it came while the others were looked up
      return isIn;
    });
  };
}
