/** The stock of products as staff see it. */
import { graphql } from '../../../../generated/gql.js';
import type { StockFiguresFragment } from '../../../../generated/graphql.js';
import { useStockBy } from '../../products/stock.js';

export type StockFigures = StockFiguresFragment;

graphql(`
  fragment StockFigures on Stock { sku available inCarts sold stocked }
`);

const StockFiguresChangedDocument = graphql(`
  subscription StockFiguresChanged($skus: [String!]!, $after: String) {
    stockChanged(skus: $skus, after: $after) { cursor reset stock { ...StockFigures } }
  }
`);

/** Follows the stock of up to 100 products. @returns null until the first event */
export const useStock = (skus: readonly string[]) => useStockBy(StockFiguresChangedDocument, skus);
