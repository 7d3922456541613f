/** Pages of about 100 comments: the documents of the design HYBRID. */
import { defineCollection } from '../../../database/index.js';
import type { StoredComment } from '../discussion/comment.js';

export interface CommentPageDocument {
  /** `pageIdOf`: unique, so no two writers create the same page. */
  _id: string;
  discussion: string;
  generation: number;
  /** From 1. */
  page: number;
  /** The lowest and the highest number of its comments. */
  first: number;
  last: number;
  comments: StoredComment[];
  /** Its first comments were copied from another design: its insertion is not new to those who follow the discussion. */
  copied?: true;
}

export const commentPages = defineCollection<CommentPageDocument>('comment_pages', [
  { key: { discussion: 1, generation: 1, last: 1 } }, // oldest first: from a number on
  { key: { discussion: 1, generation: 1, first: -1 } }, // newest first: up to a number
]);

export const pageIdOf = (discussion: string, generation: number, page: number): string =>
  `${discussion}/${generation}/${page}`;
