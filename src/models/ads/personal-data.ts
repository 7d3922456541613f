/** What ads store about an account, and what becomes of it. Profiles of visitors name no account. */
import type { Db } from 'mongodb';
import { failpoint } from '../../shared/failpoint.js';
import { payByTransfer } from '../commerce/money/payment.js';
import { settleEach } from '../commerce/orders/settle-each.js';
import { changeMatching, type ErasureRule, type PersonalData, type PersonalRow, rowsIn } from '../personal-data.js';
import { advertisers } from './advertisers/advertiser.js';
import { adUnits } from './campaigns/ad-unit.js';
import { type CampaignState, campaigns } from './campaigns/campaign.js';
import { endCampaign } from './campaigns/campaign-end.js';

const files = {
  'advertisers.jsonl': 'The advertisers that you own',
  'campaigns.jsonl': 'Their campaigns, with what they have cost',
  'ad-units.jsonl': 'The ads of these campaigns',
} as const;

async function* rows(db: Db, accountId: string): AsyncGenerator<PersonalRow, undefined> {
  const own = advertisers(db).find({ owner: accountId }).sort({ owner: 1, created_at: -1, _id: -1 });
  yield* rowsIn('advertisers.jsonl', own, ({ _id, name, created_at }) => ({ id: _id, name, created: created_at }));
  const planned = () => campaigns(db).find({ owner: accountId }).sort({ owner: 1, state: 1, created_at: -1, _id: -1 });
  yield* rowsIn('campaigns.jsonl', planned(), (campaign) => ({
    id: campaign._id,
    advertiser: campaign.advertiser_id,
    name: campaign.name,
    state: campaign.state,
    account: campaign.account_id,
    priceModel: campaign.price_model,
    price: campaign.price,
    currency: campaign.currency,
    budget: campaign.budget,
    paid: campaign.paid,
    spentThousandths: campaign.spent,
    refunded: campaign.refunded,
    flight: campaign.flight,
    created: campaign.created_at,
  }));
  for await (const { _id } of planned())
    yield* rowsIn(
      'ad-units.jsonl',
      adUnits(db).find({ campaign_id: _id }).sort({ campaign_id: 1, _id: 1 }),
      (unit) => ({
        id: unit._id,
        campaign: _id,
        size: unit.size,
        headline: unit.headline,
        text: unit.text,
        html: unit.html,
        landingUrl: unit.landing_url,
        product: unit.sku,
        keywords: unit.keywords,
      }),
    );
}

/**
 * Nobody would be left to end them: so what was not spent is paid back to the account that paid. May be repeated.
 * @returns how many were ended, or are still being paid
 */
async function endCampaignsOf(db: Db, owner: string, now: Date): Promise<number> {
  const open = { owner, state: { $in: ['DRAFT', 'RUNNING', 'PAUSED'] as CampaignState[] } };
  const found = campaigns(db).find(open, { projection: { _id: 1 } });
  const count = await settleEach('Campaigns of a deleted account', found, async ({ _id: id }) => {
    await endCampaign(db, payByTransfer(db), { id, by: 'HAND' }, now);
    failpoint('erasure.campaign-ended');
  });
  return count + (await campaigns(db).countDocuments(open));
}

async function erase(db: Db, accountId: string, now: Date): Promise<number> {
  const disowned = { $set: { owner: null } };
  let changed = await endCampaignsOf(db, accountId, now);
  // Only those that have ended, so that a repetition finds the others.
  changed += await changeMatching(campaigns(db), { owner: accountId, state: 'ENDED' }, disowned);
  return changed + (await changeMatching(advertisers(db), { owner: accountId }, disowned));
}

const erasure: readonly ErasureRule[] = [
  {
    data: 'Advertisers and campaigns',
    collections: [advertisers, campaigns],
    becomes: 'ANONYMIZED',
    reason:
      'They belong to a business, and their statistics to the accounts of the sites. Campaigns end, and what was not spent is paid back to the account that paid. The owner is removed',
  },
];

export const personalData: PersonalData = { files, rows, erase, erasure };
