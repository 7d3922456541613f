/** The moderators' page with long content. */
import type { Product } from '../../../harness/product.js';
import { create } from '../../browser/support/content.js';
import { ask, LONG, type NarrowPages } from '../../browser/support/narrow-pages.js';

export const narrowPages: NarrowPages = {
  fill,
  forAdministrators: [['/comments', '/comments', 'Held']],
};

async function fill(product: Product): Promise<void> {
  const publishedAt = '2026-01-01T00:00:00Z';
  const { id } = await create(product, {
    type: 'PAGE',
    title: `${LONG}${LONG}`,
    publishedAt,
    commentPolicy: 'EVERYBODY',
  });
  const post = `mutation ($id: ID!, $text: String!, $name: String) {
    postComment(nodeId: $id, text: $text, authorName: $name) { ... on Comment { id } ... on Refusal { message } }
  }`;
  const text = `${LONG}${LONG}\n\n    ${LONG}${LONG}\n\n> ${LONG}\n\n| ${LONG} | ${LONG} |\n| --- | --- |\n| a | b |\n`;
  const { errors } = await product.request(post, { id, text, name: LONG }, null);
  if (errors) throw new Error(JSON.stringify(errors));
  const { postComment } = await ask<{ postComment: { id: string } }>(product, post, { id, text });
  await ask(product, 'mutation ($id: ID!, $reason: String!) { reportComment(id: $id, reason: $reason) { reported } }', {
    id: postComment.id,
    reason: LONG,
  });
}
