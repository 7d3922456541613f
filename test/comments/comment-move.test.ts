/** Discussions that are moved into another design while people write: compared with a twin that stays where it is. */
import { describe, expect, it } from 'vitest';
import { chooseSeed, makeRandom, type Random } from '../../harness/random.js';
import { visitOnly } from '../../src/database/collections/snapshot-batches.js';
import { commentPages } from '../../src/models/comments/designs/comment-page.js';
import { designs } from '../../src/models/comments/designs/index.js';
import { type CommentDesign, comments, type StoredComment } from '../../src/models/comments/discussion/comment.js';
import { discussions, findDiscussion, type Subject } from '../../src/models/comments/discussion/discussion.js';
import { DiscussionWriter } from '../../src/models/comments/discussion-write.js';
import { findDiscussionViolations } from '../../src/models/comments/invariants.js';
import { commentMove } from '../../src/models/comments/move/comment-move.js';
import { startMove } from '../../src/models/comments/move/move-start.js';
import { deleteComment, editComment, postComment } from '../../src/models/comments/posting.js';
import type { WorkDocument } from '../../src/models/work.js';
import { useDatabase } from '../support/database.js';
import { testAct } from '../support/people.js';
import { useWork } from '../system/work/work-support.js';

const database = useDatabase();
const { loopOf } = useWork(database);
const writer = new DiscussionWriter();
const AT = new Date('2026-01-01T00:00:00Z');
const ANN = { accountId: 'ann', isModerator: false };
const ALL: readonly CommentDesign[] = ['ONE_EACH', 'EMBEDDED', 'HYBRID'];
const PAIRS = ALL.flatMap((from) => ALL.filter((to) => to !== from).map((to) => ({ from, to })));

let begun = 0;
function begin(design: CommentDesign): Subject {
  begun += 1;
  return { discussion: `Test:move${begun}`, policy: 'MEMBERS', design, ownerIds: [] };
}

const post = async (subject: Subject, text: string, replyTo?: number, on = writer): Promise<void> => {
  const { discussion } = subject;
  const outcome = await postComment(database.db, on, subject, {
    author: { _id: 'ann', name: '' },
    isMember: true,
    text,
    replyTo: replyTo === undefined ? null : `${discussion}/${replyTo.toString(36)}`,
    now: AT,
  });
  expect(outcome).toMatchObject({ text });
};

/** Posts, replies, edits and deletions: the same ones in each of these discussions. */
async function change(subjects: readonly Subject[], random: Random, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const [kind, at, text] = [random.below(10), random.below(1_000_000), `Text ${random.below(1_000_000)}`];
    for (const subject of subjects) {
      const issued = (await findDiscussion(database.db, subject.discussion))?.issued ?? 0;
      const number = (at % issued) + 1;
      const stored = issued > 0 ? await storedOf(subject, [number]) : [];
      const { path = '', state } = stored[0] ?? {};
      const mayReply = state === 'PUBLISHED' && path.length < 60;
      if (kind < 6 || state !== 'PUBLISHED') await post(subject, text, kind < 3 && mayReply ? number : undefined);
      else if (kind < 8) await editComment(database.db, writer, subject, { number, text, changer: ANN, now: AT });
      else await deleteComment(database.db, writer, subject, { number, changer: ANN });
    }
  }
}

/** At once, in this order. */
const postAll = (subject: Subject, count: number) =>
  Promise.all(Array.from({ length: count }, (_, at) => post(subject, `Text ${at}`)));

/** As they are stored, in the order of their numbers. */
async function storedOf({ discussion: id }: Subject, numbers?: readonly number[]): Promise<StoredComment[]> {
  const discussion = await findDiscussion(database.db, id);
  if (!discussion) return [];
  const all = numbers ?? Array.from({ length: discussion.issued }, (_, at) => at + 1);
  const found = await designs[discussion.design].find(database.db, discussion, all);
  return found.toSorted((one, other) => one.number - other.number);
}

const withoutRevision = ({ revision: _, ...comment }: StoredComment) => comment;

async function start(subject: Subject, to: CommentDesign): Promise<WorkDocument> {
  const outcome = await startMove(database.db, testAct(), { subject, name: '/page', to, owner: null });
  if ('__typename' in outcome) throw new Error(outcome.message);
  return outcome;
}
const run = (id: string, rest?: () => Promise<void>) => loopOf([commentMove], rest ? { rest } : {}).run(id);

/** Nothing of the designs that it does not have. */
async function expectClean({ discussion: id }: Subject): Promise<void> {
  const { db } = database;
  const stored = await discussions(db).findOne({ _id: id });
  expect(stored).not.toHaveProperty('move');
  expect(stored).not.toHaveProperty('changed');
  if (stored?.design !== 'EMBEDDED') expect(stored).not.toHaveProperty('comments');
  if (stored?.design !== 'HYBRID') expect(stored).not.toHaveProperty('page');
  const isHere = stored?.design === 'ONE_EACH';
  expect(await comments(db).countDocuments({ discussion: id, path: { $exists: !isHere } })).toBe(0);
  const pages = await commentPages(db).find({ discussion: id }).toArray();
  if (stored?.design !== 'HYBRID') expect(pages).toEqual([]);
  for (const { generation } of pages) expect(generation).toBe(stored?.generation);
  for await (const violation of findDiscussionViolations(db, visitOnly)) expect(violation).toBeNull();
}

describe.each(PAIRS)('a discussion that is moved from $from to $to', ({ from, to }) => {
  it('is the same afterwards, and after it is moved back, byte by byte', async () => {
    const random = makeRandom(chooseSeed(`a move ${from} ${to}`));
    const subject = begin(from);
    await postAll(subject, 280);
    await change([subject], random, 60);
    const before = await storedOf(subject);
    expect(await run((await start(subject, to))._id)).toMatchObject({ state: 'FINISHED', done: before.length });
    expect(await findDiscussion(database.db, subject.discussion)).toMatchObject({ design: to, generation: 2 });
    expect(await storedOf(subject)).toEqual(before);
    await expectClean(subject);
    expect(await run((await start(subject, from))._id)).toMatchObject({ state: 'FINISHED' });
    expect(await storedOf(subject)).toEqual(before);
    await expectClean(subject);
  });

  it('takes every post, reply, edit and deletion of the meantime', async () => {
    const random = makeRandom(chooseSeed(`a move at once ${from} ${to}`));
    const [subject, twin] = [begin(from), begin(from)];
    for (const each of [subject, twin]) await postAll(each, 310);
    const { _id } = await start(subject, to);
    await change([subject, twin], random, 5);
    const ended = await run(_id, () => change([subject, twin], random, 8));
    expect(ended).toMatchObject({ state: 'FINISHED' });
    await change([subject, twin], random, 20);
    expect((await storedOf(subject)).map(withoutRevision)).toEqual((await storedOf(twin)).map(withoutRevision));
    await expectClean(subject);
  });
});

describe('a move', () => {
  it('is refused if the design is the same, cannot hold the discussion, or if one is under way', async () => {
    const { db } = database;
    const subject = begin('ONE_EACH');
    await post(subject, 'Text');
    const ask = (to: CommentDesign) => startMove(db, testAct(), { subject, name: '/page', to, owner: null });
    expect(await ask('ONE_EACH')).toMatchObject({ __typename: 'CommentDesignNotPossible' });
    await discussions(db).updateOne({ _id: subject.discussion }, { $set: { issued: 2001 } });
    expect(await ask('EMBEDDED')).toMatchObject({
      message: 'The discussion has had 2001 comments. EMBEDDED holds at most 2000',
    });
    await discussions(db).updateOne({ _id: subject.discussion }, { $set: { issued: 5001 } });
    expect(await ask('HYBRID')).toMatchObject({ __typename: 'CommentDesignNotPossible' });
    await discussions(db).updateOne({ _id: subject.discussion }, { $set: { issued: 1 } });
    const move = await start(subject, 'HYBRID');
    expect(await ask('EMBEDDED')).toMatchObject({ __typename: 'CommentMoveBusy', move: { _id: move._id } });
    expect(await run(move._id)).toMatchObject({ state: 'FINISHED' });
  });

  it('fails with the reason, and leaves nothing, if the discussion grows beyond the design', async () => {
    const { db } = database;
    const subject = begin('ONE_EACH');
    await postAll(subject, 450);
    const before = await storedOf(subject);
    const { _id } = await start(subject, 'HYBRID');
    const grow = async () => {
      await discussions(db).updateOne({ _id: subject.discussion }, { $set: { issued: 5001 } });
    };
    const ended = await run(_id, grow);
    expect(ended).toMatchObject({
      state: 'FAILED',
      failure: expect.stringContaining('HYBRID shows threads of at most 5000'),
    });
    await discussions(db).updateOne({ _id: subject.discussion }, { $set: { issued: 450 } });
    expect(await storedOf(subject)).toEqual(before);
    expect(await findDiscussion(db, subject.discussion)).toMatchObject({ design: 'ONE_EACH', generation: 1 });
    await expectClean(subject);
    expect(await run((await start(subject, 'HYBRID'))._id)).toMatchObject({ state: 'FINISHED' });
    expect(await storedOf(subject)).toEqual(before);
  });

  it('of a discussion without comments is possible, and of one that nobody has begun', async () => {
    const subject = begin('HYBRID');
    expect(await run((await start(subject, 'EMBEDDED'))._id)).toMatchObject({ state: 'FINISHED' });
    await post(subject, 'First');
    expect(await storedOf(subject)).toMatchObject([{ number: 1, text: 'First' }]);
    await expectClean(subject);
  });

  it('loses nothing of 64 writers in two processes, and keeps their order', async () => {
    const subject = begin('HYBRID');
    const writers = [new DiscussionWriter(), new DiscussionWriter()];
    await postAll(subject, 700);
    const { _id } = await start(subject, 'ONE_EACH');
    const isOver = { now: false };
    const posted: string[] = [];
    const people = Array.from({ length: 64 }, async (_, person) => {
      for (let n = 0; !isOver.now; n += 1) {
        const text = `${person}/${n}`;
        await post(subject, text, undefined, writers[person % 2]);
        posted.push(text);
      }
    });
    expect(await run(_id)).toMatchObject({ state: 'FINISHED' });
    isOver.now = true;
    await Promise.all(people);
    const stored = await storedOf(subject);
    expect(stored.map(({ number }) => number)).toEqual(stored.map((_, at) => at + 1));
    expect(
      stored
        .slice(700)
        .map(({ text }) => text)
        .toSorted(),
    ).toEqual(posted.toSorted());
    for (let person = 0; person < 64; person += 1) {
      const own = stored.flatMap(({ text }) => (text?.startsWith(`${person}/`) ? [Number(text.split('/')[1])] : []));
      expect(own).toEqual(own.map((_, at) => at));
    }
    await expectClean(subject);
  });
});
