/** Products as staff see them. */
import { graphql } from '../../../../generated/gql.js';
import type { CatalogProductQuery, ProductSummaryFragment } from '../../../../generated/graphql.js';
import { mutateOnce } from '../../../api/client.js';

export type ProductSummary = ProductSummaryFragment;
export type ProductDetail = NonNullable<CatalogProductQuery['product']>;

graphql(`
  fragment ProductSummary on Product {
    id
    sku
    type
    title
    price { amount currency }
    listPrice { amount currency }
    discountPercent
    stock { ...StockFigures }
  }
`);

export const CatalogProductsDocument = graphql(`
  query CatalogProducts($filter: ProductFilter!, $sort: ProductSort, $first: Int!, $after: String) {
    products(filter: $filter, sort: $sort, first: $first, after: $after) {
      edges { cursor node { ...ProductSummary } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const CatalogSearchDocument = graphql(`
  query CatalogSearch($text: String!, $type: String, $first: Int!, $after: String) {
    searchProducts(text: $text, type: $type, first: $first, after: $after, freshness: LATEST) {
      edges { cursor node { ...ProductSummary } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const CatalogProductDocument = graphql(`
  query CatalogProduct($sku: String!) {
    product(sku: $sku) {
      __typename
      ...ProductSummary
      description
      asin
      images { id url(width: 320) }
      shipping { weight dimensions { width height depth } }
      properties { name value }
      categories { id slug name }
      ... on AudioAlbum { artist genres issuedOn tracks { title seconds } }
      ... on Film { directors writers actors genres issuedOn aspectRatio }
    }
  }
`);

const RestockDocument = graphql(`
  mutation Restock($sku: String!, $quantity: Int!, $key: String!) {
    restock(sku: $sku, quantity: $quantity, idempotencyKey: $key) { ...StockFigures }
  }
`);

/** @returns why it was refused, or null */
export async function restock(sku: string, quantity: number): Promise<string | null> {
  const answer = await mutateOnce(RestockDocument, { sku, quantity });
  return typeof answer === 'string' ? answer : null;
}
