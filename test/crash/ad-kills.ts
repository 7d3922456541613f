/**
 * Callers who get ads and record them at two servers, while the servers are killed in turn, or the database is. Each receipt is sent until it
 * is answered, to whichever server runs. Budgets are small and caps are tight. Moments are chosen by a seed and counted in responses.
 */
import { type Db, MongoClient } from 'mongodb';
import { expect } from 'vitest';
import { makeRandom, type Random } from '../../harness/random.js';
import { type ReplicaSet, startReplicaSet } from '../../harness/replica-set.js';
import { HOUR_MS } from '../../src/shared/time.js';
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

const DECIDE = `query ($visitor: String) { decideAds(site: "${SITE}", zone: "top", visitor: $visitor) { ads { receipt } } }`;
const RECORD = `mutation ($receipts: [String!]!) {
  recordImpressions(receipts: $receipts) { recorded repeated rejected { code } }
}`;

interface Outcome {
  readonly recorded: number;
  readonly repeated: number;
  readonly rejected: readonly { readonly code: string }[];
}

/** What the callers know. */
class Ledger {
  answers = 0;
  /** Receipts that were counted, as an answer says. */
  readonly counted = new Set<string>();
  readonly rejected = new Set<string>();
}

class Caller {
  #hasStopped = false;
  readonly #ended: Promise<void>;

  constructor(
    private readonly servers: Servers,
    private readonly random: Random,
    private readonly ledger: Ledger,
    private readonly visitors: readonly string[],
  ) {
    this.#ended = this.#work();
  }

  async #work(): Promise<void> {
    while (!this.#hasStopped) {
      const visitor = this.visitors[this.random.below(this.visitors.length)];
      const decided = await this.#send<{ decideAds: { ads: { receipt: string }[] } }>(DECIDE, { visitor });
      const [ad] = decided?.decideAds.ads ?? [];
      if (ad) await this.#record(ad.receipt);
    }
  }

  /** Until it is answered: a receipt counts once. */
  async #record(receipt: string): Promise<void> {
    for (;;) {
      const answer = await this.#send<{ recordImpressions: Outcome }>(RECORD, { receipts: [receipt] });
      if (!answer) continue;
      const { recorded, repeated, rejected } = answer.recordImpressions;
      expect(recorded + repeated + rejected.length).toBe(1);
      for (const { code } of rejected) expect(code).toBe('LIMIT_EXCEEDED'); // the visitor's cap
      (rejected.length > 0 ? this.ledger.rejected : this.ledger.counted).add(receipt);
      return;
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
    await network.run({ price: 100, budget: 10_000 }); // for visitors who have seen the others
    const ledger = new Ledger();
    const visitors = Array.from({ length: VISITORS }, () => network.visitor());
    const callers = Array.from({ length: CALLERS }, () => new Caller(servers, random, ledger, visitors));
    let kills = 0;
    for (; shouldContinue(kills); kills += 1) {
      const goal = ledger.answers + ANSWERS_BETWEEN + random.below(ANSWERS_BETWEEN);
      while (ledger.answers < goal) await new Promise((resolve) => setTimeout(resolve, 5));
      await strike(set, servers, random);
    }
    const goal = ledger.answers + ANSWERS_BETWEEN; // the servers continue by themselves
    while (ledger.answers < goal) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const caller of callers) await caller.stop();
    await letWorkersRun(db);
    await judge(db, ledger, kills);
  } finally {
    await servers.stop();
    await client.close();
    await set.stop();
  }
}

interface Stored {
  readonly state: string;
  readonly paid: number;
  readonly spent: number;
  readonly refunded: number;
}

async function judge(db: Db, ledger: Ledger, kills: number): Promise<void> {
  expect(ledger.counted.size).toBeGreaterThan(kills * 10);
  expect(await db.collection('ad.receipts').countDocuments()).toBe(ledger.counted.size);
  const campaigns = await db.collection<Stored>('ad.campaigns').find().toArray();
  for (const { state, paid, spent, refunded } of campaigns) {
    expect(spent).toBeLessThanOrEqual(paid * 1000);
    expect(refunded).toBe(state === 'ENDED' ? paid - Math.ceil(spent / 1000) : 0);
  }
  interface Units {
    readonly units: Readonly<Record<string, { readonly campaign_id: string; readonly impressions: readonly Date[] }>>;
  }
  const dear = new Set(campaigns.filter(({ paid }) => paid === BUDGET).map(({ _id }) => String(_id)));
  for (const { units } of await db.collection<Units>('ad.profiles').find().toArray())
    for (const { campaign_id, impressions } of Object.values(units))
      if (dear.has(campaign_id)) expect(impressions.length).toBeLessThanOrEqual(CAP);
  await expectNoAdViolations(db);
  expect(await violationsOf(db)).toEqual([]);
}
