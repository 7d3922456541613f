/** A discussion as a plain array, with which every design is compared. */
import {
  type Comment,
  type CommentOrder,
  type CommentState,
  depthOf,
} from '../../src/models/comments/discussion/comment.js';

/** What the truth knows of a comment. */
export interface True {
  number: number;
  parent: True | null;
  author: string;
  text: string | null;
  state: CommentState;
  path: number[];
}

/** A discussion as an array. */
export class Truth {
  readonly all: True[] = [];

  post(author: string, text: string, parent: True | null): void {
    const number = this.all.length + 1;
    this.all.push({ number, parent, author, text, state: 'PUBLISHED', path: [...(parent?.path ?? []), number] });
  }

  isShown(comment: True): boolean {
    return comment.state === 'PUBLISHED' || this.all.some((other) => other.parent === comment && this.isShown(other));
  }

  list(order: CommentOrder, top: True | null = null): True[] {
    const shown = this.all.filter(
      (comment) =>
        this.isShown(comment) && (!top || (comment !== top && top.path.every((n, at) => comment.path[at] === n))),
    );
    if (order === 'NEWEST_FIRST') return shown.toReversed();
    return order === 'OLDEST_FIRST' ? shown : shown.toSorted((one, other) => compare(one.path, other.path));
  }

  view(comment: True): object {
    const replies = this.all.filter(({ parent, state }) => parent === comment && state === 'PUBLISHED').length;
    return {
      number: comment.number,
      author: comment.author,
      text: comment.text,
      state: comment.state,
      replies,
      depth: comment.path.length - 1,
    };
  }
}

function compare(one: readonly number[], other: readonly number[]): number {
  for (let at = 0; at < Math.min(one.length, other.length); at += 1) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

/** What is compared with the truth. */
export const viewOf = ({ number, author, text, state, replies, path }: Comment) => ({
  number,
  author: author._id,
  text,
  state,
  replies,
  depth: depthOf(path),
});
