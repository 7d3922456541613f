/**
 * The documented queries of the request log, on a million requests: through the API and through their functions,
 * against the time that the database reports for the same command.
 */
import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { type CommandStartedEvent, type Db, type Document, MongoClient } from 'mongodb';
import { makeRandom, type Random } from '../../harness/random.js';
import { readExplanation } from '../../src/database/index.js';
import { type EventFilter, findEvents } from '../../src/models/analytics/log/request-log.js';
import { explainEvents, requestsByDayAndPage } from '../../src/models/analytics/log/request-report.js';
import { logGrowth } from '../../src/models/analytics/log-growth/log-growth.js';
import type { DateRange } from '../../src/shared/time.js';
import { graphqlRequest } from '../load/request-text.js';
import { sendRequests } from '../load/requests-process.js';
import type { Benchmark, Findings, Surroundings, Verdict } from '../support/benchmark.js';
import { type Contestant, type Place, productContestant } from '../support/contestants.js';
import { median, Rounds } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';
import { DAY_MS, DAYS, FIRST_DAY, fillLog, hostOf, pathOf, SITE } from './many-requests.js';

const REQUESTS = 1_000_000;
const NOW = new Date(); // irrelevant: this log keeps everything
/** The page size of `events`. */
const FIRST = 50;
/** Arguments are chosen among this many of the most popular paths and clients. */
const POPULAR = 200;
const GOAL = { times: 1.5, plusMs: 2 } as const;

interface Asked {
  /** The request to the API. */
  readonly body: object;
  /** The model call that the resolver makes. Null if the request does not use the database. */
  readonly call: ((db: Db) => Promise<unknown>) | null;
}

interface Query {
  readonly name: string;
  /** How many different arguments there are. They are used in turn. */
  readonly arguments: number;
  readonly repeats: number;
  ask(random: Random, db: Db): Promise<Asked>;
}

const EVENT = 'id site time host logname user method path protocol status bytes referrer userAgent';
const EVENTS = `query Events($filter: EventFilter!, $after: String) { events(filter: $filter, first: ${FIRST}, after: $after) {
  edges { cursor node { ${EVENT} } } pageInfo { hasNextPage endCursor } } }`;
const REPORT = `query Report($site: String!, $range: DateRange!) {
  requestsByDayAndPage(site: $site, range: $range) { day page requests } }`;
const EXPLAIN = `query Explain($filter: EventFilter!) {
  explainEvents(filter: $filter) { stages indexName keysExamined documentsExamined returned milliseconds } }`;
const REPORT_ROWS = 1000; // the API's default

const events = (name: string, filterOf: (random: Random) => Omit<EventFilter, 'site'>): Query => ({
  name,
  arguments: 20,
  repeats: 50,
  async ask(random) {
    const filter = { site: SITE, ...filterOf(random) };
    return {
      body: { operationName: 'Events', query: EVENTS, variables: { filter } },
      call: (db) => findEvents(db, filter, { first: FIRST }, NOW),
    };
  },
});

const report = (name: string, days: number, repeats: number): Query => ({
  name,
  arguments: 5,
  repeats,
  async ask(random) {
    const range = daysOf(random, days);
    return {
      body: { operationName: 'Report', query: REPORT, variables: { site: SITE, range } },
      call: (db) => requestsByDayAndPage(db, SITE, range, REPORT_ROWS, NOW),
    };
  },
});

const queries: readonly Query[] = [
  {
    name: 'baseline: `__typename`',
    arguments: 1,
    repeats: 1000,
    ask: async () => ({ body: { query: '{ __typename }' }, call: null }),
  },
  events('events for a path', (random) => ({ path: pathOf(random.below(POPULAR)) })),
  events('events of a client in a week', (random) => ({
    host: hostOf(random.below(POPULAR)),
    range: daysOf(random, 7),
  })),
  events('events with a status', (random) => ({ status: random.pick([301, 302, 304, 404, 500]) })),
  events('events of a day', (random) => ({ range: daysOf(random, 1) })),
  {
    name: 'events for a path, second page',
    arguments: 20,
    repeats: 50,
    async ask(random, db) {
      const filter = { site: SITE, path: pathOf(random.below(POPULAR)) };
      const after = (await findEvents(db, filter, { first: FIRST }, NOW)).pageInfo.endCursor;
      return {
        body: { operationName: 'Events', query: EVENTS, variables: { filter, after } },
        call: (own) => findEvents(own, filter, { first: FIRST, after }, NOW),
      };
    },
  },
  report('requests by day and page, a day', 1, 20),
  report('requests by day and page, a month', 30, 1),
  {
    name: 'explanation of events for a path',
    arguments: 20,
    repeats: 50,
    async ask(random) {
      const filter = { site: SITE, path: pathOf(random.below(POPULAR)) };
      return {
        body: { operationName: 'Explain', query: EXPLAIN, variables: { filter } },
        call: (db) => explainEvents(db, filter, 'EVENTS', NOW),
      };
    },
  },
];

function daysOf(random: Random, days: number): DateRange {
  const from = FIRST_DAY + random.below(DAYS - days + 1) * DAY_MS;
  return { from: new Date(from), to: new Date(from + days * DAY_MS) };
}

export const logQueries: Benchmark = {
  name: 'log-queries',
  title: 'Queries of the request log',
  async run(surroundings) {
    const { mongodbUri, rounds, scale, nodeOptions, log } = surroundings;
    const place: Place = { mongodbUri, database: `sextant_bench_${randomBytes(4).toString('hex')}` };
    const client = await MongoClient.connect(mongodbUri);
    const observer = new Observer(await MongoClient.connect(mongodbUri, { monitorCommands: true }), place.database);
    const size = Math.round(REQUESTS * scale);
    try {
      const db = client.db(place.database);
      await fillLog(db, size);
      log(`${size.toLocaleString('en')} requests are stored`);
      const product = await productContestant(place, nodeOptions);
      try {
        return findings(await measure(surroundings, { db, observer, product }), size, rounds);
      } finally {
        await product.stop();
      }
    } finally {
      await observer.close();
      await client.close();
    }
  },
};

/** Milliseconds. */
type Way = 'reported' | 'function' | 'api' | 'apiP99';
type Result = { readonly [way in Way]: Rounds };

interface Ways {
  readonly db: Db;
  readonly observer: Observer;
  readonly product: Contestant;
}

async function measure({ rounds, only, log }: Surroundings, ways: Ways): Promise<ReadonlyMap<string, Result>> {
  const results = new Map<string, Result>();
  for (const query of queries.filter(({ name }) => only?.includes(name) ?? true)) {
    const result: Result = { reported: new Rounds(), function: new Rounds(), api: new Rounds(), apiP99: new Rounds() };
    results.set(query.name, result);
    for (let round = 0; round <= rounds; round += 1) {
      const random = makeRandom(round);
      const asked: Asked[] = [];
      for (let i = 0; i < query.arguments; i += 1) asked.push(await query.ask(random, ways.db));
      const found = await measureRound(query, asked, ways);
      if (round === 0) continue; // warms the cache and the compiler
      for (const way of Object.keys(result) as Way[]) result[way].add(query.name, found[way]);
    }
    log(`${query.name}: ${Object.entries(result).map(([way, one]) => `${way} ${format(one.median(query.name))} ms`)}`);
  }
  return results;
}

async function measureRound(
  { repeats }: Query,
  asked: readonly Asked[],
  { db, observer, product: { port, authorization } }: Ways,
): Promise<Record<Way, number>> {
  const reported: number[] = [];
  const called: number[] = [];
  for (const { call } of asked) {
    if (!call) continue;
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      reported.push(await observer.explain(call));
      const begin = performance.now();
      await call(db);
      called.push(performance.now() - begin);
    }
  }
  const messages = asked.map(({ body }) => graphqlRequest(authorization, JSON.stringify(body)));
  const requests = asked.length * repeats;
  const { p50, p99 } = await sendRequests({ port, connections: 1, requests, messages });
  return { reported: median(reported), function: median(called), api: p50, apiP99: p99 };
}

/** Captures the command that a function sends, and asks the database how long it takes. */
class Observer {
  readonly #client: MongoClient;
  readonly #db: Db;
  #seen: Document | null = null;

  constructor(client: MongoClient, database: string) {
    this.#client = client;
    this.#db = client.db(database);
    client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
      if (command.find === logGrowth.collectionName) return; // looked up in parallel with the query
      if (commandName === 'find' || commandName === 'aggregate') this.#seen = command;
      if (commandName === 'explain') this.#seen = command.explain;
    });
  }

  /** @returns `executionTimeMillis` of the one command that the call sends */
  async explain(call: (db: Db) => Promise<unknown>): Promise<number> {
    this.#seen = null;
    await call(this.#db);
    if (!this.#seen) throw new Error('No command was captured');
    const { lsid, $clusterTime, $db, ...explain } = this.#seen as Document;
    return readExplanation(await this.#db.command({ explain, verbosity: 'executionStats' })).milliseconds;
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

function findings(results: ReadonlyMap<string, Result>, size: number, rounds: number): Findings {
  const lines = [...results].map(([name, ways]) => {
    const of = (way: Way) => ways[way].median(name);
    return { name, reported: of('reported'), function: of('function'), api: of('api'), apiP99: of('apiP99') };
  });
  return {
    verdicts: lines.flatMap(({ name, reported, function: called, api }) => {
      if (Number.isNaN(reported)) return [];
      const within = (row: string, measured: number): Verdict => ({
        row: `${row}, ${size.toLocaleString('en')} requests, p50`,
        against: `${GOAL.times} times the database’s ${format(reported)} ms, plus ${GOAL.plusMs} ms`,
        measured,
        bound: 'at most',
        goal: Math.round((GOAL.times * reported + GOAL.plusMs) * 10) / 10,
        unit: ' ms',
      });
      return [within(name, called), within(`${name}, through the API`, api)];
    }),
    tables: [
      {
        columns: ['query', 'database ms', 'function p50 ms', 'API p50 ms', 'API p99 ms'],
        rows: lines.map(({ name, ...times }) => [name, ...Object.values(times).map(format)]),
      },
    ],
    notes: [
      `${roundsOf(rounds)} over ${size.toLocaleString('en')} requests over ${DAYS} days in the form of an import, with all indexes; paths and clients follow Zipf's law. A page has ${FIRST} requests with all fields, a report its default of ${REPORT_ROWS.toLocaleString('en')} rows. One request at a time over a persistent connection; arguments change from one to the next. The database’s time is \`executionTimeMillis\` of \`explain\`, in whole milliseconds, for the exact command that the function sends. It includes neither the network nor the driver’s decoding of the reply.`,
    ],
  };
}
