/** The pages of content with long content. */
import type { Product } from '../../../harness/product.js';
import { create } from '../../browser/support/content.js';
import { ask, LONG, type NarrowPages } from '../../browser/support/narrow-pages.js';

const TAG = LONG.slice(0, 50);

export const narrowPages: NarrowPages = {
  fill,
  forAdministrators: [
    ['/content', '/content', LONG],
    ['/content', '/content?state=SCHEDULED', 'UTC'],
    ['/content/edit', '/content/edit?path=/long/post', 'Insert pictures'],
    ['/content/edit', '/content/edit?path=/long', 'Description'],
    ['/content/edit', '/content/edit?id=nothing', 'There is nothing to edit here'],
    ['/content/gallery', '/content/gallery?path=/photos', LONG],
    ['/content/tags', `/content/tags?tag=${encodeURIComponent(TAG)}`, LONG],
    ['/content/trash', '/content/trash', 'was at'],
  ],
};

async function fill(product: Product): Promise<void> {
  const publishedAt = '2026-01-01T00:00:00Z';
  const blog = await create(product, {
    type: 'BLOG',
    title: `${LONG}${LONG}`,
    slug: 'long',
    publishedAt,
    description: LONG,
  });
  await create(product, { type: 'GALLERY', title: LONG, slug: 'photos', publishedAt });
  await create(product, {
    type: 'BLOG_POST',
    parentId: blog.id,
    title: `${LONG}${LONG}${LONG}`,
    slug: 'post',
    excerpt: LONG,
    tags: [TAG],
    text: `# ${LONG}${LONG}\n\n\`\`\`\n${LONG}${LONG}\n\`\`\`\n\n> ${LONG}${LONG}\n`,
    publishedAt,
  });
  const { id, nonce } = await create(product, { type: 'PAGE', title: LONG, slug: 'in-the-trash' });
  await ask(product, 'mutation ($id: ID!, $nonce: String!) { deleteNode(id: $id, nonce: $nonce) { __typename } }', {
    id,
    nonce,
  });
  const { errors } = await product.upload(
    'mutation ($file: Upload!) { importContent(file: $file, input: { format: JSON_LINES }) { __typename } }',
    {},
    new File(['{}\n'], `${LONG}.jsonl`),
  );
  if (errors) throw new Error(JSON.stringify(errors));
  await create(product, {
    type: 'QUOTE',
    parentId: blog.id,
    title: LONG,
    slug: LONG.slice(0, 60).toLowerCase().replace('ä', 'a'),
    source: LONG,
    text: LONG,
    publishedAt: '2031-01-01T00:00:00Z',
  });
}
