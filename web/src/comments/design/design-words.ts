/** How the storage designs of discussions are called. */
import type { CommentDesign } from '../../../generated/graphql.js';

interface DesignWords {
  readonly name: string;
  /** In a sentence: “to move the comments into …”. */
  readonly into: string;
  readonly meaning: string;
}

export const designWords: Readonly<Record<CommentDesign, DesignWords>> = {
  ONE_EACH: {
    name: 'A document each',
    into: 'a document each',
    meaning: 'Any number of comments, and every order on an index.',
  },
  EMBEDDED: {
    name: 'One document',
    into: 'one document',
    meaning: 'All comments are read together: at most 2,000, with 1 MiB of text.',
  },
  HYBRID: {
    name: 'Pages of 100',
    into: 'pages',
    meaning: 'Any number in the order of time, and threads of up to 5,000.',
  },
};

export const designs = Object.keys(designWords) as readonly CommentDesign[];
