/** An advertising network for tests: a site, zones, advertisers with money, and visitors. */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { unkeyed } from '../../src/database/index.js';
import { type AdvertiserDocument, addAdvertiser } from '../../src/models/ads/advertisers/advertiser.js';
import type { AdUnitDocument } from '../../src/models/ads/campaigns/ad-unit.js';
import { type AdUnitInput, addAdUnit, requireContent } from '../../src/models/ads/campaigns/ad-unit-change.js';
import { type CampaignDocument, findCampaign } from '../../src/models/ads/campaigns/campaign.js';
import { changeCampaign, createCampaign } from '../../src/models/ads/campaigns/campaign-change.js';
import { closeCampaign, endCampaign } from '../../src/models/ads/campaigns/campaign-end.js';
import type { CampaignChanges, CampaignInput } from '../../src/models/ads/campaigns/campaign-input.js';
import { startCampaign } from '../../src/models/ads/campaigns/campaign-payment.js';
import { fillZone, refreshZonesOrLater } from '../../src/models/ads/campaigns/placement.js';
import { AdSigner } from '../../src/models/ads/decisions/ad-signer.js';
import { type Decider, type DecisionInput, decideAds } from '../../src/models/ads/decisions/decision.js';
import { DecisionTally } from '../../src/models/ads/decisions/decision-tally.js';
import { MinuteCount } from '../../src/models/ads/decisions/minute-count.js';
import type { EventKind } from '../../src/models/ads/decisions/receipt.js';
import { adsDomain } from '../../src/models/ads/domain.js';
import { AdRecorder } from '../../src/models/ads/recording/ad-recorder.js';
import { recordReceipts } from '../../src/models/ads/recording/recording.js';
import { findZone, saveZone, type ZoneInput } from '../../src/models/ads/zones/zone.js';
import { ZoneCache } from '../../src/models/ads/zones/zone-cache.js';
import { sites } from '../../src/models/analytics/sites/site.js';
import { findAccount, openAccount } from '../../src/models/commerce/money/account.js';
import { payByTransfer } from '../../src/models/commerce/money/payment.js';
import { openStore } from '../../src/models/commerce/store.js';
import { workersWith } from '../../src/models/domain.js';
import { recover } from '../../src/models/recovery.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/shared/time.js';

/** Ahead of real time, because MongoDB removes expired documents once a minute, which must not affect a test. */
const NOW = new Date('2126-01-31T12:10:00Z');
export const now = NOW;
export const minutesLater = (minutes: number) => new Date(now.getTime() + minutes * MINUTE_MS);
export const euros = (amount: number) => ({ amount, currency: 'EUR' });

export const SITE = 'example.org';
export const SIZE = '300x250';

/** Empties the collections. */
export async function emptyNetwork(db: Db): Promise<void> {
  const names = ['advertisers', 'campaigns', 'units', 'zones', 'profiles', 'receipts', 'stats'].map(
    (name) => `ad.${name}`,
  );
  for (const name of [...names, 'sites', 'products', 'accounts', 'transactions', 'audit', 'leases'])
    await db.collection(name).deleteMany({});
}

const rules = { currency: 'EUR', cartIdleMs: 30 * MINUTE_MS, recoverAfterMs: MINUTE_MS, keepAnswersMs: 24 * HOUR_MS };

/** What a test changes of a campaign with one ad unit. */
export type CampaignWish = Partial<Omit<CampaignInput, 'price' | 'budget'>> & {
  readonly price?: number;
  readonly budget?: number;
  readonly units?: readonly Partial<AdUnitInput>[];
};

/** @param random of the decisions @param now when all is done that names no other time */
export async function openNetwork(db: Db, { random = Math.random, now = NOW, clock = () => now } = {}) {
  await openStore(db, rules, now);
  await sites(db).insertOne({ _id: SITE, allowed_origins: [`https://${SITE}`], created_at: now });
  const payment = payByTransfer(db);
  const owner = randomUUID();
  const advertiser = await addAdvertiser(db, { id: randomUUID(), name: 'Anna’s', owner }, now);
  const account = await openAccount(db, { id: randomUUID(), owner, opening: euros(1_000_000) }, now);
  const signer = await AdSigner.open(db);
  const fail = (error: unknown) => {
    throw error;
  };
  // A tally that nobody closes may store when the test's database is closed already. Tests of the counts find out if it fails.
  const decider: Decider = {
    signer,
    zones: new ZoneCache(db),
    tally: new DecisionTally(db, () => undefined),
    shown: new MinuteCount(),
    random,
  };
  const openRecorder = () =>
    new AdRecorder({
      db,
      now: clock,
      waitingMax: 20_000,
      shown: decider.shown,
      onUsedUp: (id) => closeCampaign(db, payment, id, clock()).catch(fail),
      onBidUsedUp: (id) => refreshZonesOrLater(db, id, clock()).catch(fail),
    });
  const recorder = openRecorder();

  const network = {
    payment,
    advertiser,
    account,
    signer,
    decider,
    recorder,
    openRecorder,
    async zone(zone: string, input: Partial<ZoneInput> = {}, at = now) {
      const saved = await saveZone(db, { site: SITE, zone, size: SIZE, design: 'BASIC', floor: 0, ...input }, at);
      if ('__typename' in saved) throw new Error(saved.message);
      await fillZone(db, saved._id, at);
      return saved;
    },
    adsOf: async (zone: string) => (await findZone(db, `${SITE}/${zone}`))?.ads ?? [],
    /** A draft with its units, which wants to be in the zone `top` unless it names others. */
    async draft(wish: CampaignWish = {}, by: AdvertiserDocument = advertiser): Promise<CampaignDocument> {
      const { units = [{}], price = 500, budget = 10_000, ...fields } = wish;
      const input: CampaignInput = {
        name: 'A campaign',
        priceModel: 'CPM',
        flight: { from: now, to: new Date(now.getTime() + 10 * DAY_MS) },
        pacing: 'ASAP',
        caps: [],
        placements: [{ site: SITE, zone: 'top' }],
        ...fields,
        price: euros(price),
        budget: euros(budget),
      };
      const whole = { advertiser: by, account: account._id, currency: 'EUR', fields: input };
      const created = await createCampaign(db, unkeyed(randomUUID(), new Date()), whole, now);
      for (const unit of units) await network.unit(created, unit);
      return created;
    },
    async unit(
      { _id: campaignId }: Pick<CampaignDocument, '_id'>,
      input: Partial<AdUnitInput> = {},
    ): Promise<AdUnitDocument> {
      const whole = { size: SIZE, headline: 'An ad', landingUrl: 'https://anna.example/', keywords: [], ...input };
      const content = requireContent(whole, 'EUR');
      const unit = await addAdUnit(db, unkeyed(randomUUID(), new Date()), { campaignId, content, by: owner }, now);
      if ('__typename' in unit) throw new Error(unit.message);
      return unit;
    },
    start: (campaign: Pick<CampaignDocument, '_id'>, call: string = randomUUID(), at = now) =>
      startCampaign(db, payment, { attempt: unkeyed(call, new Date()), id: campaign._id }, at),
    /** A campaign that runs. */
    async run(wish: CampaignWish = {}, by?: AdvertiserDocument): Promise<CampaignDocument> {
      const started = await network.start(await network.draft(wish, by));
      if ('__typename' in started) throw new Error(started.message);
      return started;
    },
    change: ({ _id: id }: Pick<CampaignDocument, '_id'>, changes: CampaignChanges, at = now) =>
      changeCampaign(
        db,
        payment,
        { attempt: unkeyed(randomUUID(), new Date()), id, changes, currency: 'EUR', entryOf: () => undefined },
        at,
      ),
    end: (campaign: Pick<CampaignDocument, '_id'>, at = now) =>
      endCampaign(db, payment, { id: campaign._id, by: 'HAND' }, at),
    campaign: async ({ _id }: Pick<CampaignDocument, '_id'>) => {
      const found = await findCampaign(db, _id);
      if (!found) throw new Error('There is no such campaign');
      return found;
    },
    decide: (input: Partial<DecisionInput> = {}, at = now) =>
      decideAds(db, decider, { site: SITE, zone: 'top', keywords: [], count: 1, ...input }, at),
    /** The id of a visitor whom the network knows. */
    visitor: () => signer.sign('visitor', randomUUID()),
    record: (receipts: readonly string[], kind: EventKind = 'IMPRESSION', at = now, by = recorder) =>
      recordReceipts(
        { db, signer, recorder: by },
        { kind, receipts, durability: 'MAJORITY', isPrivate: false, now: at },
      ),
    balance: async () => (await findAccount(db, account._id))?.balance,
    /** Runs the workers at a given time. */
    async recover(at: Date): Promise<void> {
      const ads = { decider, recorder, payment, recoverAfterMs: MINUTE_MS };
      for (const worker of workersWith(adsDomain, { ads })) await recover(db, worker, { now: at });
    },
  };
  return network;
}

export type Network = Awaited<ReturnType<typeof openNetwork>>;

export async function expectNoAdViolations(db: Db): Promise<void> {
  const violations: object[] = [];
  for (const check of adsDomain.invariantChecks)
    for await (const violation of check.find(db, async () => undefined)) violations.push(violation);
  expect(violations).toEqual([]);
}

/** A campaign that was not refused. */
export function campaignOf<T extends object>(outcome: T): Extract<T, CampaignDocument> {
  if ('price_model' in outcome) return outcome as Extract<T, CampaignDocument>;
  throw new Error(`Refused: ${JSON.stringify(outcome)}`);
}
