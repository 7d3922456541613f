/** Erasing what an account has written: its comments, and its reports of others'. */
import type { Db } from 'mongodb';
import { failpoint } from '../../shared/failpoint.js';
import { groupBy } from '../../shared/group-by.js';
import { commentCases } from './comment-case.js';
import { referencesOf } from './comments-of.js';
import { type CommentState, partsOfId } from './discussion/comment.js';
import { existing, findDiscussion } from './discussion/discussion.js';
import type { DiscussionEdit } from './discussion-edit.js';
import { removeDiscussion } from './discussion-removal.js';
import type { DiscussionWriter } from './discussion-write.js';

/** Deleted ones last: one that is deleted meanwhile is not missed. */
const STATES: readonly CommentState[] = ['HELD', 'HIDDEN', 'PUBLISHED', 'DELETED'];
const CASES_AT_ONCE = 100;

/**
 * Those of one discussion in one transaction, up to a hundred. What is erased is not found again: after a crash, the same call
 * continues. The account must not be able to write any more.
 * @returns how many comments it has erased
 */
export async function eraseCommentsOf(db: Db, writer: DiscussionWriter, accountId: string): Promise<number> {
  let erased = 0;
  // Again until there are none: a moderator may bring one to a state that was read before.
  for (let some = -1; some !== 0; erased += some) some = await eraseFound(db, writer, accountId);
  await withdrawReports(db, writer, accountId);
  return erased;
}

async function eraseFound(db: Db, writer: DiscussionWriter, accountId: string): Promise<number> {
  let erased = 0;
  for (const state of STATES) {
    for await (const some of referencesOf(db, accountId, state)) {
      for (const [discussion, own] of groupBy(some, (one) => one.discussion)) {
        const numbers = own.map(({ number }) => number);
        erased += await eraseIn(db, writer, accountId, discussion, numbers);
        failpoint('comments.erased');
      }
    }
  }
  return erased;
}

async function eraseIn(
  db: Db,
  writer: DiscussionWriter,
  accountId: string,
  discussion: string,
  numbers: readonly number[],
): Promise<number> {
  if (!(await findDiscussion(db, discussion))) return removeLeft(db, discussion, numbers);
  const done = await writer.write(db, existing(discussion), numbers, async (edit) => {
    let erased = 0;
    for (const number of numbers) {
      const comment = await edit.find(number);
      if (comment?.author._id !== accountId) continue;
      await edit.erase(comment);
      erased += 1;
    }
    return erased;
  });
  return done ?? removeLeft(db, discussion, numbers);
}

/** What was commented on is gone, and perhaps something was left of its discussion: it is removed with the comments of others. */
async function removeLeft(db: Db, discussion: string, numbers: readonly number[]): Promise<number> {
  await removeDiscussion(db, discussion);
  return numbers.length;
}

/** Each in the turn of its discussion, which keeps it apart from other reports. */
async function withdrawReports(db: Db, writer: DiscussionWriter, accountId: string): Promise<void> {
  for (let after = ''; ; ) {
    const found = await commentCases(db)
      .find({ 'reports.by': accountId, _id: { $gt: after } }, { projection: { _id: 1 } })
      .sort({ _id: 1 })
      .limit(CASES_AT_ONCE)
      .toArray();
    for (const { _id } of found) {
      const { discussion, number } = partsOfId(_id) ?? {};
      if (discussion === undefined || number === undefined) continue;
      const withdraw = async (edit: DiscussionEdit) => {
        const comment = await edit.find(number);
        if (comment) edit.withdrawReports(comment, accountId);
        return true;
      };
      const isThere = await findDiscussion(db, discussion);
      const done = isThere && (await writer.write(db, existing(discussion), [number], withdraw));
      if (!done) await removeDiscussion(db, discussion);
      failpoint('comments.reports-withdrawn');
    }
    const last = found.at(-1);
    if (!last) return;
    after = last._id;
  }
}
