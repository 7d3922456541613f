import { graphql } from '../../../../generated/gql.js';
import type { CatalogFacetsQuery } from '../../../../generated/graphql.js';
import { usePolling } from '../../../api/polling.js';
import { useData } from '../../../api/use-data.js';

const CatalogFacetsDocument = graphql(`
  query CatalogFacets {
    productFacets(freshness: LATEST) {
      types(first: 40) { value count }
      genres(first: 40) { value count }
      priceBands { from below count }
      properties(first: 120) { name value count }
    }
    storeCurrency
  }
`);

export type Facets = CatalogFacetsQuery['productFacets'];

const nothing = {};
/** The types whose changes refetch the facets. Imports change products too, so the facets are also polled. */
const ofProducts = { additionalTypenames: ['AudioAlbum', 'Film', 'GeneralProduct', 'SaveProductsResult'] };
const POLL_MS = 10_000;

export function useFacets() {
  const { data, error, again } = useData(CatalogFacetsDocument, nothing, ofProducts);
  usePolling(again, POLL_MS);
  return { facets: data?.productFacets ?? null, currency: data?.storeCurrency ?? '', error, again };
}
