/**
 * Sample ads of an empty domain: a site with zones, advertisers with their campaigns, then what was recorded in a week, a day per step.
 * The budgets are paid by transfers of commerce, which stay in its books: taken back, a campaign ends, and the rest is paid back.
 */
import type { ClientSession, Db } from 'mongodb';
import { unkeyed, updateInTransaction } from '../../../database/index.js';
import { toGlobalId } from '../../../shared/global-id.js';
import { DAY_MS } from '../../../shared/time.js';
import { addSampleSite, SAMPLE_AD_SITE } from '../../analytics/seed/sample-site.js';
import { findAccount, openAccountAs, STORE_ACCOUNT } from '../../commerce/money/account.js';
import type { PaymentProvider } from '../../commerce/money/payment.js';
import { momentBefore, type SeedStep } from '../../seed.js';
import { storeSamplePicture } from '../../system/sample-pictures/sample-picture.js';
import { actOfSeed } from '../../system/work/seed.js';
import { type HeldWork, WorkFailure } from '../../work.js';
import { type AdvertiserDocument, addAdvertiser, advertisers } from '../advertisers/advertiser.js';
import { addAdUnit, requireContent } from '../campaigns/ad-unit-change.js';
import { campaigns } from '../campaigns/campaign.js';
import { createCampaign, pauseCampaign } from '../campaigns/campaign-change.js';
import { endCampaign } from '../campaigns/campaign-end.js';
import { startCampaign } from '../campaigns/campaign-payment.js';
import { fillZone, refreshZonesOrLater } from '../campaigns/placement.js';
import { saveZone, zones } from '../zones/zone.js';
import { type SampleCampaign, type SampleUnit, sampleAdvertisers, sampleCampaigns, sampleZones } from './sample-ads.js';
import { addDay, SAMPLE_DAYS, sampleId, unitKey } from './sample-history.js';
import { removeAdvertisers, removeCampaigns, removeReceipts, removeZones } from './taking-back.js';

export async function areAdsEmpty(db: Db): Promise<boolean> {
  const first = { projection: { _id: 1 }, sort: { _id: 1 } } as const;
  const found = [await advertisers(db).findOne({}, first), await campaigns(db).findOne({}, first)];
  return !found.some(Boolean) && !(await zones(db).findOne({}, first));
}

export const adsSteps = (payment: PaymentProvider): readonly SeedStep[] => [
  zonesStep,
  campaignsStep(payment),
  ...Array.from({ length: SAMPLE_DAYS }, (_, day) => dayStep(payment, day)),
  endStep(payment),
];

const zonesStep: SeedStep = {
  fill: async (held) => {
    await addSampleSite(held, SAMPLE_AD_SITE);
    for (const zone of sampleZones) {
      const saved = notRefused(await saveZone(held.db, zone, held.now()));
      await fillZone(held.db, saved._id, held.now());
    }
    return undefined;
  },
  takeBack: async ({ db }) => ({ write: (session) => removeZones(db, session) }),
};

/** An account of its own, in each database once: transfers name it for ever. */
const ACCOUNT = 'sample-advertising';
const OPENING = 50_000;
/** Before the first day that was recorded. */
const CREATED = [SAMPLE_DAYS + 1, '08:00'] as const;

const campaignsStep = (payment: PaymentProvider): SeedStep => ({
  fill: async (held) => {
    const { db, work } = held;
    const currency = (await findAccount(db, STORE_ACCOUNT))?.currency;
    if (currency === undefined) throw new WorkFailure('The store has no account: start the server once');
    const opening = { amount: OPENING, currency };
    await openAccountAs(db, actOfSeed(held), { id: ACCOUNT, owner: null, name: 'Sample advertising', opening });
    for (const [key, name] of Object.entries(sampleAdvertisers))
      await addAdvertiser(
        db,
        { id: sampleId(held, key), name, owner: work.owner },
        momentBefore(work.created_at, CREATED),
      );
    for (const campaign of sampleCampaigns) await addCampaign(held, payment, campaign, currency);
    return (session) => startWithFlights(held, session);
  },
  takeBack: async (held) => {
    await removeCampaigns(held, payment);
    return { write: (session) => removeAdvertisers(held, session) };
  },
});

/** Repeatable: each call has an id of its own. */
async function addCampaign(
  held: HeldWork,
  payment: PaymentProvider,
  campaign: SampleCampaign,
  currency: string,
): Promise<void> {
  const { db, work, now } = held;
  const { key, name, priceModel, price, budget, pacing, caps = [], days } = campaign;
  const created = momentBefore(work.created_at, CREATED);
  const id = sampleId(held, key);
  const advertiser = { _id: sampleId(held, campaign.advertiser), owner: work.owner } as AdvertiserDocument;
  const fields = {
    name,
    priceModel,
    price: { amount: price, currency },
    budget: { amount: budget, currency },
    flight: { from: created, to: new Date(work.created_at.getTime() + days * DAY_MS) },
    pacing,
    caps,
    placements: campaign.zones.map((zone) => ({ site: SAMPLE_AD_SITE, zone })),
  };
  await createCampaign(db, unkeyed(id, created), { advertiser, account: ACCOUNT, currency, fields }, created);
  for (const [index, unit] of campaign.units.entries()) {
    const content = requireContent(await inputOf(held, unit, unitKey(campaign, index), currency), currency);
    const wish = { campaignId: id, content, by: work.owner ?? '' };
    notRefused(await addAdUnit(db, unkeyed(sampleId(held, unitKey(campaign, index)), created), wish, created));
  }
  if (campaign.becomes === 'DRAFT') return;
  notRefused(await startCampaign(db, payment, { attempt: unkeyed(sampleId(held, `${key} start`), now()), id }, now()));
}

/** They are paid now, but have run since their flights began, as their statistics have it. */
async function startWithFlights(held: HeldWork, session: ClientSession): Promise<void> {
  const u = [{ $set: { started_at: '$flight.from' } }];
  const ids = sampleCampaigns.filter(({ becomes }) => becomes !== 'DRAFT').map(({ key }) => sampleId(held, key));
  const statements = ids.map((_id) => ({ q: { _id }, u, upsert: false })); // guard: the transaction that records the step
  await updateInTransaction(held.db, campaigns.collectionName, statements, session);
}

async function inputOf(held: HeldWork, unit: SampleUnit, name: string, currency: string) {
  const { size, headline, text, html, picture, landingUrl, keywords = {} } = unit;
  const image = picture && (await storeSamplePicture(held, name, picture));
  const bids = Object.entries(keywords).map(([keyword, amount]) => ({ keyword, bid: { amount, currency } }));
  return { size, headline, text, html, landingUrl, keywords: bids, imageId: image && toGlobalId('Asset', image) };
}

const dayStep = (payment: PaymentProvider, day: number): SeedStep => ({
  fill: async (held) => (session) => addDay(held, session, day),
  takeBack: async (held) => {
    await removeCampaigns(held, payment); // first: while it is there, its statistics are the numbers of receipts
    return { write: (session) => removeReceipts(held, session, day) };
  },
});

const endStep = (payment: PaymentProvider): SeedStep => ({
  fill: async (held) => {
    const { db, now } = held;
    for (const { key, becomes } of sampleCampaigns) {
      const id = sampleId(held, key);
      if (becomes === 'PAUSED') notRefused(await pauseCampaign(db, id, now()));
      if (becomes === 'ENDED') notRefused(await endCampaign(db, payment, { id, by: 'HAND' }, now()));
      if (becomes === 'RUNNING') await beginPace(db, id, now());
    }
    return undefined;
  },
  takeBack: async (held) => {
    await removeCampaigns(held, payment);
    return {};
  },
});

/** Until now, its pace has taken what a week has spent for what was spent since it entered the zones. */
async function beginPace(db: Db, id: string, now: Date): Promise<void> {
  await campaigns(db).updateOne({ _id: id }, { $unset: { paced: '' } }); // guard: without a pace, the next placement begins one
  await refreshZonesOrLater(db, id, now);
}

/** Repeatable calls are refused only if somebody has changed what an earlier step has added. @throws WorkFailure */
function notRefused<T extends object>(outcome: T): Exclude<T, { readonly __typename: string }> {
  if ('__typename' in outcome && 'message' in outcome) throw new WorkFailure(String(outcome.message));
  return outcome as Exclude<T, { readonly __typename: string }>;
}
