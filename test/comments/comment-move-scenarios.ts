/** A discussion that is moved while the process dies, between any two of its steps: another process completes the move. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import type { ProductClient } from '../../harness/product.js';
import { waitFor } from '../../harness/wait-for.js';
import { commentPages } from '../../src/models/comments/designs/comment-page.js';
import { comments } from '../../src/models/comments/discussion/comment.js';
import { discussionOf, discussions, type Subject } from '../../src/models/comments/discussion/discussion.js';
import { DiscussionWriter } from '../../src/models/comments/discussion-write.js';
import { startMove } from '../../src/models/comments/move/move-start.js';
import { postComment } from '../../src/models/comments/posting.js';
import { WorkLoop } from '../../src/models/system/work/work-loop.js';
import { idOfType } from '../../src/shared/global-id.js';
import { answerOrNull, type Scenario, type WorkerScenario } from '../crash/scenario.js';
import { testAct } from '../support/people.js';
import { failingMove } from './failed-move.js';

const COUNT = 450; // two batches, then the last step and the removal

const CREATE = `mutation {
  createNode(input: { type: PAGE, title: "Moved", publishedAt: "2026-01-01T00:00:00Z" }) { ... on Page { id } }
}`;
const MOVE = `mutation ($nodeId: ID!) { changeCommentDesign(nodeId: $nodeId, design: HYBRID) { __typename } }`;
const READ = `query ($nodeId: ID!, $after: String) {
  node(id: $nodeId) { ... on Page { commentDesign commentCount discussion(order: OLDEST_FIRST, first: 200, after: $after) {
    edges { node { text } } pageInfo { hasNextPage endCursor }
  } } }
}`;

interface Read {
  readonly node: {
    readonly commentDesign: string;
    readonly commentCount: number;
    readonly discussion: {
      readonly edges: readonly { readonly node: { readonly text: string } }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
    };
  };
}

const textOf = (number: number) => `Comment ${number}`;

const subjectOf = (nodeId: string): Subject => ({
  discussion: discussionOf('ContentNode', idOfType('ContentNode', nodeId) ?? ''),
  policy: 'MEMBERS',
  design: 'ONE_EACH',
  ownerIds: [],
});

async function postAll(db: Db, subject: Subject): Promise<void> {
  const [writer, now] = [new DiscussionWriter(), new Date()];
  const author = { _id: 'ann', name: '' };
  await Promise.all(
    Array.from({ length: COUNT }, (_, at) =>
      postComment(db, writer, subject, { author, isMember: true, text: textOf(at), replyTo: null, now }),
    ),
  );
}

async function read(product: ProductClient, nodeId: string): Promise<{ design: string; texts: string[] }> {
  const texts: string[] = [];
  let after: string | null = null;
  for (;;) {
    const answer: { readonly data?: Read | null } = await product.request<Read>(READ, { nodeId, after });
    if (!answer.data) throw new Error('The page was not read');
    const { commentDesign, discussion } = answer.data.node;
    texts.push(...discussion.edges.map(({ node }) => node.text));
    if (!discussion.pageInfo.hasNextPage) return { design: commentDesign, texts };
    after = discussion.pageInfo.endCursor;
  }
}

const moved = (step: number): Scenario<string> => ({
  failpoints: { 'comment.move-stepped': step },
  async act(product, db) {
    const { data } = await product.request<{ createNode: { id: string } }>(CREATE);
    if (!data) throw new Error('The page was not created');
    const { id } = data.createNode;
    await postAll(db, subjectOf(id));
    await answerOrNull(product.request(MOVE, { nodeId: id }));
    return id;
  },
  async judge(product, db, nodeId) {
    const texts = Array.from({ length: COUNT }, (_, at) => textOf(at));
    expect((await read(product, nodeId)).texts).toEqual(texts); // at any time
    await waitFor('the end of the move', 60_000, async () =>
      (await db.collection('work').findOne({ kind: 'comment-move', state: 'FINISHED' })) ? true : null,
    );
    expect(await read(product, nodeId)).toEqual({ design: 'HYBRID', texts });
    expect(await db.collection('comments').countDocuments({ path: { $exists: true } })).toBe(0);
  },
});

export const copied = moved(2);

const FAILED = { discussion: 'ContentNode:failed', policy: 'MEMBERS', design: 'ONE_EACH', ownerIds: [] } as const;

export const failed: WorkerScenario<null> = {
  failpoints: { 'comment.left-removed': 1 },
  async leave(db) {
    await postAll(db, FAILED);
    const move = await startMove(db, testAct(), { subject: FAILED, name: '/failed', to: 'HYBRID', owner: null });
    if ('__typename' in move) throw new Error(move.message);
    const options = { holder: 'dead', now: () => new Date(), onFault: () => undefined };
    await new WorkLoop(db, [failingMove(2)], options).run(move._id);
    return null;
  },
  async judge(_product, db) {
    const { discussion: _id } = FAILED;
    await waitFor('the end of the move', 60_000, () => discussions(db).findOne({ _id, move: { $exists: false } }));
    expect(await commentPages(db).countDocuments({ discussion: _id })).toBe(0);
    expect(await comments(db).countDocuments({ discussion: _id, path: { $exists: true } })).toBe(COUNT);
  },
};
