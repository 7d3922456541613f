/** Decisions: the function of the model against its two reads alone, with the raw driver, in this process. One caller. */
import { performance } from 'node:perf_hooks';
import type { Db } from 'mongodb';
import { makeRandom, type Random } from '../../harness/random.js';
import { buildIndexes } from '../../src/database/index.js';
import { AdSigner } from '../../src/models/ads/decisions/ad-signer.js';
import { decideAds } from '../../src/models/ads/decisions/decision.js';
import { DecisionTally } from '../../src/models/ads/decisions/decision-tally.js';
import { MinuteCount } from '../../src/models/ads/decisions/minute-count.js';
import { profiles } from '../../src/models/ads/profiles/ad-profile.js';
import { type ZoneDesign, zones } from '../../src/models/ads/zones/zone.js';
import { ZoneCache } from '../../src/models/ads/zones/zone-cache.js';
import type { Benchmark, Findings, Surroundings, Verdict } from '../support/benchmark.js';
import { Contest, figuresOf, inOwnDatabase } from '../support/contest.js';
import { roundsOf } from '../support/report.js';
import { SITE, storeProfiles, storeZone, visitorName, wordOf, zoneId } from './many-ads.js';

interface Zone {
  readonly name: string;
  readonly ads: number;
  readonly design: ZoneDesign;
  readonly turns: number;
}

const ZONES: readonly Zone[] = [
  { name: 'with-20', ads: 20, design: 'CAPPED', turns: 3000 },
  { name: 'with-1000', ads: 1000, design: 'CAPPED', turns: 600 },
  { name: 'with-keywords', ads: 1000, design: 'KEYWORDS', turns: 300 },
];
const VISITORS = 1_000_000;
/** Of a page. */
const PAGE_WORDS = 5;
const GOAL = 1.3;
const ways = ['decision', 'raw: two reads'] as const;
type Way = (typeof ways)[number];

interface Visitor {
  readonly id: string;
  /** As a browser sends it. */
  readonly signed: string;
}

export const decisions: Benchmark = {
  name: 'ad-decisions',
  title: 'Decisions of ads against their two reads',
  run: (surroundings) => inOwnDatabase(surroundings, (_client, db) => measure(db, surroundings)),
};

const cell = ({ ads, design }: Zone, way: Way) => [String(ads), design, way];

async function measure(db: Db, { rounds, scale, log }: Surroundings): Promise<Findings> {
  await buildIndexes(db);
  const now = new Date();
  const visitors = Math.ceil(VISITORS * scale);
  for (const { name, ads, design } of ZONES) await storeZone(db, name, ads, design, now);
  await storeProfiles(db, visitors, makeRandom(1), now);
  log(`${visitors} profiles are stored`);
  const signer = await AdSigner.open(db);
  const tally = new DecisionTally(db, () => undefined);
  const decider = { signer, zones: new ZoneCache(db), tally, shown: new MinuteCount(), random: Math.random };
  const contest = new Contest({ p50: 'p50 ms', p99: 'p99 ms', cpu: 'CPU µs' });
  const waysTo = ({ name, design }: Zone, random: Random): Record<Way, (visitor: Visitor) => Promise<unknown>> => ({
    decision: ({ signed }) => {
      const words = design === 'KEYWORDS' ? PAGE_WORDS : 0;
      const keywords = Array.from({ length: words }, () => wordOf(random.below(1000)));
      const question = { site: SITE, zone: name, visitor: signed, keywords, count: 1 };
      return decideAds(db, decider, question, new Date());
    },
    'raw: two reads': ({ id }) =>
      Promise.all([zones(db).findOne({ _id: zoneId(name) }), profiles(db).findOne({ _id: id })]),
  });
  const visitorOf = (id: string): Visitor => ({ id, signed: signer.sign('visitor', id) });
  for (let round = 0; round <= rounds; round += 1) {
    const random = makeRandom(round);
    for (const zone of ZONES) {
      const turns = Math.ceil(zone.turns * (round === 0 ? 0.2 : scale));
      for (const [way, figures] of await inTurn(
        waysTo(zone, random),
        () => visitorOf(visitorName(random.below(visitors))),
        turns,
        random,
      ))
        if (round > 0) contest.add(cell(zone, way), figures);
    }
    log(round === 0 ? 'warm-up done' : `round ${round} done`);
  }
  await tally.close();
  const verdict = (figure: 'p50' | 'p99', zone: Zone): Verdict => ({
    row: `${figure} of a decision, ${zone.ads.toLocaleString('en')} ads in the zone${zone.design === 'KEYWORDS' ? ' with keywords' : ''}`,
    against: 'its two reads with the raw driver',
    measured: contest.ratio(figure, cell(zone, 'decision'), cell(zone, 'raw: two reads')),
    bound: 'at most',
    goal: GOAL,
    unit: ' times',
  });
  const lines = ZONES.flatMap((zone) =>
    ways.map((way) => ({ cell: cell(zone, way), base: cell(zone, 'raw: two reads') })),
  );
  return {
    verdicts: ZONES.flatMap((zone) => [verdict('p50', zone), verdict('p99', zone)]),
    tables: [contest.table(['ads in the zone', 'design', 'method'], lines, { of: 'p50', heading: 'p50 ÷ raw reads' })],
    notes: [
      `${visitors.toLocaleString('en')} profiles of visitors; zones in which every ad has a frequency cap; in the one of the design KEYWORDS, each also bids for 10 of 200 keywords, and pages are about 5. One caller; the methods alternate, decision by decision, in random order, each with a random visitor. ${roundsOf(rounds)}. A decision verifies the signature of the visitor’s id, ranks, and seals the receipt. CPU is that of this process.`,
    ],
  };
}

/** Disturbances affect all methods alike; neither always comes after the other, which may leave work behind. */
async function inTurn(
  waysTo: Record<Way, (visitor: Visitor) => Promise<unknown>>,
  visitor: () => Visitor,
  turns: number,
  random: Random,
) {
  const taken = new Map(ways.map((way) => [way, { latencies: [] as number[], cpuUs: 0 }]));
  for (let turn = 0; turn < turns; turn += 1) {
    const order = random.below(2) === 0 ? ways : ways.toReversed();
    for (const way of order) {
      const who = visitor();
      const cpu = process.cpuUsage();
      const sent = performance.now();
      await waysTo[way](who);
      taken.get(way)?.latencies.push(performance.now() - sent);
      const { user, system } = process.cpuUsage(cpu);
      const figures = taken.get(way);
      if (figures) figures.cpuUs += user + system;
    }
  }
  return [...taken].map(([way, { latencies, cpuUs }]) => {
    const seconds = latencies.reduce((total, each) => total + each, 0) / 1000;
    return [way, figuresOf({ latencies, seconds, cpuUs, attempts: latencies.length })] as const;
  });
}
