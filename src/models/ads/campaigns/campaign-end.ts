/**
 * The end of a campaign, in steps that may each be repeated:
 *
 *   1 end      the campaign is ENDED: nothing is charged any more, and no placement follows
 *   2 pull     its ads leave all zones
 *   3 refund   the provider pays back what was not spent, once per key
 *   4 close    the refund is noted, last
 *
 * A declined refund moved no money: the next attempt has another key. A process that dies leaves `closing`, from which any other one
 * continues (`closeCampaigns`).
 */
import type { Db } from 'mongodb';
import { inTurn, pauseBeforeAttempt } from '../../../database/index.js';
import { BusyError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import type { Charge, PaymentProvider } from '../../commerce/money/payment.js';
import { settleEach } from '../../commerce/orders/settle-each.js';
import { type AuditDocument, updateWithEntry } from '../../people/audit.js';
import {
  type CampaignDocument,
  type CampaignEnd,
  type CampaignNotFound,
  campaignNotFound,
  campaigns,
  findCampaign,
  minorUnits,
} from './campaign.js';
import { settlePayment } from './campaign-payment.js';
import { pullCampaign } from './placement.js';

type Closing = CampaignDocument & { readonly closing: NonNullable<CampaignDocument['closing']> };
const isClosing = (campaign: CampaignDocument): campaign is Closing => campaign.closing !== undefined;

/** The modifiers of the update that ends a campaign. */
export const endedFields = (by: CampaignEnd, now: Date) =>
  ({
    state: 'ENDED',
    ended_by: by,
    ended_at: now,
    closing: { at: now, declined: 0 },
    last_modified: now,
  }) as const;

export interface EndInput {
  readonly id: string;
  readonly by: CampaignEnd;
  /** What the caller has decided from: if this has changed meanwhile, or a payment is being made, the campaign goes on. */
  readonly as?: Pick<CampaignDocument, 'state' | 'paid' | 'price'> | { readonly 'flight.to': Date };
  /** For the audit trail, if the campaign is another user's. */
  readonly entry?: AuditDocument | undefined;
}

/**
 * Ends a campaign. When it returns, no zone has its ads. Ending it again returns the same campaign.
 * @throws BusyError its payment is still being made, or it is not known yet whether the rest was paid back
 */
export async function endCampaign(
  db: Db,
  provider: PaymentProvider,
  { id, by, as, entry }: EndInput,
  now: Date,
): Promise<CampaignDocument | CampaignNotFound> {
  const known = await findCampaign(db, id);
  if (!known) return campaignNotFound();
  if (as && known.payment) return known;
  if (known.payment) await settlePayment(db, provider, known, now);
  const ended = await updateWithEntry(db, entry, (options) =>
    campaigns(db).findOneAndUpdate(
      // Guard: it ends once, no payment follows, and it still is what the caller has decided from.
      { _id: id, state: { $ne: 'ENDED' }, payment: { $exists: false }, ...as },
      { $set: endedFields(by, now) },
      { ...options, returnDocument: 'after' },
    ),
  );
  failpoint('campaign.ended');
  const current = ended ?? (await findCampaign(db, id));
  if (!current) return campaignNotFound();
  if (as && current.state !== 'ENDED') return current;
  if (current.state !== 'ENDED') throw new BusyError('The budget of the campaign is being paid');
  return closeInTurn(db, provider, current, now);
}

const ATTEMPTS_MAX = 10;

/**
 * Many calls at once end a campaign and answer the same: those of this process wait for each other. If another process pays it back at
 * this moment, its outcome is awaited.
 * @throws BusyError it still does
 */
function closeInTurn(
  db: Db,
  provider: PaymentProvider,
  campaign: CampaignDocument,
  now: Date,
): Promise<CampaignDocument> {
  return inTurn(db, `campaign end/${campaign._id}`, async () => {
    for (let attempt = 1; ; attempt += 1) {
      const current = (await findCampaign(db, campaign._id)) ?? campaign;
      if (!isClosing(current)) return current;
      try {
        return await close(db, provider, current, now);
      } catch (error) {
        if (!(error instanceof BusyError) || attempt === ATTEMPTS_MAX) throw error;
        await pauseBeforeAttempt(attempt + 1);
      }
    }
  });
}

async function close(db: Db, provider: PaymentProvider, campaign: Closing, now: Date): Promise<CampaignDocument> {
  await pullCampaign(db, campaign._id);
  failpoint('campaign.pulled');
  const charge = refundOf(campaign);
  const isPaid = charge.amount.amount === 0 || (await provider.refund(charge, now)).state === 'PAID';
  failpoint('campaign.refunded');
  const closed = await campaigns(db).findOneAndUpdate(
    // Guard: of several processes that close it, one notes the outcome. All have asked for the refund with the same key.
    { _id: campaign._id, 'closing.declined': campaign.closing.declined },
    isPaid
      ? { $set: { refunded: charge.amount.amount, last_modified: now }, $unset: { closing: '' } }
      : { $inc: { 'closing.declined': 1 }, $set: { 'closing.at': now } }, // the store has too little money at the moment
    { returnDocument: 'after' },
  );
  return closed ?? (await findCampaign(db, campaign._id)) ?? campaign;
}

/** Whole minor units: what is left of a unit of which something was spent is not paid back. */
const refundOf = ({ _id, account_id, paid, spent, currency, closing }: Closing): Charge => ({
  key: `${_id} refund ${closing.declined + 1}`,
  account: account_id,
  amount: { amount: paid - minorUnits(spent), currency },
});

/**
 * Finishes the ends of campaigns: those that the budget ended, and those that a dead process has left.
 * @param since ends without progress since this time @returns how many @throws AggregateError some failed
 */
export function closeCampaigns(db: Db, provider: PaymentProvider, since: Date, now: Date): Promise<number> {
  const left = campaigns(db).find({ 'closing.at': { $lt: since } });
  return settleEach('Ends of campaigns', left, async (campaign) => {
    await closeInTurn(db, provider, campaign, now);
    failpoint('campaign.closed');
  });
}

/** Finishes the end of one campaign, which its budget has ended. */
export async function closeCampaign(db: Db, provider: PaymentProvider, id: string, now: Date): Promise<void> {
  const campaign = await findCampaign(db, id);
  if (campaign) await closeInTurn(db, provider, campaign, now);
}
