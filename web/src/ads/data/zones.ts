/** Zones of a site, one of them followed, and what a zone would show to whom. */
import { graphql } from '../../../generated/gql.js';
import type {
  AdVerdict,
  ExplainDecisionQuery,
  ZoneDesign,
  ZoneFieldsFragment,
  ZoneFollowedSubscription,
  ZoneInput,
} from '../../../generated/graphql.js';
import { mutate } from '../../api/client.js';
import { usePolling } from '../../api/polling.js';
import type { EventOf } from '../../api/subscription.js';
import { useData } from '../../api/use-data.js';
import { useLive } from '../../api/use-live.js';
import type { StateWords } from './campaigns.js';

export type Zone = ZoneFieldsFragment;
export type Considered = ExplainDecisionQuery['explainDecision']['considered'][number];

graphql(`
  fragment ZoneFields on Zone {
    __typename
    id
    site
    zone
    size
    design
    floor
    inShop
    snippet
    ads { campaignId adUnitId headline ecpm keywords }
  }
`);

const ZonesDocument = graphql(`
  query Zones($site: String!) {
    zones(site: $site) { __typename id site zone size design floor inShop }
  }
`);

const ZoneFollowedDocument = graphql(`
  subscription ZoneFollowed($site: String!, $zone: String!, $after: String) {
    zoneChanged(site: $site, zone: $zone, after: $after) { cursor zone { ...ZoneFields } }
  }
`);

export const ExplainDecisionDocument = graphql(`
  query ExplainDecision($site: String!, $zone: String!, $visitor: String, $keywords: [String!]!, $count: Int!) {
    explainDecision(site: $site, zone: $zone, visitor: $visitor, keywords: $keywords, count: $count) {
      design
      documentsRead
      microseconds
      considered {
        campaign { id name advertiser { id name } }
        adUnitId
        headline
        ecpm
        score
        verdict
        note
      }
    }
  }
`);

const SaveZoneDocument = graphql(`
  mutation SaveZone($input: ZoneInput!) {
    saveZone(input: $input) {
      __typename
      ... on Zone { ...ZoneFields }
      ... on Refusal { message }
    }
  }
`);

const RemoveZoneDocument = graphql(`
  mutation RemoveZone($site: String!, $zone: String!) {
    removeZone(site: $site, zone: $zone) {
      __typename
      ... on RemovedZone { id }
      ... on Refusal { message }
    }
  }
`);

/** An empty list contains no type by which the cache could tell that it has changed. */
const ofZones = { additionalTypenames: ['Zone', 'RemovedZone'] };
const POLL_MS = 10_000;

export interface ZoneName extends Record<string, unknown> {
  readonly site: string;
  readonly zone: string;
}

/** @param site null: do not ask yet */
export function useZones(site: string | null) {
  const { data, error, again } = useData(ZonesDocument, site === null ? null : { site }, ofZones);
  usePolling(again, site === null ? null : POLL_MS);
  return { zones: data?.zones ?? null, error, again };
}

const takeZone = (_before: Zone | null, { zone }: EventOf<ZoneFollowedSubscription>): Zone => zone;

export const useZone = ({ site, zone }: ZoneName) => useLive(ZoneFollowedDocument, { site, zone }, takeZone);

/** @returns why it was refused, or null */
export async function saveZone(input: ZoneInput): Promise<string | null> {
  const answer = await mutate(SaveZoneDocument, { input }, ofZones);
  if (typeof answer === 'string') return answer;
  return 'message' in answer.saveZone ? answer.saveZone.message : null;
}

/** @returns why it was refused, or null */
export async function removeZone({ site, zone }: ZoneName): Promise<string | null> {
  const answer = await mutate(RemoveZoneDocument, { site, zone }, ofZones);
  if (typeof answer === 'string') return answer;
  return 'message' in answer.removeZone ? answer.removeZone.message : null;
}

export const zoneDesigns: Readonly<Record<ZoneDesign, StateWords>> = {
  BASIC: {
    name: 'Basic',
    meaning: 'One at random among the best eCPM. Knows no visitors, so ads with caps are not shown.',
  },
  CAPPED: { name: 'Capped', meaning: 'The best that the frequency caps of the visitor allow.' },
  KEYWORDS: {
    name: 'Keywords',
    meaning: 'By score: eCPM × ln(1.1 + matched keywords), with the bid of a matched keyword as the price. Caps count.',
  },
};

export const verdicts: Readonly<Record<AdVerdict, string>> = {
  SHOWN: 'Shown',
  OUTSCORED: 'Outscored',
  CAPPED: 'Capped',
  VISITOR_UNKNOWN: 'Visitor unknown',
  NEEDS_CAPS: 'Needs caps',
  BELOW_FLOOR: 'Below the floor',
  PACED: 'Paced',
  NOT_IN_FLIGHT: 'Not in flight',
  CAMPAIGN_SHOWN: 'Campaign shown',
  SOLD_OUT: 'Sold out',
};

/** The address of a zone's page. */
export const zonePath = ({ site, zone }: { readonly site: string; readonly zone: string }): string =>
  `/ads/zones?${new URLSearchParams({ site, zone })}`;
