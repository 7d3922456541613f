/** The cost of a request: the chart of a month by hour, the mutation of one hit, and the category page. */
import { randomBytes } from 'node:crypto';
import { type Db, MongoClient } from 'mongodb';
import { cpuMicros } from '../../harness/process-usage.js';
import { makeRandom, type Random } from '../../harness/random.js';
import { pageBody, seedPages } from '../commerce/category-page.js';
import { graphqlRequest } from '../load/request-text.js';
import { sendRequests } from '../load/requests-process.js';
import type { Benchmark, Findings, Surroundings, Verdict } from '../support/benchmark.js';
import {
  type Contestant,
  floorContestant,
  type Place,
  peerContestant,
  productContestant,
} from '../support/contestants.js';
import { Rounds } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';

const PAGES = 50;
const DAYS = 300;
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2026, 0, 1);
const SITE = 'site-1.example';
const BODIES = 1000;

type Name = 'product' | 'floor' | 'mercurius' | 'apollo';

interface Workload {
  readonly name: string;
  readonly requests: number;
  readonly connections: number;
  /** For the product's schema, or for that of the peers and the floor. */
  body(name: Name, random: Random): object;
  readonly goal: number;
}

const PRODUCT = {
  Chart: `query Chart($site: String!, $page: String!, $range: DateRange!) {
    hitChart(site: $site, page: $page, range: $range, unit: HOUR) { points { at count } }
  }`,
  Hit: 'mutation Hit($hit: HitInput!, $durability: Durability) { recordHit(hit: $hit, durability: $durability) { recorded } }',
};
const PEER = {
  Chart: `query Chart($site: String!, $page: String!, $from: String!, $to: String!) {
    hits(site: $site, page: $page, from: $from, to: $to) { t count }
  }`,
  Hit: 'mutation Hit($site: String!, $page: String!, $ts: String!) { recordHit(site: $site, page: $page, ts: $ts) }',
};

export function chartBody(name: Name, random: Random): object {
  const begin = FIRST_DAY + random.below(DAYS - 30) * DAY_MS;
  const [from, to] = [new Date(begin), new Date(begin + 30 * DAY_MS)].map((date) => date.toISOString()) as [
    string,
    string,
  ];
  const where = { site: SITE, page: `page-${random.below(PAGES)}` };
  return name === 'product'
    ? { operationName: 'Chart', query: PRODUCT.Chart, variables: { ...where, range: { from, to } } }
    : {
        operationName: 'Chart',
        query: PEER.Chart,
        variables: { ...where, from: from.slice(0, 10), to: to.slice(0, 10) },
      };
}

/** Hits on days outside the charted range, so that every contestant returns the same charts. */
function hitBody(name: Name, random: Random): object {
  const at = new Date(Date.UTC(2025, 0, 1) + random.below(5 * DAY_MS)).toISOString();
  const where = { site: SITE, page: `page-${random.below(PAGES)}` };
  return name === 'product'
    ? { operationName: 'Hit', query: PRODUCT.Hit, variables: { hit: { ...where, at }, durability: 'ACKNOWLEDGED' } }
    : { operationName: 'Hit', query: PEER.Hit, variables: { ...where, ts: at } };
}

function categoryBody(name: Name, random: Random): object {
  return pageBody(name === 'product' ? 'product' : 'peer', random);
}

const workloads: readonly Workload[] = [
  { name: 'chart, 32 connections', requests: 4000, connections: 32, body: chartBody, goal: 1.0 },
  { name: 'hit mutation, 32 connections', requests: 10_000, connections: 32, body: hitBody, goal: 0.5 },
  { name: 'hit mutation, one connection', requests: 3000, connections: 1, body: hitBody, goal: 1.1 },
  { name: 'nested category page, 32 connections', requests: 3000, connections: 32, body: categoryBody, goal: 0.75 },
];

export const requests: Benchmark = {
  name: 'requests',
  title: 'Requests',
  async run(surroundings) {
    const place = { mongodbUri: surroundings.mongodbUri, database: `sextant_bench_${randomBytes(4).toString('hex')}` };
    const names = (['product', 'floor', 'mercurius', 'apollo'] as const).filter(
      (name) =>
        (surroundings.peers || name === 'product' || name === 'floor') && (surroundings.only?.includes(name) ?? true),
    );
    const contestants = new Map<Name, Contestant>();
    try {
      for (const name of names) contestants.set(name, await start(name, place, surroundings));
      await seedAll(place, surroundings.peers !== null);
      for (const body of [chartBody, categoryBody]) await requireEqualAnswers(contestants, body);
      const results = workloads.map((workload) => ({
        workload,
        cpu: new Rounds(),
        rate: new Rounds(),
        p50: new Rounds(),
        p99: new Rounds(),
      }));
      for (const { workload, cpu, rate, p50, p99 } of results) {
        for (let round = 0; round <= surroundings.rounds; round += 1) {
          for (const [name, contestant] of contestants) {
            const count = Math.ceil(workload.requests * surroundings.scale);
            const before = cpuMicros(contestant.pid);
            const answer = await send(name, contestant, workload, count, round);
            if (round === 0) continue; // warm-up
            cpu.add(name, (cpuMicros(contestant.pid) - before) / count);
            rate.add(name, answer.perSecond);
            p50.add(name, answer.p50);
            p99.add(name, answer.p99);
          }
        }
        surroundings.log(`${workload.name} done`);
      }
      return findings(results, names, surroundings.rounds);
    } finally {
      for (const contestant of contestants.values()) await contestant.stop();
    }
  },
};

function start(name: Name, place: Place, { peers, nodeOptions }: Surroundings): Promise<Contestant> {
  if (name === 'product') return productContestant(place, nodeOptions);
  if (name === 'floor') return floorContestant('requests', place);
  return peerContestant(peers ?? '', `${name}.mjs`, peersPlace(place));
}

/** The peers' products and categories have a different form, so they use a separate database. */
const peersPlace = (place: Place): Place => ({ ...place, database: `${place.database}_peers` });

async function seedAll(place: Place, withPeers: boolean): Promise<void> {
  await seed(place);
  await seedPages(place, 'product');
  if (!withPeers) return;
  await seed(peersPlace(place));
  await seedPages(peersPlace(place), 'peer');
}

/** Stores the charted days, with their ids. */
export async function seed({ mongodbUri, database }: Place): Promise<void> {
  const random = makeRandom(42);
  const client = await MongoClient.connect(mongodbUri);
  const db: Db = client.db(database);
  for (let day = 0; day < DAYS; day += 1) {
    const date = new Date(FIRST_DAY + day * DAY_MS);
    const documents = Array.from({ length: PAGES }, (_, number) => {
      const page = `page-${number}`;
      const hourly = Object.fromEntries(Array.from({ length: 24 }, (_, hour) => [hour, random.below(5000)]));
      const _id = `${date.toISOString().slice(0, 10).replaceAll('-', '')}/${SITE}/${page}`;
      return { _id, metadata: { date, site: SITE, page }, hourly };
    });
    await db.collection<{ _id: string }>('hits.daily').insertMany(documents);
  }
  await client.close();
}

/** The values in a response, regardless of field names and nesting; they are requested in the same order. */
const VALUE = /"(?:slug|name|sku|title)":"([^"]*)"|"(?:count|amount|list|retail)":(\d+)/g;

/** Contestants with different responses cannot be compared. @throws Error */
async function requireEqualAnswers(
  contestants: ReadonlyMap<Name, Contestant>,
  body: (name: Name, random: Random) => object,
): Promise<void> {
  const answers = new Map<string, Name[]>();
  for (const [name, { port, authorization }] of contestants) {
    const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) },
      body: JSON.stringify(body(name, makeRandom(1))),
    });
    const text = await response.text();
    const values = [...text.matchAll(VALUE)].map(([, word, number]) => word ?? number).join(' ');
    if (values === '') throw new Error(`${name} returned nothing that can be compared: ${text.slice(0, 500)}`);
    answers.set(values, [...(answers.get(values) ?? []), name]);
  }
  if (answers.size > 1)
    throw new Error(`The responses differ: ${[...answers.values()].map((names) => names.join(', ')).join(' versus ')}`);
}

async function send(name: Name, { port, authorization }: Contestant, workload: Workload, count: number, round: number) {
  const random = makeRandom(round);
  const messages = Array.from({ length: Math.min(BODIES, count) }, () =>
    graphqlRequest(authorization, JSON.stringify(workload.body(name, random))),
  );
  return sendRequests({ port, connections: workload.connections, requests: count, messages });
}

interface Result {
  readonly workload: Workload;
  readonly cpu: Rounds;
  readonly rate: Rounds;
  readonly p50: Rounds;
  readonly p99: Rounds;
}

function findings(results: readonly Result[], names: readonly Name[], rounds: number): Findings {
  return {
    verdicts: results.map(
      ({ workload, cpu }): Verdict => ({
        row: workload.name,
        against: 'Mercurius + jit',
        measured: names.includes('mercurius') ? cpu.ratio('product', 'mercurius') : null,
        bound: 'at most',
        goal: workload.goal,
        remark: names.includes('mercurius') ? 'planned: a fast path' : 'the peers are not available',
      }),
    ),
    tables: [
      {
        columns: ['request', 'server', 'CPU µs', '÷ floor', '÷ Mercurius', 'requests/s', 'p50 ms', 'p99 ms', 'spread'],
        rows: results.flatMap(({ workload, cpu, rate, p50, p99 }) =>
          names.map((name) => [
            workload.name,
            name,
            format(cpu.median(name)),
            format(cpu.ratio(name, 'floor')),
            format(cpu.ratio(name, 'mercurius')),
            format(rate.median(name)),
            format(p50.median(name)),
            format(p99.median(name)),
            format(cpu.spread(name)),
          ]),
        ),
      },
    ],
    notes: [
      `${roundsOf(rounds)}. All contestants write hits with w:1. The chart has 720 points from 30 documents; the product returns timestamps with milliseconds and checks the caller, the cost and the rate. The category page has up to two ancestors and 20 of 20,000 products, each with one to three of 500 categories: three reads for every contestant.`,
      'Every request to the product goes through Apollo Server; a fast path for known operations is planned.',
    ],
  };
}
