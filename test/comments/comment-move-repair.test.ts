/** Moves of discussions that fail in the middle are ended, and nothing of them is left. */
import { describe, expect, it } from 'vitest';
import { commentPages } from '../../src/models/comments/designs/comment-page.js';
import { type CommentDesign, comments } from '../../src/models/comments/discussion/comment.js';
import { discussions, type Subject } from '../../src/models/comments/discussion/discussion.js';
import { DiscussionWriter } from '../../src/models/comments/discussion-write.js';
import { endFailedMoves } from '../../src/models/comments/move/move-repair.js';
import { startMove } from '../../src/models/comments/move/move-start.js';
import { editComment, postComment } from '../../src/models/comments/posting.js';
import { useDatabase } from '../support/database.js';
import { testAct } from '../support/people.js';
import { useWork } from '../system/work/work-support.js';
import { failingMove } from './failed-move.js';

const COUNT = 700; // three batches, then the last step and the removal
const database = useDatabase();
const { loopOf } = useWork(database);
const writer = new DiscussionWriter();
const AT = new Date('2026-01-01T00:00:00Z');

let begun = 0;
async function begin(design: CommentDesign): Promise<Subject> {
  begun += 1;
  const subject: Subject = { discussion: `Test:failed${begun}`, policy: 'MEMBERS', design, ownerIds: [] };
  const author = { _id: 'ann', name: '' };
  await Promise.all(
    Array.from({ length: COUNT }, (_, at) =>
      postComment(database.db, writer, subject, {
        author,
        isMember: true,
        text: `Text ${at}`,
        replyTo: null,
        now: AT,
      }),
    ),
  );
  return subject;
}

const ask = (subject: Subject, to: CommentDesign) =>
  startMove(database.db, testAct(), { subject, name: '/page', to, owner: null });

/** @param steps after which it fails */
async function fail(subject: Subject, to: CommentDesign, steps: number): Promise<void> {
  const move = await ask(subject, to);
  if ('__typename' in move) throw new Error(move.message);
  const ended = await loopOf([failingMove(steps)], { onFault: () => undefined }).run(move._id);
  expect(ended).toMatchObject({ state: 'FAILED' });
}

const edit = (subject: Subject, number: number) =>
  editComment(database.db, writer, subject, {
    number,
    text: `Edited ${number}`,
    changer: { accountId: 'ann', isModerator: false },
    now: AT,
  });

/** What is stored of a discussion. */
async function storedOf({ discussion }: Subject) {
  const { db } = database;
  const stored = await discussions(db).findOne({ _id: discussion });
  const pages = await commentPages(db).find({ discussion }).toArray();
  return {
    design: stored?.design,
    isMarked: stored?.move !== undefined || stored?.changed !== undefined,
    whole: await comments(db).countDocuments({ discussion, path: { $exists: true } }),
    onPages: pages.reduce((sum, page) => sum + page.comments.length, 0),
  };
}

describe('a move that failed', () => {
  it.each([
    { from: 'ONE_EACH', to: 'HYBRID', steps: 0 },
    { from: 'ONE_EACH', to: 'HYBRID', steps: 2 },
    { from: 'HYBRID', to: 'ONE_EACH', steps: 2 },
    { from: 'HYBRID', to: 'EMBEDDED', steps: 0 },
  ] as const)('from $from to $to after $steps steps leaves the discussion as it was', async ({ from, to, steps }) => {
    const subject = await begin(from);
    const before = await storedOf(subject);
    await fail(subject, to, steps);
    await edit(subject, 1);
    expect(await endFailedMoves(database.db)).toBe(1);
    expect(await storedOf(subject)).toEqual(before);
    expect(await endFailedMoves(database.db)).toBe(0);
  });

  it.each([
    { from: 'ONE_EACH', to: 'HYBRID', steps: 4, left: { whole: 0, onPages: COUNT } },
    { from: 'HYBRID', to: 'ONE_EACH', steps: 3, left: { whole: COUNT, onPages: 0 } },
    { from: 'HYBRID', to: 'ONE_EACH', steps: 4, left: { whole: COUNT, onPages: 0 } },
    { from: 'ONE_EACH', to: 'EMBEDDED', steps: 1, left: { whole: 0, onPages: 0 } },
  ] as const)('from $from to $to after the switch is completed: $steps steps', async ({ from, to, steps, left }) => {
    const subject = await begin(from);
    await fail(subject, to, steps);
    expect(await storedOf(subject)).toMatchObject({ design: to, isMarked: true });
    expect(await endFailedMoves(database.db)).toBe(1);
    expect(await storedOf(subject)).toEqual({ design: to, isMarked: false, ...left });
  });

  it('keeps another one waiting until nothing is left of it', async () => {
    const subject = await begin('ONE_EACH');
    await fail(subject, 'HYBRID', 2);
    expect(await ask(subject, 'EMBEDDED')).toMatchObject({
      __typename: 'CommentMoveBusy',
      message: expect.stringContaining('try again in a minute'),
    });
    await endFailedMoves(database.db);
    expect(await ask(subject, 'EMBEDDED')).toMatchObject({ state: 'WAITING' });
    expect(await endFailedMoves(database.db), 'this one has not ended').toBe(0);
  });
});
