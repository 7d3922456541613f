/** What there is of products, as it changes. */
import { graphql } from '../../generated/gql.js';
import type { StockFiguresChangedSubscription, StockFiguresFragment } from '../../generated/graphql.js';
import type { EventOf } from '../live/subscription.js';
import { useLive } from '../live/use-live.js';

export type StockFigures = StockFiguresFragment;

graphql(`
  fragment StockFigures on Stock { sku available inCarts sold stocked }
`);

const StockFiguresChangedDocument = graphql(`
  subscription StockFiguresChanged($skus: [String!]!, $after: String) {
    stockChanged(skus: $skus, after: $after) { cursor reset stock { ...StockFigures } }
  }
`);

type StockBySku = ReadonlyMap<string, StockFigures>;

const takeStock = (known: StockBySku | null, { reset, stock }: EventOf<StockFiguresChangedSubscription>): StockBySku =>
  new Map([...(reset || !known ? [] : known), ...stock.map((figures) => [figures.sku, figures] as const)]);

/** The stock of up to 100 products. @returns null until it is known */
export function useStock(skus: readonly string[]): StockBySku | null {
  return useLive(StockFiguresChangedDocument, skus.length === 0 ? null : { skus: [...skus] }, takeStock).state;
}
