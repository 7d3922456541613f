/**
 * Four times as many requests as the server can serve: those that it takes should be answered about as soon as ever, and the rest be
 * told at once to come back later.
 */
import { randomBytes } from 'node:crypto';
import { makeRandom } from '../test/support/random.js';
import type { Benchmark, Findings } from './benchmark.js';
import { type Contestant, productContestant } from './contestants.js';
import type { ArrivalsAnswer, ArrivalsOptions } from './load/arrivals.js';
import { runProgram } from './load/program.js';
import { cpuMicros, Rounds } from './measure.js';
import { format } from './report.js';
import { chartBody, seed, sendRequests } from './requests.js';

/** As it is by default. */
const DELAY_MAX_MS = '2';
const BODIES = 1000;
/** Of what it can serve. */
const UNLOADED = 0.1;
const OVERLOAD = 4;
const SECONDS = 10;
/** The capacity is what this many connections get, that always have a request on its way, from a server that refuses nothing. */
const CONNECTIONS = 16;
const CAPACITY_REQUESTS = 6000;

export const overload: Benchmark = {
  name: 'overload',
  title: 'Overload',
  async run({ mongodbUri, rounds, scale, nodeOptions, log }) {
    const place = { mongodbUri, database: `sextant_bench_${randomBytes(4).toString('hex')}` };
    const ungated = await productContestant(place, nodeOptions);
    const product = await productContestant(place, nodeOptions, { MAX_EVENT_LOOP_DELAY_MS: DELAY_MAX_MS });
    try {
      await seed(place);
      const figures = new Rounds();
      for (let round = 0; round <= rounds; round += 1) {
        const found = await measureRound({ ungated, product }, round, scale);
        log(`round ${round}: ${JSON.stringify(found)}`);
        if (round > 0) for (const [name, value] of Object.entries(found)) figures.add(name, value);
      }
      return findings(figures, rounds);
    } finally {
      await product.stop();
      await ungated.stop();
    }
  },
};

/** All in milliseconds, but for the rates. */
async function measureRound(
  { ungated, product }: Readonly<Record<'ungated' | 'product', Contestant>>,
  round: number,
  scale: number,
): Promise<Record<string, number>> {
  const random = makeRandom(round);
  const bodies = Array.from({ length: BODIES }, () => JSON.stringify(chartBody('product', random)));
  const { port, authorization } = product;
  const seconds = SECONDS * scale;
  const requests = Math.ceil(CAPACITY_REQUESTS * scale);
  const { perSecond } = await sendRequests({
    port: ungated.port,
    authorization: ungated.authorization,
    connections: CONNECTIONS,
    requests,
    bodies,
  });
  const unloaded = await sendArrivals({ port, authorization, perSecond: perSecond * UNLOADED, seconds, bodies });
  const before = cpuMicros(product.pid);
  const loaded = await sendArrivals({ port, authorization, perSecond: perSecond * OVERLOAD, seconds, bodies });
  return {
    capacity: perSecond,
    unloadedP50: unloaded.accepted.p50,
    unloadedP99: unloaded.accepted.p99,
    acceptedP50: loaded.accepted.p50,
    acceptedP99: loaded.accepted.p99,
    refusedP50: loaded.refused.p50,
    refusedP99: loaded.refused.p99,
    acceptedPerSecond: loaded.accepted.count / seconds,
    refusedPerSecond: loaded.refused.count / seconds,
    processor: (cpuMicros(product.pid) - before) / 1e6 / seconds,
  };
}

const sendArrivals = (options: ArrivalsOptions) => runProgram<ArrivalsOptions, ArrivalsAnswer>('arrivals', options);

function findings(figures: Rounds, rounds: number): Findings {
  const at = (name: string) => format(figures.median(name));
  return {
    verdicts: [
      {
        row: 'accepted requests at 4 times the load, p99',
        against: 'the p99 without load',
        measured: figures.ratio('acceptedP99', 'unloadedP99'),
        bound: 'at most',
        goal: 3,
      },
      {
        row: 'refused requests at 4 times the load, p99',
        against: 'the p99 of accepted ones without load',
        measured: figures.ratio('refusedP99', 'unloadedP99'),
        bound: 'at most',
        goal: 3,
      },
    ],
    tables: [
      {
        columns: ['load', 'requests/s', 'p50 ms', 'p99 ms'],
        rows: [
          [`a tenth of what it serves (${at('capacity')}/s)`, '', at('unloadedP50'), at('unloadedP99')],
          ['4 times as much: accepted', at('acceptedPerSecond'), at('acceptedP50'), at('acceptedP99')],
          ['4 times as much: refused', at('refusedPerSecond'), at('refusedP50'), at('refusedP99')],
        ],
      },
    ],
    notes: [
      `${rounds} rounds. What it can serve is measured in each round, by ${CONNECTIONS} connections that always have a request on its way to a server that refuses nothing: the chart of a month by hour. Then requests come at a steady rate, whether or not answers come, and time counts from the moment at which a request was due. The sender, the database and the server share the machine, so at 4 times the load they also take time from each other.`,
    ],
  };
}
