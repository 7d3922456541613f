/** Words for decisions and for those who write and report. */
import { formatCount, formatCountOf } from '../../kit/base/format.js';
import type { Decision, ModeratedComment } from './moderated-comment.js';

/** The server counts no further. */
export const COUNTED_MAX = 1000;

interface DecisionWords {
  /** On a button. */
  readonly act: string;
  readonly acting: string;
  readonly done: string;
}

export const decisionWords: Readonly<Record<Decision, DecisionWords>> = {
  PUBLISHED: { act: 'Publish', acting: 'Publishing …', done: 'Published' },
  HIDDEN: { act: 'Hide', acting: 'Hiding …', done: 'Hidden' },
  DELETED: { act: 'Delete', acting: 'Deleting …', done: 'Deleted' },
};

/** What takes a decision back. A deletion is for good. */
export const opposite: Readonly<Record<Decision, Decision | null>> = {
  PUBLISHED: 'HIDDEN',
  HIDDEN: 'PUBLISHED',
  DELETED: null,
};

/** Of a comment that everybody sees, publishing means to leave it. */
export const publishWord = ({ state }: Pick<ModeratedComment, 'state'>): string =>
  state === 'PUBLISHED' ? 'Keep' : 'Publish';

export const nameOf = ({ name }: { readonly name: string }): string => name || 'a former member';

export const waitingWords = (waiting: number): string =>
  waiting >= COUNTED_MAX
    ? `at least ${formatCount(waiting)} wait`
    : `${formatCount(waiting)} ${waiting === 1 ? 'waits' : 'wait'}`;

export const countOfComments = (count: number): string => formatCountOf(count, 'comment');

/** The beginning of its text, in a line. */
export const beginningOf = ({ text }: Pick<ModeratedComment, 'text'>): string =>
  (text ?? '').slice(0, 160).replace(/\s+/g, ' ').trim();
