/** Reports of comments, and what moderators decide about them. */
import type { Db } from 'mongodb';
import { allRejected, checkEach, type RejectedItem } from '../../shared/bulk-items.js';
import { InputError, LimitError } from '../../shared/errors.js';
import { groupBy } from '../../shared/group-by.js';
import { requireVisible } from '../../shared/visible-text.js';
import type { Act } from '../people/audit.js';
import { isSeen, type Unseen } from './comment-list.js';
import { type CommentState, partsOfId } from './discussion/comment.js';
import { existing, findDiscussions, type Subject } from './discussion/discussion.js';
import type { DiscussionWriter } from './discussion-write.js';

const REASON_LENGTH_MAX = 500;
const TOGETHER_MAX = 200;

/** @throws InputError */
export const requireReason = (reason: string): string => requireVisible('reason', reason, REASON_LENGTH_MAX);

/**
 * @param reason as `requireReason` returns it
 * @returns whether there is such a comment that everybody sees, and so does who reports it. The same report again counts once.
 */
export async function reportComment(
  db: Db,
  writer: DiscussionWriter,
  subject: Subject,
  { number, by, reason, now, hiddenAuthors }: { number: number; by: string; reason: string; now: Date } & Unseen,
): Promise<boolean> {
  const reported = await writer.write(db, subject, [number], async (edit) => {
    const comment = await edit.find(number);
    if (comment?.state !== 'PUBLISHED' || !isSeen(comment, hiddenAuthors)) return false;
    edit.report(comment, { by, at: now, reason });
    return true;
  });
  return reported ?? false;
}

export interface Moderation {
  readonly moderated: number;
  readonly rejected: readonly RejectedItem[];
}

export interface ModerationInput {
  /** Of comments. */
  readonly ids: readonly string[];
  readonly state: CommentState;
  /** What a discussion is about, for the audit trail. */
  readonly nameOf: (discussion: string) => string;
}

/** What a moderator decides. Nothing begins to wait again, and what was deleted has no text to show. */
type Decision = Exclude<CommentState, 'HELD'>;

/**
 * Brings comments to a state and closes their cases: those of one discussion in one transaction, with its entry in the audit trail. A
 * repeat changes nothing more.
 * @throws InputError @throws LimitError more than 200
 */
export async function moderateComments(
  db: Db,
  writer: DiscussionWriter,
  act: Act,
  { ids, state, nameOf }: ModerationInput,
): Promise<Moderation> {
  if (state === 'HELD') throw new InputError('state', 'must be PUBLISHED, HIDDEN or DELETED');
  if (ids.length > TOGETHER_MAX) throw new LimitError(`At most ${TOGETHER_MAX} comments at once`, TOGETHER_MAX);
  const checked = checkEach(ids, (id) => {
    const parts = partsOfId(id);
    if (!parts) throw new InputError('id', 'is of no comment');
    return parts;
  });
  const items = checked.accepted.map((parts, index) => ({ ...parts, index }));
  const later: RejectedItem[] = [];
  const known = new Set(
    (
      await findDiscussions(
        db,
        items.map(({ discussion }) => discussion),
      )
    ).map(({ _id }) => _id),
  );
  for (const [discussion, some] of groupBy(items, (item) => item.discussion)) {
    if (!known.has(discussion)) later.push(...some.map(({ index }) => notFound(index)));
    else later.push(...(await moderateIn(db, writer, { act, name: nameOf(discussion) }, discussion, some, state)));
  }
  return { moderated: items.length - later.length, rejected: allRejected(checked, later) };
}

interface Item {
  readonly number: number;
  /** Among the accepted items. */
  readonly index: number;
}

const notFound = (index: number): RejectedItem => ({ index, code: 'NOT_FOUND', message: 'There is no such comment' });
const isDeleted = (index: number): RejectedItem => ({ index, code: 'CONFLICT', message: 'The comment was deleted' });

/** @returns those that could not be brought to the state */
async function moderateIn(
  db: Db,
  writer: DiscussionWriter,
  { act, name }: { readonly act: Act; readonly name: string },
  discussion: string,
  items: readonly Item[],
  state: Decision,
): Promise<RejectedItem[]> {
  const numbers = items.map(({ number }) => number);
  const refused = await writer.write(db, existing(discussion), numbers, async (edit) => {
    const rejected: RejectedItem[] = [];
    let changed = 0;
    for (const { number, index } of items) {
      const comment = await edit.find(number);
      if (!comment) rejected.push(notFound(index));
      else if (comment.state === 'DELETED' && state !== 'DELETED') rejected.push(isDeleted(index));
      else {
        if (comment.state !== state) changed += 1;
        await edit.decide(comment, state);
      }
    }
    if (changed > 0) edit.record(act, { action: 'COMMENTS_MODERATED', subject: name, detail: `${changed} ${state}` });
    return rejected;
  });
  return refused ?? items.map(({ index }) => notFound(index));
}
