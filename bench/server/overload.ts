/**
 * Overload, and situations that are not overload: bursts, neighbors that use the CPU, a process that was stopped. The
 * figure is how much is answered successfully and in time.
 */
import { randomBytes } from 'node:crypto';
import { residentBytes } from '../../harness/process-usage.js';
import { makeRandom } from '../../harness/random.js';
import type { ArrivalsAnswer, ArrivalsOptions } from '../load/arrivals.js';
import { runProgram } from '../load/program.js';
import { graphqlRequest } from '../load/request-text.js';
import { sendRequests } from '../load/requests-process.js';
import type { Benchmark, Findings, Verdict } from '../support/benchmark.js';
import { type Contestant, type Place, productContestant } from '../support/contestants.js';
import { withoutGate } from '../support/exceptions.js';
import { Rounds } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';
import { besideBusyProcesses } from './busy-processes.js';
import { type BurstName, bursts, measureBursts, measureFifty, measureStop } from './overload-bursts.js';
import { chartBody, seed } from './requests.js';

/** The default of MAX_WAIT_MS. */
const WAIT_MAX_MS = 1000;
const BODIES = 1000;
const OVERLOAD = 4;
const SECONDS = 30;
const BUSY_PROCESSES = 4;
const BUSY_SECONDS = 15;
/** The capacity is the rate of this many connections, each with one request always in flight. */
const CONNECTIONS = 16;
const CAPACITY_REQUESTS = 3000;
/** The sender's connections at 4 times the load: more than are used concurrently. */
const CONNECTIONS_KEPT = 2000;
const MEBIBYTE = 1024 * 1024;

export const overload: Benchmark = {
  name: 'overload',
  title: 'Overload',
  async run({ mongodbUri, rounds, scale, nodeOptions, log }) {
    const place = { mongodbUri, database: `sextant_bench_${randomBytes(4).toString('hex')}` };
    const figures = new Rounds();
    await seed(place);
    for (let round = 1; round <= rounds; round += 1) {
      await measureBursts(place, nodeOptions, figures);
      log(`round ${round}: bursts are done`);
      await measureLoad(place, nodeOptions, { round, scale }, figures);
      log(`round ${round} is done`);
    }
    return findings(figures, rounds);
  },
};

async function measureLoad(
  place: Place,
  nodeOptions: readonly string[],
  { round, scale }: { readonly round: number; readonly scale: number },
  figures: Rounds,
): Promise<void> {
  const random = makeRandom(round);
  const bodies = Array.from({ length: BODIES }, () => JSON.stringify(chartBody('product', random)));
  const product = await productContestant(place, nodeOptions);
  const ungated = await productContestant(place, nodeOptions, withoutGate);
  try {
    const capacity = await measureCapacity(product, bodies, scale);
    figures.add('capacity', capacity);
    figures.add('stopRefused', await measureStop(product, bodies));
    const before = residentBytes(product.pid);
    const seconds = SECONDS * scale;
    addAnswer(figures, 'loaded', await sendArrivals(product, OVERLOAD * capacity, seconds, bodies), seconds);
    figures.add('memory', (residentBytes(product.pid) - before) / MEBIBYTE);
    addAnswer(figures, 'fresh', await sendArrivals(product, OVERLOAD * capacity, seconds, bodies, 0), seconds);

    await measureCapacity(ungated, bodies, scale / 3); // warm-up
    await besideBusyProcesses(BUSY_PROCESSES, async () => {
      figures.add('fiftyRefused', await measureFifty(product, bodies));
      const busySeconds = BUSY_SECONDS * scale;
      addAnswer(figures, 'busy', await sendArrivals(product, OVERLOAD * capacity, busySeconds, bodies), busySeconds);
      addAnswer(figures, 'ungated', await sendArrivals(ungated, OVERLOAD * capacity, busySeconds, bodies), busySeconds);
    });
  } finally {
    await product.stop();
    await ungated.stop();
  }
}

async function measureCapacity({ port, authorization }: Contestant, bodies: readonly string[], scale: number) {
  const requests = Math.ceil(CAPACITY_REQUESTS * scale);
  const messages = bodies.map((body) => graphqlRequest(authorization, body));
  await sendRequests({ port, connections: CONNECTIONS, requests: Math.ceil(requests / 3), messages });
  return (await sendRequests({ port, connections: CONNECTIONS, requests, messages })).perSecond;
}

const sendArrivals = (
  { port, authorization }: Contestant,
  perSecond: number,
  seconds: number,
  bodies: readonly string[],
  connections = CONNECTIONS_KEPT,
) =>
  runProgram<ArrivalsOptions, ArrivalsAnswer>('arrivals', {
    port,
    authorization,
    perSecond,
    seconds,
    usefulMs: WAIT_MAX_MS * 1.2,
    bodies,
    connections,
  });

/** All in milliseconds, except for the rates. */
function addAnswer(figures: Rounds, name: string, { useful, accepted, refused }: ArrivalsAnswer, seconds: number) {
  figures.add(`${name}Useful`, useful / seconds);
  figures.add(`${name}AcceptedP50`, accepted.p50);
  figures.add(`${name}AcceptedP99`, accepted.p99);
  figures.add(`${name}Refused`, refused.count / seconds);
  figures.add(`${name}RefusedP50`, refused.p50);
  figures.add(`${name}RefusedP99`, refused.p99);
}

function findings(figures: Rounds, rounds: number): Findings {
  const at = (name: string) => format(figures.median(name));
  const most = (row: string, name: string, goal: number, unit = ''): Verdict => ({
    row,
    against: '',
    measured: figures.median(name),
    bound: 'at most',
    goal,
    unit,
  });
  const names = Object.keys(bursts) as BurstName[];
  const load = (what: string, name: string) => [
    what,
    ...['Useful', 'AcceptedP50', 'AcceptedP99', 'Refused', 'RefusedP50', 'RefusedP99'].map((one) => at(name + one)),
  ];
  return {
    verdicts: [
      ...names.flatMap((name) => [
        most(`1,000 concurrent ${bursts[name]}, ten times: refused`, `${name}Refused`, 0),
        most(`the same, slowest response right after the start`, `${name}Cold`, 4000, ' ms'),
        most(`the same, slowest response later`, `${name}Warm`, 2000, ' ms'),
      ]),
      {
        row: 'answered in time at 4 times the load',
        against: 'the capacity without overload',
        measured: figures.ratio('loadedUseful', 'capacity'),
        bound: 'at least',
        goal: 0.9,
      },
      most('p99 of accepted requests at 4 times the load', 'loadedAcceptedP99', WAIT_MAX_MS * 1.2, ' ms'),
      most('the same, with new connections', 'freshAcceptedP99', WAIT_MAX_MS * 1.2, ' ms'),
      most('additional memory at 4 times the load', 'memory', 300, ' MiB'),
      {
        row: 'answered in time at 4 times the load, next to four busy processes',
        against: 'the same server without a gate',
        measured: figures.ratio('busyUseful', 'ungatedUseful'),
        bound: 'at least',
        goal: 0.8,
      },
      most('50 concurrent requests next to four busy processes, five times: refused', 'fiftyRefused', 0),
      most('200 requests waiting while the process is stopped for 2 s: refused', 'stopRefused', 0),
    ],
    tables: [
      {
        columns: ['1,000 concurrent', 'cold, ms', 'slowest of the next nine, ms', 'refused of 10,000'],
        rows: names.map((name) => [bursts[name], at(`${name}Cold`), at(`${name}Warm`), at(`${name}Refused`)]),
      },
      {
        columns: ['load', 'in time/s', 'p50 ms', 'p99 ms', 'refused/s', 'p50 ms', 'p99 ms'],
        rows: [
          [`capacity: ${CONNECTIONS} connections`, at('capacity'), '', '', '', '', ''],
          load('4 times the capacity', 'loaded'),
          load('4 times the capacity, new connections', 'fresh'),
          load('4 times the capacity, next to four busy processes', 'busy'),
          load('the same, without a gate', 'ungated'),
        ],
      },
    ],
    notes: [
      `${roundsOf(rounds)}. Bursts: each to a process that has just started, with a separate connection for each of the thousand (or on ten sockets, whose opening is part of the time), until the last response. Load: the chart of a month by hour at a steady rate, whether or not responses arrive. Time counts from the moment at which a request was due, and "in time" means within 1.2 times MAX_WAIT_MS. The capacity is measured in each round with ${CONNECTIONS} connections, each with one request always in flight. The sender, the database and the server share the machine, so at 4 times the load they also take time from each other.`,
    ],
  };
}
