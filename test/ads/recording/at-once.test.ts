/**
 * Many deciders and recorders at the same time, with small budgets and tight caps: nothing is overspent, no cap is exceeded, and every
 * acknowledged receipt is counted once. A failed run prints its seed and a short counterexample.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adUnits } from '../../../src/models/ads/campaigns/ad-unit.js';
import { type CampaignDocument, campaigns } from '../../../src/models/ads/campaigns/campaign.js';
import type { EventKind } from '../../../src/models/ads/decisions/receipt.js';
import { profiles } from '../../../src/models/ads/profiles/ad-profile.js';
import { RECEIPT_LETTERS, recordedReceipts } from '../../../src/models/ads/recording/recorded-receipt.js';
import { HOUR_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { emptyNetwork, expectNoAdViolations, minutesLater, type Network, openNetwork } from '../network.js';

const database = useDatabase({ checked: false });

const AT_ONCE = 64;
const RUNS = 6;
const TIMEOUT_MS = 180_000;
/** Of the campaigns that end while others decide. */
const ENDS = 10;
const DECIDERS = 16;
const REWRITERS = 2;
const OTHERS = 4;
const FLOORS = 10;

const plan = fc.record({
  /** Thousandths of a minor unit for an impression. */
  prices: fc.array(fc.integer({ min: 200, max: 3000 }), { minLength: 2, maxLength: 4 }),
  /** Minor units for a click. */
  clickPrices: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 2 }),
  /** Minor units. */
  budget: fc.integer({ min: 3, max: 25 }),
  /** Null: without. */
  cap: fc.option(fc.integer({ min: 1, max: 4 }), { nil: null }),
  scope: fc.constantFrom('CAMPAIGN', 'AD_UNIT'),
  visitors: fc.integer({ min: 1, max: 6 }),
  /** How often each receipt is sent. */
  sent: fc.integer({ min: 1, max: 3 }),
  /** Whether a campaign is ended by hand meanwhile. */
  isEnded: fc.boolean(),
});
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

async function run({ prices, clickPrices, budget, cap, scope, visitors, sent, isEnded }: Plan): Promise<void> {
  const { db } = database;
  await emptyNetwork(db);
  const network = await openNetwork(db);
  await network.zone('top', { design: 'CAPPED' });
  const caps = cap === null ? [] : [{ scope, count: cap, period: { ms: HOUR_MS } } as const];
  const started = [];
  for (const price of prices) started.push(await network.run({ price, budget, caps, units: [{}, {}] }));
  for (const price of clickPrices) started.push(await network.run({ priceModel: 'CPC', price, budget, caps }));
  const recorders = [network.recorder, network.openRecorder()]; // in one process, each with groups of its own
  const people = Array.from({ length: visitors }, () => network.visitor());

  const counted = { IMPRESSION: 0, CLICK: 0, CONVERSION: 0 };
  await Promise.all([
    ...Array.from({ length: AT_ONCE }, async (_, caller) => {
      const visitor = people[caller % people.length];
      const { ads } = await network.decide({ visitor, count: 3 });
      const receipts = ads.map(({ receipt }) => receipt);
      const send = async (kind: EventKind) => {
        const answers = await Promise.all(
          Array.from({ length: sent }, (_send, time) =>
            network.record(receipts, kind, undefined, recorders[(caller + time) % recorders.length]),
          ),
        );
        const recorded = answers.reduce((sum, answer) => sum + answer.recorded, 0);
        expect(recorded).toBeLessThanOrEqual(receipts.length);
        for (const answer of answers)
          expect(answer.recorded + answer.repeated + answer.rejected.length).toBe(receipts.length);
        counted[kind] += recorded;
      };
      // A third is seen only, a third is seen and clicked at the same time, and of a third only the clicks are sent. Conversions come
      // meanwhile, of which some are too early, and afterwards.
      const events = [caller % 3 < 2 && send('IMPRESSION'), caller % 3 > 0 && send('CLICK'), send('CONVERSION')];
      await Promise.all(events);
      await send('CONVERSION');
    }),
    isEnded && started[0] ? network.end(started[0]) : null,
  ]);
  for (const recorder of recorders) await recorder.close();
  await network.recover(minutesLater(5));
  await judge(network, counted, cap, scope);
}

type Counted = Readonly<Record<EventKind, number>>;

async function judge(network: Network, acknowledged: Counted, cap: number | null, scope: string): Promise<void> {
  const { db } = database;
  const ids = (await recordedReceipts(db).find().toArray()).map(({ _id }) => _id);
  const of = (kind: keyof typeof RECEIPT_LETTERS) => ids.filter((id) => id.endsWith(RECEIPT_LETTERS[kind]));
  const [seen, clicks, conversions] = [of('impressions'), of('clicks'), of('conversions')];
  expect(seen.length).toBeGreaterThanOrEqual(acknowledged.IMPRESSION); // clicks count theirs as well
  expect(clicks).toHaveLength(acknowledged.CLICK);
  expect(conversions).toHaveLength(acknowledged.CONVERSION);
  const impressions = new Set(seen.map((id) => id.slice(0, -1)));
  for (const id of [...clicks, ...conversions]) expect(impressions).toContain(id.slice(0, -1));
  expect(conversions).toHaveLength(seen.length); // each caller has asked once more after what was seen
  for (const unit of await adUnits(db).find().toArray()) expect(unit.clicks).toBeLessThanOrEqual(unit.impressions);
  for (const { paid, spent } of await campaigns(db).find().toArray()) expect(spent).toBeLessThanOrEqual(paid * 1000);
  if (cap !== null)
    for (const { units } of await profiles(db).find().toArray()) {
      const seen = new Map<string, number>();
      for (const [unit, { campaign_id, impressions }] of Object.entries(units)) {
        const key = scope === 'CAMPAIGN' ? campaign_id : unit;
        seen.set(key, (seen.get(key) ?? 0) + impressions.length);
      }
      expect(Math.max(0, ...seen.values())).toBeLessThanOrEqual(cap);
    }
  for (const campaign of await campaigns(db).find({ state: 'ENDED' }).toArray()) {
    expect(campaign.closing).toBeUndefined();
    expect(campaign.refunded).toBe(campaign.paid - Math.ceil(campaign.spent / 1000));
  }
  const paid = (await campaigns(db).find().toArray()).reduce((sum, each) => sum + each.paid - each.refunded, 0);
  expect(await network.balance()).toBe(1_000_000 - paid);
  await expectNoAdViolations(db);
}

describe(`${AT_ONCE} callers at once, and two recorders in one process`, () => {
  it('overspend nothing, exceed no cap, and count each acknowledged receipt once', {
    timeout: TIMEOUT_MS,
  }, async () => {
    await fc.assert(fc.asyncProperty(plan, run), { numRuns: RUNS, endOnFailure: true });
  });
});

/** Whether each decision showed the campaign, by when the decision began: before its end was asked for, before this was answered, or later. */
type Shown = Record<'before' | 'during' | 'after', boolean[]>;

/** Ends a campaign while callers decide without a pause, and its zone is saved and filled again and again. */
async function watchEnd(network: Network, campaign: CampaignDocument): Promise<Shown> {
  const shown: Shown = { before: [], during: [], after: [] };
  let phase: keyof Shown = 'before';
  let isOver = false;
  const decide = async () => {
    const began = phase;
    const { ads } = await network.decide();
    shown[began].push(ads.some(({ ad }) => ad.campaign_id === campaign._id));
  };
  const decideAtOnce = () => Promise.all(Array.from({ length: DECIDERS }, decide));
  const decideOnAndOn = async () => {
    while (!isOver) await decide();
  };
  // Begins before the end is asked for: so a zone is often being filled when the campaign ends. The last time is finished after the answer.
  const rewrite = async () => {
    for (let floor = 0; phase !== 'after'; floor = (floor + 1) % FLOORS) await network.zone('top', { floor });
  };
  const end = async () => {
    await decideAtOnce();
    phase = 'during';
    await network.end(campaign).finally(() => {
      phase = 'after';
    });
  };
  const acts = Promise.all([end(), ...Array.from({ length: REWRITERS }, rewrite)]).finally(() => {
    isOver = true;
  });
  await Promise.all([acts, ...Array.from({ length: DECIDERS }, decideOnAndOn)]);
  await decideAtOnce();
  return shown;
}

describe(`${DECIDERS} deciders at once`, () => {
  it('show no ad of a campaign after its end has been answered, while its zone is rewritten', {
    timeout: TIMEOUT_MS,
  }, async () => {
    await emptyNetwork(database.db);
    const network = await openNetwork(database.db);
    await network.zone('top');
    // With others in the zone, filling it takes longer: the campaign is often listed before its end, and its turn comes after.
    for (let other = 0; other < OTHERS; other += 1) await network.run({ price: 800 });
    for (let round = 0; round < ENDS; round += 1) {
      const { before, during, after } = await watchEnd(network, await network.run({ price: 900 }));
      expect(before.length).toBeGreaterThanOrEqual(DECIDERS);
      expect(before).not.toContain(false);
      expect(during.length).toBeGreaterThanOrEqual(DECIDERS);
      expect(after.length).toBeGreaterThanOrEqual(DECIDERS);
      expect(after).not.toContain(true);
    }
    await network.decider.tally.close();
    await expectNoAdViolations(database.db);
  });
});
