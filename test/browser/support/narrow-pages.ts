/** A domain's pages, for the test that no page is wider than a phone's window. */
import { expect } from 'vitest';
import type { Product } from '../../../harness/product.js';

/** Ids of what was added, by the names that addresses have in braces: `/social/post/{post}`. */
export type AddedIds = Map<string, string>;

/** A route, the address to open, and a text that the page shows once it is complete. */
export type PageRow = readonly [route: string, address: string, seen: string | RegExp];

/** Every route of the domain has a row in at least one of the lists. */
export interface NarrowPages {
  /** Fills the database with long content. */
  fill?(product: Product, ids: AddedIds): Promise<void>;
  readonly forAdministrators?: readonly PageRow[];
  readonly forVisitors?: readonly PageRow[];
  /** For a customer with an order and a filled cart. */
  readonly forCustomers?: readonly PageRow[];
}

/** A word without a place to break. */
export const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

/** Sends an operation that must succeed. */
export async function ask<Data = unknown>(product: Product, query: string, variables: object = {}): Promise<Data> {
  const { data, errors } = await product.request<Data>(query, variables);
  expect(errors).toBeUndefined();
  return data as Data;
}
