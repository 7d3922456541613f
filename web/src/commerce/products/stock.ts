/** Live stock levels of products. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useLive } from '../../api/use-live.js';

interface StockChange<Level> {
  readonly cursor: string;
  readonly reset: boolean;
  readonly stock: readonly Level[];
}

/**
 * The stock of up to 100 products, by SKU.
 * @param document `stockChanged` with the fields to show
 * @returns null until the first event
 */
export function useStockBy<Level extends { readonly sku: string }>(
  document: TypedDocumentNode<{ readonly stockChanged: StockChange<Level> }, { skus: string[] }>,
  skus: readonly string[],
): ReadonlyMap<string, Level> | null {
  return useLive(document, skus.length === 0 ? null : { skus: [...skus] }, takeStock<Level>).state;
}

const takeStock = <Level extends { readonly sku: string }>(
  known: ReadonlyMap<string, Level> | null,
  { reset, stock }: StockChange<Level>,
): ReadonlyMap<string, Level> =>
  new Map([...(reset || !known ? [] : known), ...stock.map((level) => [level.sku, level] as const)]);
