/** The topics of changes of the graph, for feeds that depend on what a person may see. */
import type { ChangeEvent } from '../../../database/index.js';
import type { PostDocument } from '../posts/post.js';

export const graphOf = (person: string): string => `graph ${person}`;

/** The people whom a change of the graph concerns, besides the one whose document it is. */
export function othersOfChange({ updated, document }: ChangeEvent): readonly string[] {
  const change = (updated?.graph_change ?? document?.graph_change) as { people?: readonly string[] } | undefined;
  return change?.people ?? [];
}

/** Everybody whom it concerns. Empty if it changes nothing between people. */
export function peopleOfChange(event: ChangeEvent): string[] {
  const others = othersOfChange(event);
  return others.length > 0 || event.operation === 'delete' ? [String(event.documentKey._id), ...others] : [];
}

/** Of new names: rare, and posts of anybody may be in a list. */
export const NAMES = 'names';

/** Whether a person has a new name. It is no part of a state, since names are read when something is told: what shows it is told again. */
export const isRenaming = ({ operation, updated }: ChangeEvent): boolean =>
  operation === 'update' && updated?.name !== undefined;

/** Whether a post shows the name of the person whose document has changed. */
export const showsName = (post: Pick<PostDocument, 'author_id' | 'wall_id'>, { documentKey }: ChangeEvent): boolean =>
  [post.author_id, post.wall_id].includes(String(documentKey._id));

/** Whether nobody sees less than before. */
export function isWider({ updated, document }: ChangeEvent): boolean {
  const change = (updated?.graph_change ?? document?.graph_change) as { widens?: true } | undefined;
  return change?.widens === true;
}
