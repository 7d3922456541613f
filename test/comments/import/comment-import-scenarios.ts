/** A file of comments that is imported while the process dies: another one completes it, and each comment is there once. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import type { Product, ProductClient } from '../../../harness/product.js';
import { waitFor } from '../../../harness/wait-for.js';
import { stagedRows } from '../../../src/models/comments/import/staged-row.js';
import { answerOrNull, type ServerScenario, type WorkerScenario } from '../../crash/scenario.js';

const COUNT = 1200; // three batches are read, twelve are stored

const CREATE = `mutation {
  createNode(input: { type: PAGE, title: "Imported", publishedAt: "2020-01-01T00:00:00Z" }) { ... on Page { id } }
}`;
const IMPORT = `mutation ($file: Upload!, $input: ImportCommentsInput!) {
  importComments(file: $file, input: $input) { __typename }
}`;
const READ = `query ($nodeId: ID!) { node(id: $nodeId) { ... on Page { commentCount } } }`;

async function begin(product: Product): Promise<string> {
  const { data } = await product.request<{ createNode: { id: string } }>(CREATE);
  if (!data) throw new Error('The page was not created');
  const { id: nodeId } = data.createNode;
  const rows = Array.from({ length: COUNT }, (_, n) => ({
    id: n,
    postedAt: new Date(Date.UTC(2020, 0, 1, 0, 0, n)),
    text: `Comment ${n}`,
    ...(n % 5 > 0 && { replyTo: n - 1 }),
  }));
  const file = new File([rows.map((row) => `${JSON.stringify(row)}\n`).join('')], 'comments.jsonl');
  await answerOrNull(product.upload(IMPORT, { input: { nodeId } }, file));
  return nodeId;
}

const dies = (failpoint: string, pass: number): ServerScenario<string> => ({
  failpoints: { [failpoint]: pass },
  act: begin,
  async judge(product: ProductClient, db: Db, nodeId: string) {
    const work = await waitFor('the end of the import', 90_000, () =>
      db.collection('work').findOne({ kind: 'comment-import', state: { $in: ['FINISHED', 'FAILED'] } }),
    );
    expect(work).toMatchObject({ state: 'FINISHED', imported: COUNT, done: COUNT, total: COUNT });
    expect((await product.request(READ, { nodeId })).data).toEqual({ node: { commentCount: COUNT } });
    expect(await stagedRows(db).countDocuments()).toBe(0);
    const stored = await db.collection('comments').find({}).sort({ _id: 1 }).toArray();
    const inOrder = stored.toSorted((one, other) => one.number - other.number);
    expect(inOrder.map(({ text }) => text)).toEqual(Array.from({ length: COUNT }, (_, n) => `Comment ${n}`));
  },
});

export const staged = dies('comment.import-staged', 2);
export const stored = dies('comment.import-stored', 3);

export const leftRows: WorkerScenario<null> = {
  failpoints: { 'comment.staged-removed': 1 },
  async leave(db) {
    const row = { discussion: 'ContentNode:x', posted: new Date(), wait: 0, row: 1, line: 1, raw: '', id: '1' };
    const rows = ['one', 'two'].map((work) => ({
      ...row,
      _id: `${work}.x`,
      work,
      text: '',
      state: 'PUBLISHED' as const,
    }));
    await stagedRows(db).insertMany(rows);
    return null;
  },
  async judge(_product, db) {
    await waitFor('the removal', 60_000, async () => ((await stagedRows(db).countDocuments()) === 0 ? true : null));
  },
};
