/** Imports of comments: what becomes of each row, in every design, repeats and interruptions. */
import { beforeEach, describe, expect, it } from 'vitest';
import { visitOnly } from '../../../src/database/collections/snapshot-batches.js';
import { commentCases } from '../../../src/models/comments/comment-case.js';
import { type CommentDesign, commentIdOf, slugOf } from '../../../src/models/comments/discussion/comment.js';
import { discussions, type Subject } from '../../../src/models/comments/discussion/discussion.js';
import { DiscussionWriter } from '../../../src/models/comments/discussion-write.js';
import { removeLeftRows, stagedRows } from '../../../src/models/comments/import/staged-row.js';
import { findDiscussionViolations } from '../../../src/models/comments/invariants.js';
import { postComment } from '../../../src/models/comments/posting.js';
import type { NodeDocument } from '../../../src/models/content/nodes/node.js';
import { discussionOfNode, subjectOf } from '../../../src/models/content/nodes/node-comments.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { lines } from '../../content/import/import-support.js';
import { add, addPost } from '../../content/nodes/node-support.js';
import { useDatabase } from '../../support/database.js';
import { expireLeases } from '../../support/leases.js';
import { addPerson } from '../../support/people.js';
import { useCommentImports } from './comment-import-support.js';

const database = useDatabase();
const { run, accept, importAll, exportAll, rejectsOf, storedIn } = useCommentImports(database);
const DESIGNS: readonly CommentDesign[] = ['ONE_EACH', 'EMBEDDED', 'HYBRID'];
let blog: NodeDocument;
let path: string;
let blogs = 0;

beforeEach(async () => {
  blogs += 1;
  path = `blog-${blogs}`;
  blog = await add(database.db, { type: 'BLOG', title: 'A blog', slug: path });
});

const addPostIn = (slug: string, commentDesign: CommentDesign = 'ONE_EACH') =>
  addPost(database.db, blog, slug, { slug, commentDesign });
const at = (minute: number): string => new Date(Date.UTC(2020, 0, 1, 0, minute)).toISOString();
const row = (on: string, id: string | number, minute: number, more: object = {}) => ({
  on: `${path}/${on}`,
  id,
  author: 'Cleo',
  postedAt: at(minute),
  text: `About ${id}`,
  ...more,
});
const placesOf = async (node: NodeDocument) =>
  (await storedIn(discussionOfNode(node._id))).map((comment) => [slugOf(comment.path), comment.text]);

async function expectSound(): Promise<void> {
  expect(await stagedRows(database.db).countDocuments()).toBe(0);
  for await (const violation of findDiscussionViolations(database.db, visitOnly)) expect(violation).toBeNull();
}

describe.each(DESIGNS)('an import of comments into %s', (design) => {
  it('stores authors, times and replies, whatever the order of the file', async () => {
    const post = await addPostIn('post', design);
    const dora = await addPerson(database.db, `dora-${blogs}`, ['MEMBER']);
    const rows = [
      row('post', 3, 3, { replyTo: 2, authorId: toGlobalId('User', dora._id), author: 'Old name' }),
      row('post', 2, 2, { replyTo: 1, editedAt: at(9), html: '<p>In <b>bold</b></p>', text: undefined }),
      row('post', 1, 1, { authorId: toGlobalId('User', 'unknown') }),
      row('post', 4, 4),
    ];
    expect(await importAll(lines(rows))).toMatchObject({
      state: 'FINISHED',
      imported: 4,
      rejected: 0,
      done: 4,
      total: 4,
    });
    expect(await storedIn(discussionOfNode(post._id))).toMatchObject([
      { number: 1, author: { name: 'Cleo' }, posted: new Date(at(1)), replies: 1, children: 1 },
      { number: 2, text: 'In **bold**', edited: new Date(at(9)), replies: 1 },
      { number: 3, author: { _id: dora._id, name: '' }, posted: new Date(at(3)), state: 'PUBLISHED', shown: true },
      { number: 4 },
    ]);
    expect((await placesOf(post)).map(([slug]) => slug)).toEqual(['1', '1/2', '1/2/3', '4']);
    await expectSound();
  });

  it('takes 250 comments in batches, and nothing twice', async () => {
    const post = await addPostIn('many', design);
    const rows = Array.from({ length: 250 }, (_, n) => row('many', n, n, n % 3 === 2 ? { replyTo: n - 1 } : {}));
    const file = lines(rows.toReversed());
    expect(await importAll(file)).toMatchObject({ imported: 250, rejected: 0 });
    const before = await storedIn(discussionOfNode(post._id));
    expect(before.map(({ text }) => text)).toEqual(rows.map(({ text }) => text));
    expect(await importAll(file)).toMatchObject({ imported: 0, skipped: 250, rejected: 0 });
    expect(await storedIn(discussionOfNode(post._id))).toEqual(before);
    await expectSound();
  });

  it('is continued after a death at every step, without storing anything twice', async () => {
    const post = await addPostIn('killed', design);
    const rows = Array.from({ length: 120 }, (_, n) =>
      row('killed', n, n, n > 0 ? { replyTo: Math.floor(n / 2) } : {}),
    );
    const { _id } = await accept(lines(rows));
    for (let state = 'RUNNING', deaths = 0; state !== 'FINISHED'; deaths += 1) {
      expect(deaths).toBeLessThan(10);
      const die = () => {
        throw new Error('dead');
      };
      await run(_id, { onStep: die, onFault: () => undefined }).catch(() => undefined);
      const work = database.db.collection('work');
      const stored = await work.findOne({ _id: _id as never });
      state = stored?.state === 'FINISHED' || Number(stored?.done) === rows.length ? 'FINISHED' : 'RUNNING';
      await work.updateOne(
        { _id: _id as never },
        { $set: { state: 'RUNNING', open: true, attempts: 0 }, $unset: { failure: '' } },
      );
      await expireLeases(database.db);
    }
    expect(await run(_id)).toMatchObject({ state: 'FINISHED', imported: 120, done: 120 });
    expect((await placesOf(post)).map(([, text]) => text)).toEqual(rows.map(({ text }) => text));
    await expectSound();
  });

  it('is the same again after an export and an import elsewhere, with what is hidden, deleted or waits', async () => {
    const post = await addPostIn('from', design);
    const rows = [
      row('from', 'a', 1, { state: 'DELETED', text: undefined }),
      row('from', 'b', 2, { replyTo: 'a', state: 'HIDDEN' }),
      row('from', 'c', 3, { replyTo: 'b' }),
      row('from', 'd', 4, { state: 'HELD' }),
      row('from', 'e', 5, { author: undefined }),
    ];
    expect(await importAll(lines(rows))).toMatchObject({ imported: 5, rejected: 0 });
    const stored = await storedIn(discussionOfNode(post._id));
    expect(stored.map(({ state, shown, children, replies }) => [state, shown, children, replies])).toEqual([
      ['DELETED', true, 1, 0],
      ['HIDDEN', true, 1, 1],
      ['PUBLISHED', true, 0, 0],
      ['HELD', false, 0, 0],
      ['PUBLISHED', true, 0, 0],
    ]);
    expect(await commentCases(database.db).findOne({ _id: commentIdOf(discussionOfNode(post._id), 4) })).toMatchObject({
      since: new Date(at(4)),
    });
    const file = await exportAll(discussionOfNode(post._id));
    const other = await addPostIn('to', design);
    expect(await importAll(file, { below: discussionOfNode(other._id) })).toMatchObject({ imported: 5, rejected: 0 });
    expect(await exportAll(discussionOfNode(other._id))).toBe(file);
    const without = ({ call: _, revision: __, count: ___, ...comment }: (typeof stored)[number]) => comment;
    expect((await storedIn(discussionOfNode(other._id))).map(without)).toEqual(stored.map(without));
    expect(await importAll(file, { below: discussionOfNode(post._id) })).toMatchObject({
      imported: 0,
      skipped: 5,
      rejected: 0,
    });
    await expectSound();
  });
});

describe('the replies of an import', () => {
  it('come after what they reply to, even if they are older, and beside the deepest', async () => {
    const post = await addPostIn('odd');
    const deep = Array.from({ length: 23 }, (_, n) =>
      row('odd', `d${n}`, 50 + n, n > 0 ? { replyTo: `d${n - 1}` } : {}),
    );
    const rows = [
      row('odd', 'grandchild', 1, { replyTo: 'child' }),
      row('odd', 'child', 2, { replyTo: 'parent' }),
      row('odd', 'parent', 3),
      ...deep,
    ];
    expect(await importAll(lines(rows))).toMatchObject({ imported: 26, rejected: 0 });
    const stored = await storedIn(discussionOfNode(post._id));
    expect(stored.slice(0, 3).map(({ text, posted }) => [text, posted])).toEqual([
      ['About parent', new Date(at(3))],
      ['About child', new Date(at(3))],
      ['About grandchild', new Date(at(3))],
    ]);
    expect(stored.slice(3).map((comment) => comment.path.length / 6)).toEqual(
      [...deep.keys()].map((n) => Math.min(n + 1, 20)),
    );
    expect(await importAll(lines(rows))).toMatchObject({ imported: 0, skipped: 26, rejected: 0 });
    await expectSound();
  });
});

describe('a row of an import', () => {
  it('is rejected with line, reason and field', async () => {
    await addPostIn('here');
    const later = new Date(Date.now() + 60_000).toISOString();
    const file = [
      ...['{}', 'no JSON', '[1]'],
      ...[
        row('here', 'x', 1, { id: undefined }),
        row('here', '', 1),
        row('here', 'x', 1, { postedAt: undefined }),
        row('here', 'x', 1, { postedAt: 'yesterday' }),
        row('here', 'x', 1, { postedAt: later }),
        row('here', 'x', 1, { text: undefined }),
        row('here', 'x', 1, { text: 'x'.repeat(10_001) }),
        row('here', 'x', 1, { text: undefined, html: '<hr' }),
        row('here', 'x', 1, { author: '\u202e' }),
        row('here', 'x', 1, { state: 'LOST' }),
        row('none', 'x', 1),
        { ...row('here', 'x', 1), on: undefined },
        row('here', 'one', 1),
        row('here', 'one', 2),
        row('here', 'one', 1),
        row('here', 'lost', 3, { replyTo: 'none' }),
        row('here', 'self', 3, { replyTo: 'self' }),
        row('here', 'a', 3, { replyTo: 'b' }),
        row('here', 'b', 4, { replyTo: 'a' }),
        row('here', 'held', 5, { state: 'HELD' }),
        row('here', 'reply', 6, { replyTo: 'held' }),
      ].map((each) => JSON.stringify(each)),
    ].join('\n');
    const done = await importAll(file);
    expect(done).toMatchObject({ imported: 2, skipped: 1, rejected: 21, done: 24, total: 24 });
    expect(await rejectsOf(done)).toEqual([
      [1, 'INVALID_ID', 'id'],
      [2, 'NOT_JSON', null],
      [3, 'NOT_JSON', null],
      [4, 'INVALID_ID', 'id'],
      [5, 'INVALID_ID', 'id'],
      [6, 'INVALID_DATE', 'postedAt'],
      [7, 'INVALID_DATE', 'postedAt'],
      [8, 'IN_THE_FUTURE', 'postedAt'],
      [9, 'INVALID_TEXT', 'text'],
      [10, 'INVALID_TEXT', 'text'],
      [11, 'INVALID_TEXT', 'html'],
      [12, 'INVALID_AUTHOR', 'author'],
      [13, 'INVALID_FIELD', 'state'],
      [14, 'NO_COMMENTABLE', 'on'],
      [15, 'NO_COMMENTABLE', 'on'],
      [17, 'ID_TAKEN', 'id'],
      [19, 'NO_PARENT', 'replyTo'],
      [20, 'REPLIES_IN_CIRCLE', 'replyTo'],
      [21, 'REPLIES_IN_CIRCLE', 'replyTo'],
      [22, 'NO_PARENT', 'replyTo'],
      [24, 'PARENT_WAITS', 'replyTo'],
    ]);
    await expectSound();
  });

  it('is rejected if the discussion has a later comment, or is full, or another time', async () => {
    const post = await addPostIn('late', 'EMBEDDED');
    const subject: Subject = subjectOf(post);
    const now = new Date(at(30));
    const own = { author: { _id: 'ann', name: '' }, isMember: true, text: 'Own', replyTo: null, now };
    await postComment(database.db, new DiscussionWriter(), subject, own);
    const before = await storedIn(subject.discussion);
    const older = await importAll(lines([row('late', 'old', 1)]));
    expect(await rejectsOf(older)).toEqual([[1, 'OLDER', 'postedAt']]);
    expect(await storedIn(subject.discussion)).toEqual(before);
    expect(await importAll(lines([row('late', 'new', 31)]))).toMatchObject({ imported: 1 });
    const other = await importAll(lines([row('late', 'new', 32)]));
    expect(await rejectsOf(other)).toEqual([[1, 'ID_TAKEN', 'id']]);
    await discussions(database.db).updateOne({ _id: subject.discussion }, { $set: { issued: 2000 } });
    const full = await importAll(lines([row('late', 'more', 40)]));
    expect(await rejectsOf(full)).toEqual([[1, 'DISCUSSION_FULL', null]]);
    await discussions(database.db).updateOne({ _id: subject.discussion }, { $set: { issued: 2 } });
    await expectSound();
  });

  it('is found by the path, a former path or the id of a node, or belongs to the node of the import', async () => {
    const post = await addPostIn('found');
    const id = toGlobalId('ContentNode', post._id);
    const rows = [
      { ...row('found', 1, 1), on: `/${path}/found` },
      { ...row('found', 2, 2), on: id },
      { ...row('found', 3, 3), on: undefined },
    ];
    expect(await importAll(lines(rows.slice(0, 2)))).toMatchObject({ imported: 2 });
    expect(await importAll(lines(rows.slice(2)), { below: discussionOfNode(post._id) })).toMatchObject({ imported: 1 });
    expect(
      await importAll(lines([{ ...row('', 4, 4), on: 'found' }]), { below: discussionOfNode(blog._id) }),
    ).toMatchObject({ imported: 1 });
    expect((await placesOf(post)).map(([slug]) => slug)).toEqual(['1', '2', '3', '4']);
  });
});

describe('a strict import', () => {
  it('stores nothing if a row is rejected when it is read', async () => {
    const post = await addPostIn('strict');
    const done = await importAll(lines([row('strict', 1, 1), row('none', 2, 2)]), { isStrict: true });
    expect(done).toMatchObject({
      state: 'FAILED',
      rejected: 1,
      failure: 'Rows were rejected, so nothing was imported',
    });
    expect(await placesOf(post)).toEqual([]);
    await expectSound();
    expect(await importAll(lines([row('strict', 1, 1)]), { isStrict: true })).toMatchObject({ imported: 1 });
  });
});

describe('rows that an import has left', () => {
  it('are removed once it has ended, not before', async () => {
    await addPostIn('left');
    const { _id } = await accept(lines([row('left', 1, 1)]));
    const staged = { _id: `${_id}.x#1`, work: _id, discussion: 'x', posted: new Date(), wait: 0, row: 1, line: 1 };
    await stagedRows(database.db).insertOne({ ...staged, raw: '', id: '1', text: '', state: 'PUBLISHED' });
    expect(await removeLeftRows(database.db)).toBe(0);
    await database.db
      .collection('work')
      .updateOne({ _id: _id as never }, { $unset: { open: '' }, $set: { state: 'FAILED' } });
    expect(await removeLeftRows(database.db)).toBe(1);
    expect(await stagedRows(database.db).countDocuments()).toBe(0);
  });
});
