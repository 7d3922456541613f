/** Campaigns: the lists, and one campaign followed as it is spent and paced. */
import { graphql } from '../../../generated/gql.js';
import type {
  CampaignFollowedSubscription,
  CampaignPageFragment,
  CampaignRowChangedSubscription,
  CampaignRowFragment,
  CampaignState,
} from '../../../generated/graphql.js';
import type { EventOf } from '../../api/subscription.js';
import { useLive } from '../../api/use-live.js';
import { useClock } from '../../kit/base/clock.js';

export type CampaignRow = CampaignRowFragment;
export type Campaign = CampaignPageFragment;
export type AdUnit = Campaign['adUnits'][number];

graphql(`
  fragment CampaignRow on Campaign {
    __typename
    id
    name
    advertiser { id name }
    state
    endedBy
    priceModel
    price { amount currency }
    budget { amount currency }
    paid { amount currency }
    spent { amount currency }
    refunded { amount currency }
    flight { from to }
    pacing
    progress { expected { amount currency } actual { amount currency } share forecast { amount currency } }
  }
`);

graphql(`
  fragment CampaignPage on Campaign {
    ...CampaignRow
    ecpm
    accountId
    caps { scope count period }
    placements { site zone }
    adUnits { ...AdUnitFields }
    notes
  }
`);

graphql(`
  fragment AdUnitFields on AdUnit {
    id
    size
    headline
    text
    html
    landingUrl
    image { id url(width: 1280) small: url(width: 320) }
    product { id sku title price { amount currency } }
    keywords { keyword bid { amount currency } }
  }
`);

export const CampaignsDocument = graphql(`
  query Campaigns($state: CampaignState!, $first: Int!, $after: String) {
    campaigns(state: $state, first: $first, after: $after) {
      edges { cursor node { ...CampaignRow } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const CampaignsOfDocument = graphql(`
  query CampaignsOf($advertiser: ID!, $first: Int!, $after: String) {
    node(id: $advertiser) {
      __typename
      id
      ... on Advertiser {
        campaigns(first: $first, after: $after) {
          edges { cursor node { ...CampaignRow } }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }
`);

const CampaignRowChangedDocument = graphql(`
  subscription CampaignRowChanged($id: ID!, $after: String) {
    campaignChanged(id: $id, after: $after) { cursor campaign { ...CampaignRow } }
  }
`);

const CampaignFollowedDocument = graphql(`
  subscription CampaignFollowed($id: ID!, $after: String) {
    campaignChanged(id: $id, after: $after) { cursor campaign { ...CampaignPage } }
  }
`);

const takeRow = (_before: CampaignRow | null, { campaign }: EventOf<CampaignRowChangedSubscription>): CampaignRow =>
  campaign;

/** A campaign of a list, followed. */
export const useCampaignRow = (listed: CampaignRow): CampaignRow =>
  useLive(CampaignRowChangedDocument, { id: listed.id }, takeRow).state ?? listed;

const takeCampaign = (_before: Campaign | null, { campaign }: EventOf<CampaignFollowedSubscription>): Campaign =>
  campaign;

export const useCampaign = (id: string) => useLive(CampaignFollowedDocument, { id }, takeCampaign);

export interface StateWords {
  readonly name: string;
  readonly meaning: string;
}

export const campaignStates: Readonly<Record<CampaignState, StateWords>> = {
  RUNNING: { name: 'Running', meaning: 'Paid for. Its ads are shown during its flight' },
  DRAFT: { name: 'Draft', meaning: 'In preparation. Nothing was paid' },
  PAUSED: { name: 'Paused', meaning: 'Its ads are not shown until it goes on' },
  ENDED: { name: 'Ended', meaning: 'Over. What was not spent is paid back' },
};

const TICK_MS = 1000;

/** Of one that runs, and whose flight has not begun. */
export const scheduled: StateWords = {
  name: 'Scheduled',
  meaning: 'Paid for. Its ads are shown once its flight begins',
};

export function useIsScheduled({ state, flight }: Pick<CampaignRow, 'state' | 'flight'>): boolean {
  return useClock(TICK_MS, (now) => state === 'RUNNING' && now < Date.parse(flight.from));
}

/** The address of a campaign's page. */
export const campaignPath = (id: string): string => `/ads/campaign/${encodeURIComponent(id)}`;
