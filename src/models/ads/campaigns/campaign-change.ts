/** Creating, changing and pausing campaigns. */
import type { Db } from 'mongodb';
import { type Attempt, answerCall, commitConcernOf, holdCall, inTransaction } from '../../../database/index.js';
import { BusyError, InputError, LimitError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { writeAmount } from '../../commerce/money/money.js';
import type { PaymentProvider } from '../../commerce/money/payment.js';
import type { PaymentDeclined } from '../../commerce/orders/checkout.js';
import { type AuditDocument, recordEntry, updateWithEntry } from '../../people/audit.js';
import { type AdvertiserDocument, advertisers } from '../advertisers/advertiser.js';
import { findUnitsOf } from './ad-unit.js';
import {
  type CampaignDocument,
  type CampaignNotChangeable,
  type CampaignNotFound,
  campaignNotChangeable,
  campaignNotFound,
  campaigns,
  findCampaign,
} from './campaign.js';
import {
  type CampaignChanges,
  type CampaignInput,
  requireFields,
  requirePayable,
  type StoredFields,
} from './campaign-input.js';
import { raiseBudget } from './campaign-payment.js';
import { pullCampaign, refreshZonesOrLater } from './placement.js';

export interface NewCampaign {
  readonly advertiser: AdvertiserDocument;
  /** The caller has checked that the user may use it. */
  readonly account: string;
  /** The store's. */
  readonly currency: string;
  readonly fields: CampaignInput;
}

const CAMPAIGNS_MAX = 1000;

/** Its budget may be too low for its price, which `campaignPlan` remarks. @throws InputError */
export function toCampaign(
  id: string,
  { advertiser, account, currency, fields }: NewCampaign,
  now: Date,
): CampaignDocument {
  const stored = requireFields('input', fields, currency, now) as StoredFields; // none is omitted
  return {
    _id: id,
    advertiser_id: advertiser._id,
    owner: advertiser.owner,
    account_id: account,
    state: 'DRAFT',
    price_model: fields.priceModel,
    currency,
    ...stored,
    paid: 0,
    spent: 0,
    refunded: 0,
    share: 1,
    is_placed: false,
    placements_made: 0,
    payments: [],
    created_at: now,
    last_modified: now,
  };
}

/** Its id is the call: a retry creates only one. @throws InputError also for a budget that pays for nothing @throws LimitError the advertiser has CAMPAIGNS_MAX */
export async function createCampaign(
  db: Db,
  attempt: Attempt,
  input: NewCampaign,
  now: Date,
): Promise<CampaignDocument> {
  const known = await findCampaign(db, attempt.call); // first: its flight may have ended since
  if (known) return known;
  const campaign = toCampaign(attempt.call, input, now);
  requirePayable('input.budget.amount', campaign);
  const { _id, advertiser_id } = campaign;
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const earlier = await findCampaign(db, _id, session); // by another worker of the call
    if (earlier) return earlier;
    await holdCall(db, session, attempt);
    // Guard: written by each, so that of calls at once each counts the campaigns of those before it.
    await advertisers(db).updateOne({ _id: advertiser_id }, { $inc: { campaigns_created: 1 } }, { session });
    const some = campaigns(db).find({ advertiser_id }, { projection: { _id: 1 }, session });
    if ((await some.limit(CAMPAIGNS_MAX).toArray()).length >= CAMPAIGNS_MAX)
      throw new LimitError(`An advertiser has at most ${CAMPAIGNS_MAX} campaigns`, CAMPAIGNS_MAX);
    await campaigns(db).insertOne(campaign, { session });
    return campaign;
  });
  return value;
}

export interface CampaignChange {
  readonly attempt: Attempt;
  /** When another worker began, which may have raised the budget. */
  readonly begunAt?: Date | null;
  readonly id: string;
  readonly changes: CampaignChanges;
  readonly currency: string;
  /** The audit entry of a payment, if the money is another user's. */
  entryOf(amount: number): AuditDocument | undefined;
  /** The audit entry of the change, if the campaign is another user's. */
  readonly entry?: AuditDocument | undefined;
}

/**
 * Changes a campaign that has not ended. A raised budget is paid first: if it is declined, nothing has changed.
 * @throws InputError also for a budget below what was paid @throws BusyError its budget is being paid
 */
export async function changeCampaign(
  db: Db,
  provider: PaymentProvider,
  { attempt, begunAt, id, changes, currency, entryOf, entry }: CampaignChange,
  now: Date,
): Promise<CampaignDocument | CampaignNotFound | CampaignNotChangeable | PaymentDeclined> {
  const campaign = await findCampaign(db, id);
  if (!campaign) return campaignNotFound();
  const isRaised = campaign.payments.includes(attempt.call); // by another worker of the call
  if (campaign.state === 'ENDED') return isRaised ? campaign : campaignNotChangeable('ENDED', 'The campaign has ended');
  // What another worker has paid for, or may have, is not refused any more.
  const isBegun = isRaised || campaign.payment?.call === attempt.call;
  const judgedAt = (isBegun && begunAt) || now;
  const fields = requireFields('changes', changes, currency, judgedAt, campaign.flight.from);
  const { budget, ...others } = fields;
  const isPaid = campaign.state !== 'DRAFT';
  if (isPaid && budget !== undefined && budget !== campaign.budget && !isRaised) {
    if (budget < campaign.budget && !isBegun)
      throw new InputError(
        'changes.budget.amount',
        `must be at least ${writeAmount(campaign.budget, currency)}, which was paid`,
      );
    if (!isBegun) await requireStillPayable(db, campaign, fields);
    const raise = { id, attempt, budget, entryOf };
    const raised = await raiseBudget(db, provider, raise, now);
    if ('__typename' in raised) return raised;
    failpoint('campaign.budget-raised');
  } else if (!isBegun) await requireStillPayable(db, campaign, fields);
  const isEvenNow = others.pacing === 'EVEN' && campaign.pacing !== 'EVEN';
  const isReplanned =
    isPaid && (isEvenNow || (others.flight !== undefined && !isSameFlight(others.flight, campaign.flight)));
  const { value: changed } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const updated = await campaigns(db).findOneAndUpdate(
      // Guard: it has not started or ended meanwhile, and a draft is not being paid, since the payment is for the budget that it had. The
      // budget pays for the price, as was checked: neither has changed meanwhile. A budget that was paid only rises.
      {
        _id: id,
        ...(budget !== undefined && others.price === undefined && { price: campaign.price }),
        ...(!isPaid && others.price !== undefined && { budget: campaign.budget }),
        ...(isPaid ? { state: { $in: ['RUNNING', 'PAUSED'] } } : { state: 'DRAFT', payment: { $exists: false } }),
      },
      {
        $set: {
          ...others,
          ...(!isPaid && budget !== undefined && { budget }),
          ...(isReplanned && { replanned: { at: now, spent: campaign.spent } }),
          is_stale: true,
          last_modified: now,
        },
        ...(others.pacing !== undefined && { $unset: { paced: '' } }), // its pace begins anew
      },
      { session, returnDocument: 'after' },
    );
    if (!updated) return null;
    await answerCall(db, session, attempt, updated); // guard: a retry does not write over a later change
    await recordEntry(db, session, entry);
    return updated;
  });
  failpoint('campaign.changed');
  if (!changed) throw new BusyError('The campaign is being changed, paid, started or ended by another request');
  await refreshZonesOrLater(db, id, now);
  return (await findCampaign(db, id)) ?? changed;
}

const isSameFlight = (one: CampaignDocument['flight'], other: CampaignDocument['flight']): boolean =>
  one.from.getTime() === other.from.getTime() && one.to.getTime() === other.to.getTime();

/** @throws InputError after a change of the price or the budget, nothing could be paid */
async function requireStillPayable(db: Db, campaign: CampaignDocument, changes: Partial<StoredFields>): Promise<void> {
  const { price, budget } = changes;
  if (price === undefined && budget === undefined) return;
  const units = await findUnitsOf(db, [campaign._id]);
  const field = budget === undefined ? 'changes.price.amount' : 'changes.budget.amount';
  requirePayable(
    field,
    { ...campaign, ...changes },
    units.flatMap(({ keywords }) => keywords),
  );
}

/**
 * When it returns, no zone has its ads. Pausing it again returns the same campaign.
 * @param entry for the audit trail, if the campaign is another user's
 */
export async function pauseCampaign(
  db: Db,
  id: string,
  now: Date,
  entry?: AuditDocument,
): Promise<CampaignDocument | CampaignNotFound | CampaignNotChangeable> {
  const paused = await updateWithEntry(db, entry, (options) =>
    campaigns(db).findOneAndUpdate(
      { _id: id, state: 'RUNNING' }, // guard: it has not ended meanwhile
      { $set: { state: 'PAUSED', is_stale: true, last_modified: now }, $unset: { paced: '' } },
      { ...options, returnDocument: 'after' },
    ),
  );
  failpoint('campaign.paused');
  const current = paused ?? (await findCampaign(db, id));
  if (!current) return campaignNotFound();
  if (current.state !== 'PAUSED') return campaignNotChangeable(current.state, 'Only a running campaign can be paused');
  await pullCampaign(db, id);
  return current;
}
