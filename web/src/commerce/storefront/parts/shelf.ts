/** Products as the shop lists them, with live stock. */

import { graphql } from '../../../../generated/gql.js';
import type { ShelfProductFragment, StockLevelFragment } from '../../../../generated/graphql.js';
import { useStockBy } from '../../products/stock.js';
import { nameOfType } from '../../products/type-name.js';

export type ShelfProduct = ShelfProductFragment;
export type StockLevel = StockLevelFragment;

graphql(`
  fragment StockLevel on Stock { sku available inCarts }
`);

graphql(`
  fragment ShelfProduct on Product {
    __typename
    id
    sku
    type
    title
    price { amount currency }
    listPrice { amount currency }
    discountPercent
    image { id url(width: 640) }
    properties { name value }
    stock { ...StockLevel }
    ... on AudioAlbum { artist }
    ... on Film { directors }
  }
`);

const StockChangedDocument = graphql(`
  subscription ShelfStock($skus: [String!]!, $after: String) {
    stockChanged(skus: $skus, after: $after) { cursor reset stock { ...StockLevel } }
  }
`);

/** Follows the stock of up to 100 products. @returns null until the first event */
export const useStock = (skus: readonly string[]) => useStockBy(StockChangedDocument, skus);

/** The artist, the directors, the author or the brand. */
export function makerOf(product: {
  readonly type: string;
  readonly artist?: string | null;
  readonly directors?: readonly string[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}): string | null {
  if (product.artist) return product.artist;
  if (product.directors?.length) return product.directors.join(', ');
  return product.properties?.find(({ name }) => name === 'author' || name === 'brand')?.value ?? null;
}

/** `AUDIO_ALBUM` as "Album", `GARDEN_CHAIR` as "Garden chair". */
export const kindName = (type: string): string => (type === 'AUDIO_ALBUM' ? 'Album' : nameOfType(type));
