/** Real threads, if they are next to the project: imported, compared with the truth, and moved in a circle through all designs. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { projectRoot } from '../../../harness/project-root.js';
import { type CommentDesign, numbersOf, type StoredComment } from '../../../src/models/comments/discussion/comment.js';
import { discussions, existing } from '../../../src/models/comments/discussion/discussion.js';
import { commentMove } from '../../../src/models/comments/move/comment-move.js';
import { startMove } from '../../../src/models/comments/move/move-start.js';
import type { NodeDocument } from '../../../src/models/content/nodes/node.js';
import { discussionOfNode } from '../../../src/models/content/nodes/node-comments.js';
import { WorkLoop } from '../../../src/models/system/work/work-loop.js';
import { groupBy } from '../../../src/shared/group-by.js';
import { markdownOf } from '../../../src/shared/rendering/html-markdown.js';
import { lines } from '../../content/import/import-support.js';
import { add, addPost } from '../../content/nodes/node-support.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { useCommentImports } from './comment-import-support.js';

const folder = join(projectRoot, '../shared/data/threads-quantum');
const isHere = existsSync(folder);

interface Post {
  readonly id: number;
  readonly type: string;
  readonly parentId: number | null;
  readonly userName: string | null;
  readonly userId: number | null;
  readonly createdAt: string;
  readonly body: string;
}
interface Remark {
  readonly id: number;
  readonly postId: number;
  readonly userName: string | null;
  readonly userId: number | null;
  readonly createdAt: string;
  readonly text: string;
  readonly replyToCommentId: number | null;
}

function read<T>(name: string): T[] {
  const text = gunzipSync(readFileSync(join(folder, `${name}.jsonl.gz`))).toString();
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

/** A row, and beside it what must become of it. */
interface Truth {
  readonly row: { readonly on: string; readonly id: string; readonly replyTo?: string; readonly postedAt: string };
  readonly text: string;
  readonly author: string;
}

const database = useDatabase();
const { importAll, rejectsOf, exportAll, storedIn } = useCommentImports(database);
const DESIGNS: readonly CommentDesign[] = ['ONE_EACH', 'EMBEDDED', 'HYBRID'];
const TEXT_MAX = 10_000;

function truthOf(
  posts: readonly Post[],
  remarks: readonly Remark[],
  users: readonly { id: number; name: string }[],
): Truth[] {
  const names = new Map(users.map(({ id, name }) => [id, name]));
  const nameOf = ({ userId, userName }: Post | Remark) => userName ?? names.get(userId ?? 0) ?? '';
  const byId = new Map(posts.map((post) => [post.id, post]));
  const answers = posts.filter(({ type }) => type === 'answer');
  return [
    ...answers.map((answer) => ({
      row: {
        on: `q/q-${answer.parentId}`,
        id: `answer ${answer.id}`,
        author: nameOf(answer),
        postedAt: `${answer.createdAt}Z`,
        html: answer.body,
      },
      text: markdownOf(answer.body).trim(),
      author: nameOf(answer),
    })),
    ...remarks.flatMap((remark) => {
      const post = byId.get(remark.postId);
      if (post?.type !== 'question' && post?.type !== 'answer') return [];
      const above = post.type === 'answer' ? `answer ${post.id}` : undefined;
      const replyTo = remark.replyToCommentId === null ? above : `comment ${remark.replyToCommentId}`;
      const row = {
        on: `q/q-${post.type === 'answer' ? post.parentId : post.id}`,
        id: `comment ${remark.id}`,
        ...(replyTo !== undefined && { replyTo }),
        author: nameOf(remark),
        postedAt: `${remark.createdAt}Z`,
        text: remark.text,
      };
      return [{ row, text: remark.text.replaceAll(/\r\n?/g, '\n').trim(), author: nameOf(remark) }];
    }),
  ];
}

const withoutTooLong = (truth: readonly Truth[]): Truth[] => {
  const lost = new Set(truth.filter(({ text }) => text.length > TEXT_MAX).map(({ row }) => `${row.on} ${row.id}`));
  for (let before = -1; before !== lost.size; ) {
    before = lost.size;
    for (const { row } of truth) if (lost.has(`${row.on} ${row.replyTo}`)) lost.add(`${row.on} ${row.id}`);
  }
  return truth.filter(({ row }) => !lost.has(`${row.on} ${row.id}`));
};

describe.skipIf(!isHere)(`real threads${isHere ? '' : ' (skipped: shared/data/threads-quantum is not there)'}`, () => {
  const nodes = new Map<string, NodeDocument>();
  let truth: Truth[] = [];
  let file = '';

  beforeAll(async () => {
    const blog = await add(database.db, { type: 'BLOG', title: 'Questions', slug: 'q' });
    const posts = read<Post>('posts');
    const questions = posts.filter(({ type }) => type === 'question');
    for (const [at, { id }] of questions.entries()) {
      const fields = { slug: `q-${id}`, commentDesign: DESIGNS[at % DESIGNS.length] ?? 'ONE_EACH' };
      nodes.set(`q/q-${id}`, await addPost(database.db, blog, `Question ${id}`, fields));
    }
    truth = truthOf(posts, read<Remark>('comments'), read('users'));
    file = lines(truth.map(({ row }) => row));
  });

  const discussionOn = (on: string) => discussionOfNode(nodes.get(on)?._id ?? '');

  it('have all authors, times, texts and replies', { timeout: 300_000 }, async () => {
    const expected = withoutTooLong(truth);
    const done = await importAll(file);
    expect(await rejectsOf(done)).toHaveLength(truth.length - expected.length);
    expect(done).toMatchObject({
      state: 'FINISHED',
      imported: expected.length,
      rejected: truth.length - expected.length,
    });
    const byOn = groupBy(expected, ({ row }) => row.on);
    for (const [on, rows] of byOn) {
      const stored = await storedIn(discussionOn(on));
      const idOf = ({ call = '' }: StoredComment) => call.slice(call.indexOf('#') + 1);
      const found = new Map(stored.map((comment) => [idOf(comment), comment]));
      expect(found.size).toBe(rows.length);
      for (const { row, text, author } of rows) {
        const comment = found.get(row.id);
        const parent = row.replyTo === undefined ? undefined : found.get(row.replyTo);
        const posted = new Date(Math.max(Date.parse(row.postedAt), parent?.posted.getTime() ?? 0));
        expect(comment).toMatchObject({ text, author: { name: author }, posted });
        expect(numbersOf(comment?.path ?? '').at(-2)).toBe(parent?.number);
      }
      expect(stored.map(({ posted }) => posted)).toEqual(
        stored.map(({ posted }) => posted).toSorted((a, b) => Number(a) - Number(b)),
      );
    }
    expect(await importAll(file)).toMatchObject({ imported: 0, skipped: expected.length });
  });

  it('are the same after a circle through all designs, byte by byte', { timeout: 300_000 }, async () => {
    const found = await discussions(database.db)
      .find({}, { projection: { issued: 1, design: 1 } })
      .toArray();
    const busiest = found.toSorted((one, other) => other.issued - one.issued).slice(0, 40);
    for (const { _id, design } of busiest) {
      const stored = await storedIn(_id);
      const exported = await exportAll(_id);
      const start = DESIGNS.indexOf(design);
      for (const step of [1, 2, 3]) {
        const to = DESIGNS[(start + step) % DESIGNS.length] ?? design;
        const move = await startMove(database.db, testAct(), { subject: existing(_id), name: '/q', to, owner: null });
        if ('__typename' in move) throw new Error(move.message);
        const options = { holder: randomUUID(), now: () => new Date(), onFault: () => undefined };
        expect(await new WorkLoop(database.db, [commentMove], options).run(move._id)).toMatchObject({
          state: 'FINISHED',
        });
        expect(await storedIn(_id)).toEqual(stored);
        expect((await exportAll(_id)) === exported).toBe(true);
      }
    }
  });
});
