/**
 * Callers who get ads, record them and click on some at two servers, while the servers are killed in turn, or the database is. Each receipt
 * is sent until it is answered, to whichever server runs. Budgets are small and caps are tight. During each blow, a campaign is ended by
 * hand. Moments are chosen by a seed and counted in responses.
 */
import { type Db, MongoClient } from 'mongodb';
import { expect } from 'vitest';
import { makeRandom, type Random } from '../../harness/random.js';
import { type ReplicaSet, startReplicaSet } from '../../harness/replica-set.js';
import type { AdSigner } from '../../src/models/ads/decisions/ad-signer.js';
import { openReceipt, type Receipt } from '../../src/models/ads/decisions/receipt.js';
import type { ProfileDocument } from '../../src/models/ads/profiles/ad-profile.js';
import { CONTACTS_MAX } from '../../src/models/ads/profiles/frequency-cap.js';
import { findCounts, subjectOf } from '../../src/models/ads/stats/ad-stats.js';
import { slotOf } from '../../src/models/analytics/hits/hit-slot.js';
import { toGlobalId } from '../../src/shared/global-id.js';
import { DAY_MS, HOUR_MS } from '../../src/shared/time.js';
import { expectNoAdViolations, openNetwork, SITE } from '../ads/network.js';
import { killPrimary, restartDatabase } from './database-blows.js';
import { violationsOf } from './invariants.js';
import { answerOrNull } from './scenario.js';
import { Servers } from './servers.js';
import { letWorkersRun } from './workers.js';

const CALLERS = 64;
const ANSWERS_BETWEEN = 150;
const VISITORS = 20;
const CAP = 4;
const PRICES = [900, 700, 500, 300];
/** Minor units: 40 to 130 impressions. */
const BUDGET = 40;
/** Minor units for a click, which is worth more than the impressions of the others. The budget is that of ten. */
const CLICK_PRICE = 200;
/** One impression of so many is clicked. */
const IMPRESSIONS_PER_CLICK = 3;
/** One click of so many leads to a conversion. */
const CLICKS_PER_CONVERSION = 2;
/** Of a conversion, in minor units. */
const VALUE = 7;

const DECIDE = `query ($visitor: String) { decideAds(site: "${SITE}", zone: "top", visitor: $visitor) { ads { receipt } } }`;
const record = (field: 'recordImpressions' | 'recordClicks') => `mutation ($receipts: [String!]!) {
  outcome: ${field}(receipts: $receipts) { recorded repeated rejected { code } }
}`;
const IMPRESSION = record('recordImpressions');
const CLICK = record('recordClicks');
const CONVERSION = `mutation ($receipt: String!) {
  outcome: recordConversion(receipt: $receipt, value: { amount: ${VALUE}, currency: "EUR" }) {
    recorded repeated rejected { code }
  }
}`;
const END = 'mutation ($id: ID!) { endCampaign(id: $id) { __typename ... on Campaign { state endedBy } } }';

interface Outcome {
  readonly recorded: number;
  readonly repeated: number;
  readonly rejected: readonly { readonly code: string }[];
}

/** What the callers know. */
class Ledger {
  answers = 0;
  /** Receipts that were counted as impressions, as an answer says. */
  readonly shown = new Set<string>();
  /** The same, as clicks. */
  readonly clicked = new Set<string>();
  /** The same, as conversions. */
  readonly converted = new Set<string>();
  /** Campaigns whose end by hand was answered. */
  readonly ended = new Set<string>();
}

class Caller {
  #hasStopped = false;
  readonly #ended: Promise<void>;

  constructor(
    private readonly servers: Servers,
    private readonly random: Random,
    private readonly ledger: Ledger,
    private readonly signer: AdSigner,
    private readonly visitors: readonly string[],
  ) {
    this.#ended = this.#work();
  }

  async #work(): Promise<void> {
    while (!this.#hasStopped) {
      const visitor = this.visitors[this.random.below(this.visitors.length)];
      const ended = new Set(this.ledger.ended);
      const decided = await this.#send<{ decideAds: { ads: { receipt: string }[] } }>(DECIDE, { visitor });
      const [ad] = decided?.decideAds.ads ?? [];
      if (!ad) continue;
      for (const { campaign } of opened(this.signer, [ad.receipt])) expect(ended).not.toContain(campaign);
      await this.#see(ad.receipt);
    }
  }

  async #see(receipt: string): Promise<void> {
    if ((await this.#record(IMPRESSION, receipt)) === 'LIMIT_EXCEEDED') return; // the visitor's cap
    this.ledger.shown.add(receipt);
    if (this.random.below(IMPRESSIONS_PER_CLICK) > 0) return;
    await this.#record(CLICK, receipt);
    this.ledger.clicked.add(receipt);
    if (this.random.below(CLICKS_PER_CONVERSION) > 0) return;
    await this.#record(CONVERSION, receipt);
    this.ledger.converted.add(receipt);
  }

  /** Until it is answered: a receipt counts once. @returns why it was rejected */
  async #record(mutation: string, receipt: string): Promise<'LIMIT_EXCEEDED' | null> {
    for (;;) {
      const answer = await this.#send<{ outcome: Outcome }>(
        mutation,
        mutation === CONVERSION ? { receipt } : { receipts: [receipt] },
      );
      if (!answer) continue;
      const { recorded, repeated, rejected } = answer.outcome;
      expect(recorded + repeated + rejected.length).toBe(1);
      expect(rejected).toEqual(mutation === IMPRESSION && rejected.length > 0 ? [{ code: 'LIMIT_EXCEEDED' }] : []);
      return rejected.length > 0 ? 'LIMIT_EXCEEDED' : null;
    }
  }

  /** @returns null when the server died or is busy */
  async #send<T>(query: string, variables: object): Promise<T | null> {
    const answer = await answerOrNull(this.servers.any(this.random).request<T>(query, variables as never));
    if (answer?.data) this.ledger.answers += 1;
    else await new Promise((resolve) => setTimeout(resolve, 10));
    return answer?.data ?? null;
  }

  async stop(): Promise<void> {
    this.#hasStopped = true;
    await this.#ended;
  }
}

/** Until it is answered. */
async function endByHand(servers: Servers, random: Random, ledger: Ledger, campaign: string): Promise<void> {
  for (;;) {
    const answer = await answerOrNull(servers.any(random).request(END, { id: toGlobalId('Campaign', campaign) }));
    if (answer?.data) {
      expect(answer.data).toEqual({ endCampaign: { __typename: 'Campaign', state: 'ENDED', endedBy: 'HAND' } });
      ledger.ended.add(campaign);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

interface Blow {
  /** What happens while ads are shown. */
  readonly name: string;
  /** Of the database. */
  readonly members: 1 | 3;
  readonly strike: (set: ReplicaSet, servers: Servers, random: Random) => Promise<void>;
}

export const blows: readonly Blow[] = [
  { name: 'servers are killed in turn', members: 1, strike: (_set, servers, random) => servers.replace(random) },
  { name: 'the database is killed and restarted', members: 1, strike: restartDatabase },
  { name: 'the primary of the database is killed', members: 3, strike: killPrimary },
];

/** @param shouldContinue asked before each blow, with the number of blows so far */
export async function strikeAds(
  { members, strike }: Blow,
  seed: number,
  shouldContinue: (kills: number) => boolean,
): Promise<void> {
  const set = await startReplicaSet({ members });
  const client = await MongoClient.connect(set.uri, { writeConcern: { w: 'majority' }, ignoreUndefined: true });
  const db = client.db('ad_kills');
  const random = makeRandom(seed);
  const servers = new Servers({ mongodbUri: set.uri, database: db.databaseName });
  try {
    await servers.start();
    await servers.start();
    const network = await openNetwork(db, { now: new Date() });
    await network.zone('top', { design: 'CAPPED' });
    const caps = [{ scope: 'CAMPAIGN', count: CAP, period: { ms: 24 * HOUR_MS } } as const];
    for (const price of PRICES) await network.run({ price, budget: BUDGET, caps });
    await network.run({ priceModel: 'CPC', price: CLICK_PRICE, budget: 10 * CLICK_PRICE, caps });
    await network.run({ price: 100, budget: 10_000 }); // for visitors who have seen the others
    const ledger = new Ledger();
    const visitors = Array.from({ length: VISITORS }, () => network.visitor());
    const callers = Array.from(
      { length: CALLERS },
      () => new Caller(servers, random, ledger, network.signer, visitors),
    );
    let kills = 0;
    for (; shouldContinue(kills); kills += 1) {
      const { _id: campaign } = await network.run({ price: 800, budget: 10_000, caps });
      const goal = ledger.answers + ANSWERS_BETWEEN + random.below(ANSWERS_BETWEEN);
      while (ledger.answers < goal) await new Promise((resolve) => setTimeout(resolve, 5));
      await Promise.all([strike(set, servers, random), endByHand(servers, random, ledger, campaign)]);
    }
    const goal = ledger.answers + ANSWERS_BETWEEN; // the servers continue by themselves
    while (ledger.answers < goal) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const caller of callers) await caller.stop();
    await letWorkersRun(db);
    await judge(db, network.signer, ledger, kills);
  } finally {
    await servers.stop();
    await client.close();
    await set.stop();
  }
}

interface Stored {
  readonly _id: string;
  readonly state: string;
  readonly ended_by?: string;
  readonly price: number;
  readonly price_model: string;
  readonly paid: number;
  readonly spent: number;
  readonly refunded: number;
  readonly caps: readonly object[];
}

async function judge(db: Db, signer: AdSigner, ledger: Ledger, kills: number): Promise<void> {
  expect(ledger.shown.size).toBeGreaterThan(kills * 10);
  expect(ledger.clicked.size).toBeGreaterThan(kills);
  expect(ledger.ended.size).toBe(kills);
  const { shown, clicked, converted } = ledger;
  expect(converted.size).toBeGreaterThan(0);
  expect(await db.collection('ad.receipts').countDocuments()).toBe(shown.size + clicked.size + converted.size);
  const campaigns = await db.collection<Stored>('ad.campaigns').find().toArray();
  for (const { state, paid, spent, refunded } of campaigns) {
    expect(spent).toBeLessThanOrEqual(paid * 1000);
    expect(refunded).toBe(state === 'ENDED' ? paid - Math.ceil(spent / 1000) : 0);
  }
  judgeSpend(campaigns, opened(signer, shown), opened(signer, clicked));
  const capped = campaigns.filter(({ caps }) => caps.length > 0).map(({ _id }) => String(_id));
  const acknowledged = {
    impressions: opened(signer, shown),
    clicks: opened(signer, clicked),
    conversions: opened(signer, converted),
  };
  await judgeProfiles(db, acknowledged, new Set(capped));
  await judgeZone(db, acknowledged);
  await expectNoAdViolations(db);
  expect(await violationsOf(db)).toEqual([]);
}

const KINDS = ['impressions', 'clicks', 'conversions'] as const;
type Acknowledged = Readonly<Record<(typeof KINDS)[number], readonly Receipt[]>>;

const opened = (signer: AdSigner, texts: Iterable<string>): Receipt[] =>
  [...texts].map((text) => {
    const receipt = openReceipt(signer, text);
    if (!receipt) throw new Error('A server gave a receipt that is not signed');
    return receipt;
  });

function numbersBy(
  receipts: readonly Receipt[],
  keyOf: (receipt: Receipt) => string,
): Readonly<Record<string, number>> {
  const numbers: Record<string, number> = {};
  for (const receipt of receipts) numbers[keyOf(receipt)] = (numbers[keyOf(receipt)] ?? 0) + 1;
  return numbers;
}

/** What was acknowledged is paid for, unless its campaign has ended: by its budget only when that pays for nothing any more. */
function judgeSpend(campaigns: readonly Stored[], shown: readonly Receipt[], clicked: readonly Receipt[]): void {
  for (const { _id, state, ended_by, paid, spent, price, price_model } of campaigns) {
    const own = ({ campaign }: Receipt) => campaign === _id;
    const cost =
      shown.filter(own).reduce((sum, { prices }) => sum + prices.impression, 0) +
      clicked.filter(own).reduce((sum, { prices }) => sum + prices.click, 0);
    if (state !== 'ENDED') expect(spent).toBe(cost);
    else expect(spent).toBeLessThanOrEqual(cost);
    if (ended_by === 'BUDGET') expect(paid * 1000 - spent).toBeLessThan(price_model === 'CPC' ? price * 1000 : price);
  }
}

/** The profiles have each contact that was acknowledged, and no other. So the caps hold for what was acknowledged. */
async function judgeProfiles(db: Db, acknowledged: Acknowledged, capped: ReadonlySet<string>): Promise<void> {
  const stored: Record<keyof Acknowledged, Record<string, number>> = { impressions: {}, clicks: {}, conversions: {} };
  for (const { _id, units } of await db
    .collection<Pick<ProfileDocument, '_id' | 'units'>>('ad.profiles')
    .find()
    .toArray())
    for (const [unit, contacts] of Object.entries(units)) {
      if (capped.has(contacts.campaign_id)) expect(contacts.impressions.length).toBeLessThanOrEqual(CAP);
      for (const kind of KINDS) if (contacts[kind].length > 0) stored[kind][`${_id} ${unit}`] = contacts[kind].length;
    }
  for (const kind of KINDS) {
    const numbers = numbersBy(acknowledged[kind], ({ visitor, unit }) => `${visitor} ${unit}`);
    const kept = Object.entries(numbers).map(([key, number]) => [key, Math.min(number, CONTACTS_MAX)]);
    expect(stored[kind]).toEqual(Object.fromEntries(kept));
  }
}

/** The hours of the zone have what was acknowledged. */
async function judgeZone(db: Db, acknowledged: Acknowledged): Promise<void> {
  const range = { from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + DAY_MS) };
  const hours = await findCounts(db, subjectOf('zone', `${SITE}/top`), range);
  const sum = [...hours.values()].reduce((value, counts) => value + counts.value, 0);
  expect(sum).toBe(acknowledged.conversions.length * VALUE);
  for (const kind of KINDS) {
    const stored = [...hours].filter(([, counts]) => counts[kind] > 0).map(([at, counts]) => [at, counts[kind]]);
    const numbers = numbersBy(acknowledged[kind], ({ at }) => String(slotOf('HOUR', at.getTime())));
    expect(Object.fromEntries(stored)).toEqual(numbers);
  }
}
