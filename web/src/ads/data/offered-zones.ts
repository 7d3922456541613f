/** The zones from which advertisers choose. */
import { graphql } from '../../../generated/gql.js';
import type { OfferedZonesQuery } from '../../../generated/graphql.js';
import { useData } from '../../api/use-data.js';
import { nameOf, type PlacementDraft } from './placements.js';

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

/** The site of the first zone: null if there is none or it cannot be read, undefined until then, and while it is not needed. */
export function useSiteWithZones(isNeeded: boolean): string | null | undefined {
  const { data, error } = useData(OfferedZonesDocument, isNeeded ? nothing : null, ofZones);
  if (!data) return error ? null : undefined;
  return data.offeredZones.edges[0]?.node.site ?? null;
}

/** Those of the zones of a campaign, as far as they are known. */
export function useSizesOf(placements: readonly PlacementDraft[]): string[] {
  const names = new Set(placements.map(nameOf));
  const zones = useOfferedZones()?.zones ?? [];
  return zones.filter((zone) => names.has(nameOf(zone))).map(({ size }) => size);
}
