/** A comment that is posted while the process dies: a retry with its key posts it once. */
import { expect } from 'vitest';
import type { ProductClient } from '../../harness/product.js';
import { waitFor } from '../../harness/wait-for.js';
import { answerOrNull, type Scenario } from '../crash/scenario.js';

const CREATE = `mutation {
  createNode(input: { type: PAGE, title: "Commented", publishedAt: "2026-01-01T00:00:00Z" }) { ... on Page { id } }
}`;
const POST = `mutation ($nodeId: ID!) {
  postComment(nodeId: $nodeId, text: "Once", idempotencyKey: "once") { ... on Comment { slug } }
}`;
const READ = `query ($nodeId: ID!) {
  node(id: $nodeId) { ... on Page { commentCount discussion { edges { node { slug text } } } } }
}`;

async function post(product: ProductClient, nodeId: string): Promise<string | undefined> {
  const { data } = await product.request<{ postComment: { slug?: string } }>(POST, { nodeId });
  return data?.postComment.slug;
}

export const comment: Scenario<string> = {
  failpoints: { 'comment.counted': 1 },
  async act(product) {
    const { data } = await product.request<{ createNode: { id: string } }>(CREATE);
    if (!data) throw new Error('The page was not created');
    const { id } = data.createNode;
    expect(await answerOrNull(post(product, id))).toBeNull();
    return id;
  },
  async judge(product, _db, nodeId) {
    // The call of the dead process holds its key for some seconds: until then a retry is told to try again.
    const slug = await waitFor('an answer to the retry', 30_000, async () => (await post(product, nodeId)) ?? null);
    expect(slug).toBe('1');
    expect(await post(product, nodeId)).toBe('1');
    const { data } = await product.request(READ, { nodeId });
    expect(data).toEqual({
      node: { commentCount: 1, discussion: { edges: [{ node: { slug: '1', text: 'Once' } }] } },
    });
  },
};
