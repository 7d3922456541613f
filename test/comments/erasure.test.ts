/** All that an account has written: read for an export of its data, and erased. */
import { describe, expect, it } from 'vitest';
import { commentCases } from '../../src/models/comments/comment-case.js';
import { findDiscussionPage } from '../../src/models/comments/comment-list.js';
import { readCommentsOf, type WrittenComment } from '../../src/models/comments/comments-of.js';
import { commentPages } from '../../src/models/comments/designs/comment-page.js';
import { type CommentDesign, commentIdOf, comments } from '../../src/models/comments/discussion/comment.js';
import { discussions, findDiscussion, type Subject } from '../../src/models/comments/discussion/discussion.js';
import { DiscussionWriter } from '../../src/models/comments/discussion-write.js';
import { eraseCommentsOf } from '../../src/models/comments/erasure.js';
import { moderateComments, reportComment } from '../../src/models/comments/moderation.js';
import { personalData } from '../../src/models/comments/personal-data.js';
import { deleteComment, editComment, postComment } from '../../src/models/comments/posting.js';
import { useDatabase } from '../support/database.js';
import { testAct } from '../support/people.js';

const database = useDatabase();
const writer = new DiscussionWriter();
const AT = new Date('2026-01-01T00:00:00Z');
const DESIGNS: readonly CommentDesign[] = ['ONE_EACH', 'EMBEDDED', 'HYBRID'];

const subjectOf = (name: string, design: CommentDesign): Subject => ({
  discussion: `Test:${name}`,
  policy: 'EVERYBODY',
  design,
  ownerIds: [],
});
const post = (subject: Subject, by: string, text: string, more: { replyTo?: number; isMember?: boolean } = {}) =>
  postComment(database.db, writer, subject, {
    author: { _id: by, name: '' },
    isMember: more.isMember ?? true,
    text,
    replyTo: more.replyTo === undefined ? null : commentIdOf(subject.discussion, more.replyTo),
    now: AT,
  });
const postAll = (subject: Subject, by: string, count: number) =>
  Promise.all(Array.from({ length: count }, (_, at) => post(subject, by, `${by} ${at}`)));

async function read(accountId: string): Promise<WrittenComment[]> {
  const all: WrittenComment[] = [];
  for await (const comment of readCommentsOf(database.db, accountId)) all.push(comment);
  return all;
}
async function readReports(accountId: string): Promise<object[]> {
  const all: object[] = [];
  for await (const { file, row } of personalData.rows(database.db, accountId))
    if (file === 'comment-reports.jsonl') all.push(row);
  return all;
}
const hide = ({ discussion }: Subject, number: number) =>
  moderateComments(database.db, writer, testAct(), {
    ids: [commentIdOf(discussion, number)],
    state: 'HIDDEN',
    nameOf: () => '/page',
  });
const report = (subject: Subject, number: number, by: string) =>
  reportComment(database.db, writer, subject, { number, by, reason: 'Rude', now: AT });

describe('what an account has written', () => {
  it('is read on everything, in every state, with its texts, and nobody else’s', async () => {
    const { db } = database;
    const all = DESIGNS.map((design) => subjectOf(`read ${design}`, design));
    for (const subject of all) {
      await Promise.all([postAll(subject, 'reader', 70), postAll(subject, 'another', 60)]);
      await post(subject, 'reader', 'Waits', { isMember: false });
    }
    const own = (
      await comments(db).find({ 'author._id': 'reader', discussion: 'Test:read HYBRID', state: 'PUBLISHED' }).toArray()
    ).map(({ number }) => number);
    const [edited = 0, hidden = 0] = own;
    const hybrid = all[2] as Subject;
    const changer = { accountId: 'reader', isModerator: false };
    await editComment(db, writer, hybrid, { number: edited, text: 'Edited', changer, now: AT });
    await hide(hybrid, hidden);
    const rows = await read('reader');
    expect(rows).toHaveLength(3 * 71);
    expect(new Set(rows.map(({ on, number }) => `${on}/${number}`)).size).toBe(3 * 71);
    expect(rows.every(({ text }) => text === 'Waits' || text === 'Edited' || text?.startsWith('reader'))).toBe(true);
    expect(rows.filter(({ state }) => state === 'HELD')).toHaveLength(3);
    expect(rows.filter(({ state }) => state === 'HIDDEN')).toMatchObject([{ on: hybrid.discussion, number: hidden }]);
    expect(rows.filter(({ text }) => text === 'Edited')).toEqual([
      { on: hybrid.discussion, number: edited, posted: AT, edited: AT, text: 'Edited', state: 'PUBLISHED' },
    ]);
    expect(await read('nobody')).toEqual([]);
  });
});

describe.each(DESIGNS)('erasing what an account has written, in the design %s', (design) => {
  it('deletes its comments, in every state, leaves no trace of it, and leaves those of others', async () => {
    const { db } = database;
    const [one, other] = [subjectOf(`one ${design}`, design), subjectOf(`other ${design}`, design)];
    const account = `erased ${design}`;
    for (const subject of [one, other]) {
      await Promise.all([postAll(subject, account, 120), postAll(subject, `stays ${design}`, 30)]);
      await post(subject, account, 'Waits', { isMember: false });
    }
    const [parent = 0, hidden = 0] = (await read(account)).flatMap(({ on, number, state }) =>
      on === one.discussion && state === 'PUBLISHED' ? [number] : [],
    );
    await post(one, `stays ${design}`, 'A reply', { replyTo: parent });
    await hide(one, hidden);
    const [deleted = 0] = (await read(account)).flatMap(({ on, number, state }) =>
      on === other.discussion && state === 'PUBLISHED' ? [number] : [],
    );
    const changer = { accountId: account, isModerator: false };
    await deleteComment(db, writer, other, { number: deleted, changer });
    expect(await eraseCommentsOf(db, writer, account)).toBe(242);
    expect(await read(account)).toEqual([]);
    expect(await eraseCommentsOf(db, writer, account)).toBe(0);
    for (const collection of [comments, commentPages, discussions])
      expect(JSON.stringify(await collection(db).find().toArray())).not.toContain(`"${account}"`);
    expect(await findDiscussion(db, one.discussion)).toMatchObject({ count: 31 });
    const page = await findDiscussionPage(db, one.discussion, { order: 'OLDEST_FIRST', first: 100 });
    expect(page.edges.filter(({ node }) => node.state === 'DELETED')).toMatchObject([
      { node: { number: parent, text: null, author: { name: '' } } },
    ]);
    expect(page.edges).toHaveLength(32);
    const cases = await commentCases(db)
      .find({ _id: { $gte: `${one.discussion}/`, $lt: `${one.discussion}0` } })
      .toArray();
    expect(cases).toEqual([]);
  });

  it('continues after it was interrupted', async () => {
    const { db } = database;
    const all = [1, 2, 3].map((n) => subjectOf(`interrupted ${n} ${design}`, design));
    const account = `interrupted ${design}`;
    for (const subject of all) await postAll(subject, account, 40);
    let writes = 0;
    const dying = new (class extends DiscussionWriter {
      override write: DiscussionWriter['write'] = (...args) => {
        writes += 1;
        return writes > 2 ? Promise.reject(new Error('died')) : super.write(...args);
      };
    })();
    await expect(eraseCommentsOf(db, dying, account)).rejects.toThrow('died');
    const left = (await read(account)).length;
    expect(left).toBeLessThan(120);
    expect(await eraseCommentsOf(db, writer, account)).toBe(left);
    expect(await read(account)).toEqual([]);
  });

  it('takes its reports back, and closes the cases that have no others', async () => {
    const { db } = database;
    const subject = subjectOf(`reported ${design}`, design);
    const [account, author] = [`reporter ${design}`, `author ${design}`];
    await postAll(subject, author, 55);
    for (let number = 1; number <= 55; number += 1) await report(subject, number, `other ${design}`);
    await post(subject, author, 'Alone');
    await report(subject, 1, account);
    await report(subject, 56, account);
    expect(await readReports(account)).toEqual(
      [1, 56].map((number) => ({ comment: commentIdOf(subject.discussion, number), at: AT, reason: 'Rude' })),
    );
    expect(await eraseCommentsOf(db, writer, account)).toBe(0);
    const caseOf = (number: number) => commentCases(db).findOne({ _id: commentIdOf(subject.discussion, number) });
    expect((await caseOf(1))?.reports).toMatchObject([{ by: `other ${design}` }]);
    expect(await caseOf(56)).toBeNull();
    expect(await readReports(account)).toEqual([]);
    expect((await read(author)).every(({ state }) => state === 'PUBLISHED')).toBe(true);
  });
});
