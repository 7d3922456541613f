/** Campaigns that start, change and end while the process dies: paid and paid back once, and the zones show what is stored. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import type { Product } from '../../../harness/product.js';
import { waitFor } from '../../../harness/wait-for.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { outcomeOf } from '../../commerce/crash-shop.js';
import type { Scenario } from '../../crash/scenario.js';
import { callJobs, letTimePass, letWorkersRun } from '../../crash/workers.js';
import {
  campaignId,
  expectBalance,
  expectDeath,
  KEY,
  type Prepared,
  prepareCampaign,
  prepareDraft,
  prepareNetwork,
  pricesInZone,
  storedCampaign,
} from '../crash-network.js';
import { SITE, SIZE } from '../network.js';

const ERASURE_MS = 120_000; // two runs of the recovery

const start = (seen: Prepared) => `startCampaign(id: "${campaignId(seen)}", idempotencyKey: "${KEY}") { __typename }`;
const end = (seen: Prepared) => `endCampaign(id: "${campaignId(seen)}") { __typename }`;

/** @returns what was prepared, after a mutation during which the process died */
const dyingIn =
  (prepare: (db: Db) => Promise<Prepared>, mutation: (seen: Prepared) => string) =>
  async (product: Product, db: Db): Promise<Prepared> => {
    const seen = await prepare(db);
    await expectDeath(product, mutation(seen));
    return seen;
  };

/** The advertiser retries the call with its key. */
export const startRepeated: Scenario<Prepared> = {
  failpoints: {
    'campaign.payment-intended': 1,
    'campaign.paid': 1,
    'campaign.payment-recorded': 1,
    'campaign.running': 1,
  },
  environment: { RECOVER_AFTER_SECONDS: '86400' }, // the workers leave it to the retry
  act: dyingIn(prepareDraft, start),
  async judge(product, db, seen) {
    await letTimePass(db);
    expect(await outcomeOf(product, start(seen))).toEqual({ __typename: 'Campaign' });
    expect(await storedCampaign(db, seen)).toMatchObject({ state: 'RUNNING', paid: 10_000, is_placed: true });
    expect(await pricesInZone(db)).toEqual([500]);
    await expectBalance(db, 990_000);
    const trail = db.collection('audit').find({ action: 'CAMPAIGN_PAID' });
    expect(await trail.toArray()).toEqual([expect.objectContaining({ detail: '10000 EUR' })]);
  },
};

/** Nobody retries it: the payment's record decides. */
export const startRecovered: Scenario<Prepared> = {
  failpoints: { 'campaign.payment-recovered': 1, 'campaign.refreshed': 1 },
  async leave(db) {
    const seen = await prepareDraft(db);
    const payment = { call: 'a call', amount: 10_000, at: new Date(0) };
    await db
      .collection<{ _id: string }>('ad.campaigns')
      .updateOne({ _id: seen.campaign }, { $set: { payment, is_stale: true } });
    return seen;
  },
  async judge(_product, db, seen) {
    await letWorkersRun(db);
    const stored = await storedCampaign(db, seen);
    expect(stored).toMatchObject({ state: 'DRAFT', paid: 0 });
    expect(stored).not.toHaveProperty('payment');
    expect(stored).not.toHaveProperty('is_stale');
    await expectBalance(db, 1_000_000);
  },
};

/** The account has too little money. */
export const startDeclined: Scenario<Prepared> = {
  failpoints: { 'campaign.payment-declined': 1 },
  act: dyingIn((db) => prepareDraft(db, { budget: 2_000_000 }), start),
  async judge(product, db, seen) {
    await letWorkersRun(db);
    await letTimePass(db);
    expect(await outcomeOf(product, start(seen))).toEqual({ __typename: 'PaymentDeclined' });
    expect(await storedCampaign(db, seen)).toMatchObject({ state: 'DRAFT', paid: 0 });
    await expectBalance(db, 1_000_000);
  },
};

export const campaignEnded: Scenario<Prepared> = {
  failpoints: { 'campaign.ended': 1, 'campaign.pulled': 1, 'campaign.refunded': 1 },
  act: dyingIn(prepareCampaign, end),
  async judge(product, db, seen) {
    await letWorkersRun(db);
    expect(await storedCampaign(db, seen)).toMatchObject({ state: 'ENDED', ended_by: 'HAND', refunded: 10_000 });
    expect(await storedCampaign(db, seen)).not.toHaveProperty('closing');
    expect(await pricesInZone(db)).toEqual([]);
    expect(await outcomeOf(product, end(seen))).toEqual({ __typename: 'Campaign' });
    await expectBalance(db, 1_000_000);
  },
};

/** A worker that dies while it finishes the end of a campaign, and fills a zone. */
export const campaignWorker: Scenario<Prepared> = {
  failpoints: { 'campaign.closed': 1, 'zone.filled': 1 },
  async leave(db) {
    const seen = await prepareCampaign(db);
    const closing = { at: new Date(0), declined: 0 };
    const ended = { state: 'ENDED', ended_by: 'BUDGET', ended_at: new Date(), closing };
    await db.collection<{ _id: string }>('ad.campaigns').updateOne({ _id: seen.campaign }, { $set: ended });
    await db.collection<{ _id: string }>('ad.zones').updateOne({ _id: `${SITE}/top` }, { $set: { is_new: true } });
    return seen;
  },
  async judge(_product, db, seen) {
    await letWorkersRun(db);
    expect(await storedCampaign(db, seen)).toMatchObject({ state: 'ENDED', refunded: 10_000 });
    expect(await pricesInZone(db)).toEqual([]);
    await expectBalance(db, 1_000_000);
  },
};

/** Empty once the campaign is disowned. */
const ownerOf = async (db: Db, { campaign }: Prepared): Promise<string> =>
  (await db.collection<{ _id: string; owner: string | null }>('ad.campaigns').findOne({ _id: campaign }))?.owner ?? '';

/** The account of its owner was deleted: whoever goes on ends it and pays it back. */
export const ownerErased: Scenario<Prepared> = {
  failpoints: { 'erasure.campaign-ended': 1 },
  async leave(db) {
    const seen = await prepareCampaign(db);
    const owner = await ownerOf(db, seen);
    const erasures = db.collection<{ _id: string; requested_at: Date }>('people.erasures');
    await erasures.insertOne({ _id: owner, requested_at: new Date(Date.now() - 3_600_000) });
    return seen;
  },
  async judge(_product, db, seen) {
    await waitFor('the erasure', ERASURE_MS, async () => (await ownerOf(db, seen)) === '' || null);
    expect(await storedCampaign(db, seen)).toMatchObject({ state: 'ENDED', refunded: 10_000 });
    expect(await pricesInZone(db)).toEqual([]);
    await expectBalance(db, 1_000_000);
  },
};

const raise = (seen: Prepared) =>
  `changeCampaign(id: "${campaignId(seen)}", changes: { budget: { amount: 15000, currency: "EUR" }, price: { amount: 700, currency: "EUR" } }, idempotencyKey: "${KEY}") { __typename }`;

/** The advertiser retries it: the difference is paid once. */
export const budgetRaised: Scenario<Prepared> = {
  failpoints: { 'campaign.budget-raised': 1, 'campaign.changed': 1 },
  act: dyingIn(prepareCampaign, raise),
  async judge(product, db, seen) {
    await letTimePass(db);
    expect(await outcomeOf(product, raise(seen))).toEqual({ __typename: 'Campaign' });
    expect(await storedCampaign(db, seen)).toMatchObject({ budget: 15_000, paid: 15_000, price: 700 });
    expect(await pricesInZone(db)).toEqual([700]);
    await expectBalance(db, 985_000);
  },
};

/** Nobody retries it: what is stored is shown. */
export const campaignPaused: Scenario<Prepared> = {
  failpoints: { 'campaign.paused': 1 },
  act: dyingIn(prepareCampaign, (seen) => `pauseCampaign(id: "${campaignId(seen)}") { __typename }`),
  async judge(_product, db, seen) {
    await letWorkersRun(db);
    expect(await storedCampaign(db, seen)).toMatchObject({ state: 'PAUSED', is_placed: false });
    expect(await pricesInZone(db)).toEqual([]);
  },
};

export const campaignResumed: Scenario<Prepared> = {
  failpoints: { 'campaign.resumed': 1 },
  act: dyingIn(async (db) => {
    const seen = await prepareCampaign(db);
    await db
      .collection<{ _id: string }>('ad.campaigns')
      .updateOne({ _id: seen.campaign }, { $set: { state: 'PAUSED', is_placed: false } });
    await db.collection<{ _id: string }>('ad.zones').updateOne({ _id: `${SITE}/top` }, { $set: { ads: [] } });
    return seen;
  }, start),
  async judge(_product, db, seen) {
    await letWorkersRun(db);
    expect(await storedCampaign(db, seen)).toMatchObject({ state: 'RUNNING', is_placed: true });
    expect(await pricesInZone(db)).toEqual([500]);
    await expectBalance(db, 990_000);
  },
};

const input = `{ size: "${SIZE}", headline: "Another", landingUrl: "https://anna.example/", keywords: [] }`;

/** The zones follow a change of an ad unit, whoever finishes it. */
export const unitAdded: Scenario<Prepared> = {
  failpoints: { 'ad-unit.added': 1 },
  act: dyingIn(
    prepareCampaign,
    (seen) => `addAdUnit(campaignId: "${campaignId(seen)}", input: ${input}) { __typename }`,
  ),
  async judge(_product, db) {
    await letWorkersRun(db);
    expect(await pricesInZone(db)).toEqual([500, 500]);
  },
};

const unitIn = async (db: Db): Promise<string> =>
  toGlobalId('AdUnit', (await db.collection<{ _id: string }>('ad.units').findOne())?._id ?? '');

export const unitChanged: Scenario<void> = {
  failpoints: { 'ad-unit.changed': 1 },
  async act(product, db) {
    await prepareCampaign(db);
    await expectDeath(product, `changeAdUnit(id: "${await unitIn(db)}", input: ${input}) { __typename }`);
  },
  async judge(_product, db) {
    await letWorkersRun(db);
    expect(await db.collection('ad.zones').findOne()).toMatchObject({ ads: [{ headline: 'Another' }] });
  },
};

export const unitRemoved: Scenario<void> = {
  failpoints: { 'ad-unit.removed': 1 },
  async act(product, db) {
    await prepareCampaign(db);
    await expectDeath(product, `removeAdUnit(id: "${await unitIn(db)}") { __typename }`);
  },
  async judge(_product, db) {
    await letWorkersRun(db);
    expect(await pricesInZone(db)).toEqual([]);
  },
};

/** Campaigns wait for a zone: it is filled, whoever finishes it. */
export const zoneSaved: Scenario<void> = {
  failpoints: { 'zone.saved': 1, 'zone.campaign-placed': 1 },
  async act(product, db) {
    const network = await prepareNetwork(db);
    await network.run({ placements: [{ site: SITE, zone: 'later' }] });
    await network.run({ placements: [{ site: SITE, zone: 'later' }], price: 600 });
    await expectDeath(product, `saveZone(input: { site: "${SITE}", zone: "later", size: "${SIZE}" }) { __typename }`);
  },
  async judge(_product, db) {
    await letWorkersRun(db);
    expect(await pricesInZone(db, 'later')).toEqual([600, 500]);
  },
};

const LOOK_MS = 50;

/** The jobs of each minute die: those of another server continue. */
export const minuteJobs: Scenario<Prepared> = {
  failpoints: { 'campaign.flight-ended': 1, 'campaign.paced': 2, 'campaign.adjusted': 1 },
  async act(product, db) {
    const network = await prepareNetwork(db);
    const over = await network.run();
    const other = await network.run();
    await network.run();
    await network.run();
    const flight = { from: new Date(Date.now() - 2000), to: new Date(Date.now() - 1000) };
    const both = { _id: { $in: [over._id, other._id] } };
    await db.collection<{ _id: string }>('ad.campaigns').updateMany(both, { $set: { flight } });
    await db.collection('ad.campaigns').updateMany({}, { $set: { is_placed: false } }); // so that they are placed again
    await callJobs(db, product);
    return { campaign: other._id, receipts: [] };
  },
  async judge(_product, db) {
    const running = () => db.collection('ad.campaigns').countDocuments({ state: 'RUNNING' });
    while ((await running()) > 2) await new Promise((resolve) => setTimeout(resolve, LOOK_MS)); // a fresh server's jobs
    await letWorkersRun(db);
    expect(await pricesInZone(db)).toEqual([500, 500]);
    await expectBalance(db, 980_000);
  },
};
