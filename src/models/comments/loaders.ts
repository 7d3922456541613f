/** Batched loading of discussions, for the fields of lists. */
import type DataLoader from 'dataloader';
import type { Db } from 'mongodb';
import { batched } from '../../shared/batched-loader.js';
import { type CommentCase, findCasesById } from './comment-case.js';
import { type Discussion, findDiscussions } from './discussion/discussion.js';

export interface CommentLoaders {
  /** By the id of a discussion. Null where nobody has commented. */
  readonly discussion: DataLoader<string, Discussion | null>;
  /** By the id of a comment. Null where nobody has to decide. */
  readonly commentCase: DataLoader<string, CommentCase | null>;
}

export const makeCommentLoaders = (db: Db): CommentLoaders => ({
  discussion: batched(async (ids) => {
    const found = new Map((await findDiscussions(db, ids)).map((discussion) => [discussion._id, discussion]));
    return ids.map((id) => found.get(id) ?? null);
  }),
  commentCase: batched(async (ids) => {
    const found = new Map((await findCasesById(db, ids)).map((each) => [each._id, each]));
    return ids.map((id) => found.get(id) ?? null);
  }),
});
