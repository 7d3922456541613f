/**
 * Campaigns: what an advertiser wants to be shown where, when, how often and for how much. A campaign is paid for in advance.
 *
 *   DRAFT     nothing was paid
 *   RUNNING   paid for; its ads are in the zones during its flight
 *   PAUSED    paid for; its ads are in no zone
 *   ENDED     its ads are in no zone; what was not spent is paid back, then `closing` is removed
 *
 * `campaign-payment.ts` takes the money, `recording` counts what is spent of it, `campaign-end.ts` pays the rest back, and
 * `placement.ts` writes the ads into the zones.
 * Invariants: spent <= paid, at every moment; paid = spent + refunded + left, with whole minor units refunded (`invariants.ts`).
 */
import type { ClientSession, Db, Filter } from 'mongodb';
import { defineCollection, findNewestFirst } from '../../../database/index.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { type Connection, type PageInput, requireFirst } from '../../../shared/page.js';
import type { AuditDocument } from '../../people/audit.js';
import type { FrequencyCap } from '../profiles/frequency-cap.js';

export type CampaignState = 'DRAFT' | 'RUNNING' | 'PAUSED' | 'ENDED';
export type CampaignEnd = 'DATE' | 'BUDGET' | 'HAND';
export type PriceModel = 'CPM' | 'CPC';
export type Pacing = 'EVEN' | 'ASAP';

/** A payment that is being made. */
export interface CampaignPayment {
  /** The call, and the key of the charge. */
  call: string;
  /** Minor units. */
  amount: number;
  /** The audit entry, if the money is another user's. */
  entry?: AuditDocument;
  at: Date;
}

export interface CampaignDocument {
  _id: string;
  advertiser_id: string;
  /** The advertiser's owner. Null if the account was deleted. */
  owner: string | null;
  account_id: string;
  name: string;
  state: CampaignState;
  ended_by?: CampaignEnd;
  ended_at?: Date;
  price_model: PriceModel;
  /** Minor units for 1,000 impressions, or for a click. */
  price: number;
  currency: string;
  /** Minor units. */
  budget: number;
  /** Minor units that were paid: the budget, once it has started. */
  paid: number;
  /** Thousandths of a minor unit. */
  spent: number;
  /** Minor units that were paid back. */
  refunded: number;
  flight: { from: Date; to: Date };
  /** When it was started for the first time. Missing on campaigns that were started before this was stored. */
  started_at?: Date;
  /** When its flight was changed last after it was started, and what had been spent then: its plan begins there. */
  replanned?: { at: Date; spent: number };
  pacing: Pacing;
  caps: FrequencyCap[];
  /** When the caps were set, so that it can be checked that none was exceeded since. Earlier releases did not note it. */
  caps_set_at?: Date;
  /** The ids of zones. */
  placements: string[];
  /** The share of decisions in which its ads take part. */
  share: number;
  /** What had been spent when the share was adjusted, and when; and what was spent in how many minutes of a share of 1 (`pacing.ts`). */
  paced?: { spent: number; at: Date; gained?: number; exposed?: number };
  /** What its ads in the zones were made from: what had been spent, and what its pace needed (`pacing.ts`). */
  placed_from?: { spent: number; needed: number };
  /** Whether a zone had one of its ads when they were placed last. */
  is_placed: boolean;
  /** It was changed in a way that the zones do not show yet. */
  is_stale?: true;
  /** Rises with each placement, so that a placement and an end at the same time conflict. */
  placements_made: number;
  /** A payment that is being made. */
  payment?: CampaignPayment;
  /** The calls whose payments were made. */
  payments: string[];
  /** It has ended, but its ads may still be in zones, or the rest is not paid back yet. */
  closing?: { at: Date /** The number of refunds that were declined. */; declined: number };
  created_at: Date;
  last_modified: Date;
}

export const campaigns = defineCollection<CampaignDocument>(
  'ad.campaigns',
  [
    { key: { state: 1, created_at: -1, _id: -1 } }, // findCampaigns of all users, and the jobs
    { key: { owner: 1, state: 1, created_at: -1, _id: -1 } }, // findCampaigns of one user
    { key: { advertiser_id: 1, created_at: -1, _id: -1 } }, // findCampaignsOf
    { key: { account_id: 1, _id: 1 } }, // invariants
    { key: { placements: 1, state: 1 } }, // fillZone
    { key: { is_stale: 1 }, partialFilterExpression: { is_stale: true } }, // recovery
    { key: { 'payment.at': 1 }, partialFilterExpression: { 'payment.at': { $exists: true } } }, // recovery
    { key: { 'closing.at': 1 }, partialFilterExpression: { 'closing.at': { $exists: true } } }, // recovery
  ],
  { retiredIndexes: ['state_1__id_1', 'owner_1_state_1__id_1', 'advertiser_id_1__id_1'] },
);

/** Spend is counted in thousandths of a minor unit: the price of 1,000 impressions in minor units is that of one in thousandths. */
export const THOUSANDTHS = 1000;

/** Minor units, rounded up: what the advertiser has to pay. */
export const minorUnits = (thousandths: number): number => Math.ceil(thousandths / THOUSANDTHS);

/** Minor units of a part, such as a zone or an ad unit, rounded down: so the parts never add up to more than the whole. */
export const minorUnitsOfPart = (thousandths: number): number => Math.floor(thousandths / THOUSANDTHS);

/** What can be spent, in thousandths. */
export const leftOf = ({ paid, spent }: Pick<CampaignDocument, 'paid' | 'spent'>): number => paid * THOUSANDTHS - spent;

export const isInFlight = ({ flight }: Pick<CampaignDocument, 'flight'>, now: Date): boolean =>
  flight.from <= now && now < flight.to;

export type CampaignNotFound = Refusal<'CampaignNotFound'>;
export type CampaignNotChangeable = Refusal<'CampaignNotChangeable', { readonly state: CampaignState }>;

export const campaignNotFound = (): CampaignNotFound => refuse('CampaignNotFound', 'There is no such campaign');
export const campaignNotChangeable = (state: CampaignState, message: string): CampaignNotChangeable =>
  refuse('CampaignNotChangeable', message, { state });

export function findCampaign(db: Db, id: string, session?: ClientSession): Promise<CampaignDocument | null> {
  return campaigns(db).findOne({ _id: id }, session ? { session } : {});
}

/** @param owner the user who asks; null for an editor @returns the campaign if this user may see it */
export async function findCampaignVisibleTo(
  db: Db,
  owner: string | null,
  id: string | null,
): Promise<CampaignDocument | null> {
  const campaign = await findCampaign(db, id ?? '');
  return campaign && (owner === null || campaign.owner === owner) ? campaign : null;
}

export function findCampaignsById(db: Db, ids: readonly string[]): Promise<CampaignDocument[]> {
  return campaigns(db)
    .find({ _id: { $in: [...ids] } })
    .toArray();
}

const FIRST_MAX = 100;

/** Newest first. @param owner null for those of all users @throws LimitError `first` exceeds 100 @throws CursorError */
export async function findCampaigns(
  db: Db,
  { owner, state }: { readonly owner: string | null; readonly state: CampaignState },
  page: PageInput,
): Promise<Connection<CampaignDocument>> {
  const filter = owner === null ? { state } : { owner, state };
  return findNewest(db, `campaigns/${state}/${owner ?? ''}`, filter, page);
}

/** Newest first. @throws LimitError `first` exceeds 100 @throws CursorError */
export async function findCampaignsOf(
  db: Db,
  advertiser: string,
  page: PageInput,
): Promise<Connection<CampaignDocument>> {
  return findNewest(db, `campaigns of ${advertiser}`, { advertiser_id: advertiser }, page);
}

async function findNewest(
  db: Db,
  list: string,
  filter: Filter<CampaignDocument>,
  page: PageInput,
): Promise<Connection<CampaignDocument>> {
  requireFirst(page.first, FIRST_MAX);
  const read = (within: Filter<CampaignDocument>, limit: number) =>
    campaigns(db).find(within).sort({ created_at: -1, _id: -1 }).limit(limit).toArray();
  return findNewestFirst({ list, moment: 'created_at', filter, read }, page);
}
