/** Content for tests of the dashboard, created through the API. */
import type { Page } from 'playwright-core';
import type { Product } from '../../../harness/product.js';
import { ask } from './narrow-pages.js';

export interface Created {
  readonly id: string;
  readonly nonce: string;
  readonly path: string;
}

/** @param input of `createNode` */
export async function create(product: Product, input: object): Promise<Created> {
  const { createNode } = await ask<{ createNode: Created }>(
    product,
    'mutation ($input: CreateNodeInput!) { createNode(input: $input) { ... on ContentNode { id nonce path } } }',
    { input },
  );
  return createNode;
}

/** A published blog. */
export const createBlog = (product: Product, slug: string) =>
  create(product, { type: 'BLOG', title: `The blog ${slug}`, slug, publishedAt: '2026-01-01T00:00:00Z' });

export interface StoredText {
  readonly title: string;
  readonly text: string;
  readonly state: string;
  readonly version: number;
  readonly publishedAt: string | null;
}

export async function find(product: Product, id: string): Promise<StoredText> {
  const { node } = await ask<{ node: StoredText }>(
    product,
    'query ($id: ID!) { node(id: $id) { ... on BlogPost { title text state version publishedAt } } }',
    { id },
  );
  return node;
}

export const editorOf = ({ id }: Pick<Created, 'id'>) => `/content/edit?id=${encodeURIComponent(id)}`;

/** The text field of the editor. */
export const textOf = (page: Page) => page.getByLabel('Text in Markdown');

/** Types at the start or the end of the text. */
export async function type(page: Page, at: 'start' | 'end', words: string): Promise<void> {
  await textOf(page).click();
  await page.keyboard.press(at === 'start' ? 'Control+Home' : 'Control+End');
  await page.keyboard.insertText(words);
}

export const waitUntilSaved = (page: Page) =>
  page
    .getByRole('status')
    .filter({ hasText: /^Saved (just|\d)/ })
    .waitFor();
