/** Products and customers for the tests of the storefront. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Product } from '../../../harness/product.js';
import { addAccount } from './accounts.js';
import type { Credentials } from './dashboard.js';

export const MONEY = (amount: number) => ({ amount, currency: 'EUR' });

/** Three records and a chair in a small category tree. `CD-3` has one unit in stock, `CHAIR-1` none. */
export async function fillShelves(product: Product): Promise<void> {
  const made = await product.request(
    `mutation ($products: [ProductInput!]!) {
      music: addCategory(input: { slug: "music", name: "Music" }) { __typename }
      jazz: addCategory(input: { slug: "jazz", name: "Jazz", under: "music" }) { __typename }
      garden: addCategory(input: { slug: "garden", name: "Garden" }) { __typename }
      saveProducts(products: $products) { saved }
    }`,
    {
      products: [
        record('CD-1', 'Kind of Blue', 'Miles Davis', 1299),
        record('CD-2', 'Blue Train', 'John Coltrane', 999),
        record('CD-3', 'Ágætis byrjun', 'Sigur Rós', 1550),
        { sku: 'CHAIR-1', title: 'Folding chair', type: 'GARDEN_CHAIR', price: MONEY(4500), categories: ['garden'] },
      ],
    },
  );
  expect(made.data).toMatchObject({ saveProducts: { saved: 4 } });
  await restock(product, 'CD-1', 20);
  await restock(product, 'CD-2', 4);
  await restock(product, 'CD-3', 1);
}

const record = (sku: string, title: string, artist: string, amount: number) => ({
  sku,
  title,
  type: 'AUDIO_ALBUM',
  price: MONEY(amount),
  categories: ['jazz'],
  album: { artist, genres: ['Jazz'], issuedOn: '1959-08-17', tracks: [{ title: 'So What', seconds: 562 }] },
});

export async function restock(product: Product, sku: string, quantity: number): Promise<void> {
  const answer = await product.request(
    'mutation ($sku: String!, $quantity: Int!) { restock(sku: $sku, quantity: $quantity) { sku } }',
    {
      sku,
      quantity,
    },
  );
  expect(answer.data).toEqual({ restock: { sku } });
}

/** The stock of a product, from the API. */
export async function stockOf(product: Product, sku: string): Promise<unknown> {
  const { data } = await product.request<{ product: { stock: unknown } }>(
    'query ($sku: String!) { product(sku: $sku) { stock { available inCarts sold } } }',
    { sku },
  );
  return data?.product.stock;
}

/** Creates a customer with a money account. */
export async function addCustomer(product: Product, name: string, balance: number): Promise<Credentials> {
  const credentials = await addAccount(product, name, ['MEMBER']);
  const { data } = await product.request<{ signIn: { viewer: { id: string } } }>(
    `mutation ($email: EmailAddress!, $password: String!) {
      signIn(email: $email, password: $password) { ... on SignedIn { viewer { id } } }
    }`,
    credentials,
    null,
  );
  const owner = data?.signIn.viewer.id;
  const opened = await product.request(
    'mutation ($input: OpenAccountInput!) { openAccount(input: $input) { owner } }',
    {
      input: { owner, openingBalance: MONEY(balance) },
    },
  );
  expect(opened.data).toEqual({ openAccount: { owner } });
  return credentials;
}

/** Fills in the sign-in form. */
export async function enter(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** The number of units in the cart, from the header. */
export const unitsInCart = (page: Page) => page.getByRole('link', { name: /^Cart, / }).textContent();
