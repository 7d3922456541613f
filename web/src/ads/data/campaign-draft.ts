/** What is entered for a campaign, and what the server gets of it. Pure. */
import type { CampaignChanges, CampaignInput, CapScope, Pacing, PriceModel } from '../../../generated/graphql.js';
import { parseAmount } from '../../kit/base/money.js';
import type { Campaign } from './campaigns.js';
import { nowhere, type PlacementDraft, placementsOf } from './placements.js';

export interface CapDraft {
  readonly scope: CapScope;
  readonly count: string;
  /** An ISO 8601 duration. */
  readonly period: string;
}

export interface CampaignDraft {
  readonly advertiserId: string;
  readonly accountId: string;
  readonly name: string;
  readonly priceModel: PriceModel;
  /** As typed, in major units. */
  readonly price: string;
  readonly budget: string;
  /** UTC, as `datetime-local` has it. Empty: now. */
  readonly from: string;
  readonly to: string;
  readonly pacing: Pacing;
  readonly caps: readonly CapDraft[];
  readonly placements: readonly PlacementDraft[];
  /** Entered, but not added to the placements yet: it counts as well. */
  readonly typed: PlacementDraft;
}

const MONTH_MS = 30 * 86_400_000;

/** A moment in `datetime-local` format, in UTC. */
const fieldText = (moment: number) => new Date(moment).toISOString().slice(0, 16);
const momentOf = (text: string) => `${text}:00Z`;

export const newDraft = (now: number): CampaignDraft => ({
  advertiserId: '',
  accountId: '',
  name: '',
  priceModel: 'CPM',
  price: '',
  budget: '',
  from: '',
  to: fieldText(now + MONTH_MS),
  pacing: 'EVEN',
  caps: [],
  placements: [],
  typed: nowhere,
});

/** @param amountText an amount in major units */
export const draftOf = (campaign: Campaign, amountText: (amount: number) => string): CampaignDraft => ({
  advertiserId: campaign.advertiser.id,
  accountId: campaign.accountId,
  name: campaign.name,
  priceModel: campaign.priceModel,
  price: amountText(campaign.price.amount),
  budget: amountText(campaign.budget.amount),
  from: fieldText(Date.parse(campaign.flight.from)),
  to: fieldText(Date.parse(campaign.flight.to)),
  pacing: campaign.pacing,
  caps: campaign.caps.map(({ scope, count, period }) => ({ scope, count: String(count), period })),
  placements: campaign.placements.map(({ site, zone }) => ({ site, zone })),
  typed: nowhere,
});

/** @returns what is wrong, as a sentence */
export function inputOf(draft: CampaignDraft, currency: string): CampaignInput | string {
  const { advertiserId, accountId, name, priceModel, pacing, from, to } = draft;
  const [price, budget] = [parseAmount(draft.price, currency), parseAmount(draft.budget, currency)];
  if (advertiserId === '') return 'Choose the advertiser';
  if (accountId === '') return 'Choose the account that pays';
  if (!price) return `Enter a price in ${currency}`;
  if (!budget) return `Enter a budget in ${currency}`;
  if (to === '') return 'Enter the end of the flight';
  const placements = placementsOf(draft);
  if (typeof placements === 'string') return placements;
  const caps = draft.caps.map(({ scope, count, period }) => ({ scope, count: Number(count), period }));
  if (caps.some(({ count }) => !Number.isInteger(count) || count < 1))
    return 'Enter how often a visitor may see the ads';
  return {
    advertiserId,
    accountId,
    name: name.trim(),
    priceModel,
    price: { amount: price, currency },
    budget: { amount: budget, currency },
    flight: { ...(from !== '' && { from: momentOf(from) }), to: momentOf(to) },
    pacing,
    caps,
    placements: [...placements],
  };
}

const changeable = [
  'name',
  'price',
  'budget',
  'flight',
  'pacing',
  'caps',
  'placements',
] as const satisfies (keyof CampaignChanges)[];

/** Only what differs: a flight that has begun, for example, may stay as it is. @returns what is wrong, as a sentence */
export function changesOf(before: CampaignDraft, draft: CampaignDraft, currency: string): CampaignChanges | string {
  const input = inputOf(draft, currency);
  const old = inputOf(before, currency);
  if (typeof input === 'string') return input;
  const isChanged = (field: keyof CampaignInput) =>
    typeof old === 'string' || JSON.stringify(input[field]) !== JSON.stringify(old[field]);
  return Object.fromEntries(changeable.filter(isChanged).map((field) => [field, input[field]]));
}
