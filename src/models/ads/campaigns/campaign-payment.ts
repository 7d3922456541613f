/**
 * Starting a campaign, and raising the budget of one that was started, in steps that may each be repeated:
 *
 *   1 intend    the campaign notes the payment; one at a time
 *   2 pay       the provider charges once per key, which is the call
 *   3 conclude  the campaign runs, with the money in `paid`
 *   4 place     its ads enter the zones, if its flight has begun
 *
 * Declined: the note is removed, and nothing has changed. A process that dies leaves the note. The provider's record then decides
 * whether step 3 follows or the note is removed (`recoverPayments`). A campaign that was
 * not placed any more is stale, and placed by a worker (`refreshStaleZones`).
 */
import type { Db, Document } from 'mongodb';
import { type Attempt, answerCall, commitConcernOf, holdCall, inTransaction } from '../../../database/index.js';
import { BusyError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import type { Charge, PaymentOutcome, PaymentProvider } from '../../commerce/money/payment.js';
import type { PaymentDeclined } from '../../commerce/orders/checkout.js';
import { settleEach } from '../../commerce/orders/settle-each.js';
import { type AuditDocument, recordEntry, recordIntended } from '../../people/audit.js';
import { type AdUnitDocument, findUnitsOf } from './ad-unit.js';
import {
  type CampaignDocument,
  type CampaignNotChangeable,
  type CampaignNotFound,
  type CampaignPayment,
  campaignNotChangeable,
  campaignNotFound,
  campaigns,
  findCampaign,
} from './campaign.js';
import { refreshZonesOrLater } from './placement.js';
import { canPay } from './pricing.js';

type Paying = CampaignDocument & { readonly payment: CampaignPayment };

export interface StartInput {
  /** Its call is continued by a retry. */
  readonly attempt: Attempt;
  readonly id: string;
  /** The audit entry of a payment, if the money is another user's. */
  readonly entryOf?: (amount: number) => AuditDocument | undefined;
  /** The audit entry of going on after a pause, if the campaign is another user's. */
  readonly entry?: AuditDocument | undefined;
}

export type StartRefusal = CampaignNotFound | CampaignNotChangeable | Refusal<'NothingToShow'> | PaymentDeclined;

/**
 * Starts a draft, for which it pays, or a paused campaign. A running one is returned unchanged.
 * @throws BusyError another payment is being made, or it is not known yet whether it was paid: retry with the same call
 */
export async function startCampaign(
  db: Db,
  provider: PaymentProvider,
  input: StartInput,
  now: Date,
): Promise<CampaignDocument | StartRefusal> {
  const { id, attempt, entryOf, entry } = input;
  const { call } = attempt;
  const campaign = await findCampaign(db, id);
  if (!campaign) return campaignNotFound();
  if (campaign.payments.includes(call)) return placed(db, campaign, now);
  // First: the provider may have charged, and what is judged may have changed since.
  if (campaign.payment?.call === call) return goOn(db, provider, campaign, campaign.payment, now);
  if (campaign.state === 'PAUSED') return resume(db, campaign, { attempt, entry }, now);
  if (campaign.state === 'RUNNING') return campaign;
  if (campaign.state === 'ENDED') return campaignNotChangeable('ENDED', 'The campaign has ended');
  if (campaign.flight.to <= now)
    return campaignNotChangeable('DRAFT', 'The flight of the campaign is over: change it first');
  const units = await findUnitsOf(db, [id]);
  const nothing = nothingToShow(campaign, units);
  if (nothing) return nothing;
  const prices = [campaign.price, ...units.flatMap(({ keywords }) => keywords.map(({ bid }) => bid))];
  if (!prices.every((price) => canPay({ ...campaign, paid: campaign.budget }, price))) return notPayable(campaign);
  return pay(db, provider, { campaign, amount: campaign.budget, attempt, entryOf }, now);
}

function nothingToShow(
  { placements }: CampaignDocument,
  units: readonly AdUnitDocument[],
): Refusal<'NothingToShow'> | null {
  if (placements.length === 0) return refuse('NothingToShow', 'The campaign has no zone');
  return units.length === 0 ? refuse('NothingToShow', 'The campaign has no ad unit') : null;
}

const notPayable = ({ state, price_model }: CampaignDocument): CampaignNotChangeable =>
  campaignNotChangeable(
    state,
    `The budget does not pay for ${price_model === 'CPC' ? 'a click' : 'an impression'} at each price and bid: raise it, or lower them`,
  );

async function resume(
  db: Db,
  campaign: CampaignDocument,
  { attempt, entry }: Pick<StartInput, 'attempt' | 'entry'>,
  now: Date,
): Promise<CampaignDocument | StartRefusal> {
  if (campaign.flight.to <= now)
    return campaignNotChangeable('PAUSED', 'The flight of the campaign is over: change it first');
  const nothing = nothingToShow(campaign, await findUnitsOf(db, [campaign._id]));
  if (nothing) return nothing;
  if (!canPay(campaign, campaign.price)) return notPayable(campaign);
  await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const resumed = await campaigns(db).findOneAndUpdate(
      { _id: campaign._id, state: 'PAUSED' }, // guard: it has not ended meanwhile
      { $set: { state: 'RUNNING', is_stale: true, last_modified: now } },
      { session, returnDocument: 'after' },
    );
    if (!resumed) return;
    await answerCall(db, session, attempt, resumed); // guard: a retry does not resume it after a pause
    await recordEntry(db, session, entry);
  });
  failpoint('campaign.resumed');
  return placed(db, campaign, now);
}

/**
 * Pays the difference to a higher budget.
 * @param budget minor units, more than now
 */
export async function raiseBudget(
  db: Db,
  provider: PaymentProvider,
  { id, attempt, entryOf, budget }: StartInput & { readonly budget: number },
  now: Date,
): Promise<CampaignDocument | CampaignNotFound | CampaignNotChangeable | PaymentDeclined> {
  const campaign = await findCampaign(db, id);
  if (!campaign) return campaignNotFound();
  if (campaign.payments.includes(attempt.call)) return campaign;
  if (campaign.state === 'ENDED') return campaignNotChangeable('ENDED', 'The campaign has ended');
  const amount = budget - campaign.paid;
  if (amount <= 0) return campaign; // raised by another call
  return pay(db, provider, { campaign, amount, attempt, entryOf }, now) as Promise<
    CampaignDocument | CampaignNotChangeable | PaymentDeclined
  >;
}

interface NewPayment {
  readonly campaign: CampaignDocument;
  /** Minor units. */
  readonly amount: number;
  readonly attempt: Attempt;
  readonly entryOf: StartInput['entryOf'];
}

async function pay(
  db: Db,
  provider: PaymentProvider,
  { campaign, amount, attempt, entryOf }: NewPayment,
  now: Date,
): Promise<CampaignDocument | StartRefusal> {
  const { call } = attempt;
  if (campaign.payment) {
    if (campaign.payment.call !== call) throw paymentInProgress();
    return goOn(db, provider, campaign, campaign.payment, now);
  }
  const entry = entryOf?.(amount);
  const payment = { call, amount, at: now, ...(entry && { entry }) };
  await intend(db, campaign, payment, attempt);
  failpoint('campaign.payment-intended');
  return goOn(db, provider, campaign, payment, now);
}

/** After the payment was noted. */
async function goOn(
  db: Db,
  provider: PaymentProvider,
  campaign: CampaignDocument,
  payment: CampaignPayment,
  now: Date,
): Promise<CampaignDocument | StartRefusal> {
  const paying: Paying = { ...campaign, payment };
  return conclude(db, paying, await provider.charge(chargeOf(paying), now), now);
}

/** @throws BusyError somebody else pays or has changed it, or another worker has executed the call */
async function intend(
  db: Db,
  { _id, state, paid, budget, price }: CampaignDocument,
  payment: CampaignPayment,
  attempt: Attempt,
): Promise<void> {
  await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    await holdCall(db, session, attempt); // guard: nothing is paid for a call that was refused meanwhile
    const noted = await campaigns(db).updateOne(
      { _id, state, paid, budget, price, payment: { $exists: false } }, // guard: nobody has paid, changed or ended it
      { $set: { payment, last_modified: payment.at } },
      { session },
    );
    if (noted.matchedCount === 0) throw paymentInProgress();
  });
}

const paymentInProgress = () => new BusyError('The campaign is being paid or changed by another request');

const chargeOf = ({ payment, account_id, currency }: Paying): Charge => ({
  key: payment.call,
  account: account_id,
  amount: { amount: payment.amount, currency },
});

/** After the provider has answered. */
async function conclude(
  db: Db,
  { _id, payment }: Paying,
  outcome: PaymentOutcome,
  now: Date,
): Promise<CampaignDocument | StartRefusal> {
  const mine = { _id, 'payment.call': payment.call }; // guard: this payment, so that it counts once
  if (outcome.state === 'DECLINED') {
    failpoint('campaign.payment-declined');
    await campaigns(db).updateOne(mine, { $unset: { payment: '' }, $set: { last_modified: now } });
    return refuse('PaymentDeclined', outcome.message, { reason: outcome.reason });
  }
  failpoint('campaign.paid');
  if (payment.entry) {
    await recordIntended(db, payment.entry);
    failpoint('campaign.payment-recorded');
  }
  const concluded: Document[] = [
    {
      $set: {
        state: { $cond: [{ $eq: ['$state', 'DRAFT'] }, 'RUNNING', '$state'] },
        started_at: { $cond: [{ $eq: ['$state', 'DRAFT'] }, now, '$started_at'] },
        paid: { $add: ['$paid', payment.amount] },
        budget: { $add: ['$paid', payment.amount] },
        payments: { $concatArrays: ['$payments', [{ $literal: payment.call }]] },
        is_stale: true,
        last_modified: now,
      },
    },
    { $unset: 'payment' },
  ];
  const running = await campaigns(db).findOneAndUpdate(mine, concluded, { returnDocument: 'after' });
  failpoint('campaign.running');
  const current = running ?? (await findCampaign(db, _id));
  return current ? placed(db, current, now) : campaignNotFound();
}

async function placed(db: Db, campaign: CampaignDocument, now: Date): Promise<CampaignDocument> {
  await refreshZonesOrLater(db, campaign._id, now);
  return (await findCampaign(db, campaign._id)) ?? campaign;
}

/** Finds out what became of a payment in progress. One that was not made is prevented from then on. */
export async function settlePayment(
  db: Db,
  provider: PaymentProvider,
  campaign: CampaignDocument,
  now: Date,
): Promise<void> {
  if (!campaign.payment) return;
  const paying: Paying = { ...campaign, payment: campaign.payment };
  await conclude(db, paying, await provider.settle(chargeOf(paying), now), now);
}

/** @param since payments without progress since this time @returns how many were settled @throws AggregateError some failed */
export function recoverPayments(db: Db, provider: PaymentProvider, since: Date, now: Date): Promise<number> {
  const left = campaigns(db).find({ 'payment.at': { $lt: since } });
  return settleEach('Payments of campaigns', left, async (campaign) => {
    await settlePayment(db, provider, campaign, now);
    failpoint('campaign.payment-recovered');
  });
}
