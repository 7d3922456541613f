/** The zones from which advertisers choose. */
import { graphql } from '../../../generated/gql.js';
import type { OfferedZonesQuery } from '../../../generated/graphql.js';
import { useData } from '../../api/use-data.js';

export type OfferedZone = OfferedZonesQuery['offeredZones']['edges'][number]['node'];

const OfferedZonesDocument = graphql(`
  query OfferedZones {
    offeredZones(first: 100) {
      edges { node { site zone size design floor } }
      pageInfo { hasNextPage }
    }
    storeCurrency
  }
`);

const nothing = {};
const ofZones = { additionalTypenames: ['Zone'] };

/** The first 100. Null until they are read. */
export function useOfferedZones() {
  const { data } = useData(OfferedZonesDocument, nothing, ofZones);
  if (!data) return null;
  const { edges, pageInfo } = data.offeredZones;
  return { zones: edges.map(({ node }) => node), isAll: !pageInfo.hasNextPage, currency: data.storeCurrency };
}
