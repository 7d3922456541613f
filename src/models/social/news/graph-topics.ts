/** The topics of changes of the graph, for feeds that depend on what a person may see. */
import type { ChangeEvent } from '../../../database/index.js';
import { idOfType } from '../../../shared/global-id.js';
import { type PostDocument, partsOfPostId } from '../posts/post.js';
import { POST_TYPE } from '../posts/post-comments.js';

export const graphOf = (person: string): string => `graph ${person}`;

interface GraphChange {
  readonly people: readonly string[];
  readonly widens?: true;
}

const changeOf = ({ updated, document }: ChangeEvent) =>
  (updated?.graph_change ?? document?.graph_change) as GraphChange | undefined;

/** Everybody whom it concerns: the one whose document it is, and others. Empty if it changes nothing of the graph. */
export function peopleOfChange(event: ChangeEvent): string[] {
  const change = changeOf(event);
  if (!change && event.operation !== 'delete') return [];
  return [String(event.documentKey._id), ...(change?.people ?? [])];
}

/** Of new names: rare, and posts of anybody may be in a list. */
export const NAMES = 'names';

/** Whether a person has a new name. It is no part of a state, since names are read when something is told: what shows it is told again. */
export const isRenaming = ({ operation, updated }: ChangeEvent): boolean =>
  operation === 'update' && updated?.name !== undefined;

/** Of accounts that are deleted: rare, too, and a client may show posts of anybody on older pages. */
export const LEAVING = 'leaving';

/** Whether somebody's account was deleted: from then on nobody sees the person. */
export const isLeaving = ({ operation, updated }: ChangeEvent): boolean =>
  operation === 'update' && updated?.left === true;

/** Whether nobody sees less than before. */
export const isWider = (event: ChangeEvent): boolean => changeOf(event)?.widens === true;

type Shown = Pick<PostDocument, 'author_id' | 'wall_id' | 'circle_ids' | 'about' | 'comments'>;

/**
 * Finds the posts that look different to a reader after a change of a person, although they are the same: by a name, by the reader's own
 * circles, by what they are about, which the reader may not see any more, because nobody comments over a block, or because the reader has
 * joined the network, and may comment.
 */
export function showsChange(event: ChangeEvent, reader: string | null): (post: Shown) => boolean {
  const changed = String(event.documentKey._id);
  const renamed = isRenaming(event) ? changed : null;
  const people = peopleOfChange(event);
  const hasJoined = event.operation === 'insert' && changed === reader;
  const others = new Set(reader !== null && people.includes(reader) ? people.filter((id) => id !== reader) : []);
  return (post) =>
    hasJoined ||
    (renamed !== null && (peopleAround(post).includes(renamed) || commentersOf(post).includes(renamed))) ||
    peopleAround(post).some((id) => others.has(id)) ||
    (people.length > 0 && changed === reader && post.author_id === reader && post.circle_ids.length > 0);
}

/** Those whose relations to a reader decide what of a post is shown, if it is: also of another post, which it is about. */
function peopleAround({ author_id, wall_id, about }: Shown): string[] {
  const other = about === undefined ? null : partsOfPostId(idOfType(POST_TYPE, about) ?? '');
  return [author_id, wall_id, ...(other ? [other.author, other.wall] : [])];
}

const commentersOf = ({ comments }: Shown): (string | undefined)[] =>
  comments?.latest.map(({ author }) => author._id) ?? [];
