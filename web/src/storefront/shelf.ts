/** Products as they stand on a shelf, and how many of each are left. */
import { graphql } from '../../generated/gql.js';
import type { ShelfProductFragment, StockLevelFragment } from '../../generated/graphql.js';
import { useLive } from '../live/use-live.js';

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

type StockLevels = ReadonlyMap<string, StockLevel>;

function apply(
  state: StockLevels | null,
  { reset, stock }: { readonly reset: boolean; readonly stock: readonly StockLevel[] },
): StockLevels {
  return new Map([...(reset || !state ? [] : state), ...stock.map((level) => [level.sku, level] as const)]);
}

/** What is left of up to 100 products, as it changes. @returns null until it is known */
export function useStock(skus: readonly string[]): StockLevels | null {
  return useLive(StockChangedDocument, skus.length === 0 ? null : { skus: [...skus] }, apply).state;
}

/** Who made it, in the words of its kind. */
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
export function kindName(type: string): string {
  if (type === 'AUDIO_ALBUM') return 'Album';
  const words = type.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
