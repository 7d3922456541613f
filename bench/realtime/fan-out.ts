/** The cost of a delivered message if many follow the same chart, and if each follows its own. */
import { cpuMicros } from '../../harness/process-usage.js';
import type { Benchmark, Findings, Surroundings, Verdict } from '../support/benchmark.js';
import { Rounds } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';
import { type LiveName, learnCursor, liveNames, startLive } from './live.js';

interface Case {
  readonly subscribers: number;
  readonly topics: number;
  /** Messages to deliver per round; enough for seconds of CPU time. */
  readonly deliveries: number;
  /** Writes in flight. */
  readonly window: number;
}

/** The case with the most changes goes first, so that the servers' code is compiled for the others. */
const CASES: readonly Case[] = [
  { subscribers: 1000, topics: 1000, deliveries: 16_000, window: 64 },
  { subscribers: 1000, topics: 1, deliveries: 480_000, window: 4 },
  { subscribers: 5000, topics: 1, deliveries: 480_000, window: 4 },
];

export const fanOut: Benchmark = {
  name: 'fan-out',
  title: 'Delivered messages',
  async run(surroundings) {
    const names = liveNames(surroundings);
    const results = CASES.map(newResults);
    for (let round = 1; round <= surroundings.rounds; round += 1) {
      for (const name of names) {
        const live = await startLive(name, surroundings);
        try {
          for (const result of results) await measure(result, name, live, surroundings);
        } finally {
          await live.stop();
        }
        surroundings.log(`round ${round}: ${name} done`);
      }
    }
    return findings(results, names, surroundings.rounds);
  },
};

const newResults = (one: Case) => ({
  one,
  cpu: new Rounds(),
  rate: new Rounds(),
  perWrite: new Rounds(),
  bytes: new Rounds(),
});
type Results = ReturnType<typeof newResults>;
type Live = Awaited<ReturnType<typeof startLive>>;

async function measure(results: Results, name: LiveName, live: Live, { scale }: Surroundings): Promise<void> {
  const { subscribers, topics, window, deliveries } = results.one;
  const writes = Math.max(window, Math.round((deliveries * scale * topics) / subscribers));
  const clients = await live.connect(subscribers, topics);
  try {
    await clients.saturate(Math.ceil(writes / 2), window); // until most of the code is compiled
    const before = cpuMicros(live.contestant.pid);
    const { delivered, seconds, sample } = await clients.saturate(writes, window);
    const cpu = cpuMicros(live.contestant.pid) - before;
    if (name === 'product') learnCursor(sample);
    results.cpu.add(name, cpu / delivered);
    results.rate.add(name, delivered / seconds);
    results.perWrite.add(name, (delivered * topics) / (writes * subscribers));
    results.bytes.add(name, Buffer.byteLength(sample));
  } finally {
    clients.end();
  }
}

function findings(results: readonly Results[], names: readonly LiveName[], rounds: number): Findings {
  return {
    verdicts: results.flatMap(({ one, cpu }) => verdicts(one, names, cpu)),
    tables: [
      {
        columns: [
          'subscribers x topics',
          'server',
          'CPU µs per message',
          '÷ floor',
          'messages/s',
          'messages per change and subscriber',
          'CPU µs per change and subscriber',
          'bytes',
          'spread',
        ],
        rows: results.flatMap(({ one, cpu, rate, perWrite, bytes }) =>
          names.map((name) => [
            label(one),
            name,
            format(cpu.median(name)),
            format(cpu.ratio(name, 'floor')),
            format(rate.median(name)),
            format(perWrite.median(name)),
            format(cpu.median(name) * perWrite.median(name)),
            format(bytes.median(name)),
            format(cpu.spread(name)),
          ]),
        ),
      },
    ],
    notes: [
      `${roundsOf(rounds)}; every server is restarted for each round. Saturated: 4 writes in flight for one topic, 64 for 1,000 topics. A write is done when all subscribers to its topic have received it.`,
      'The floor is `ws` with one buffer for all sockets, without GraphQL, and sends as many bytes as the product. The peers send a shorter message, without a cursor and without a snapshot.',
      'A value below 1 in "messages per change and subscriber" means that changes were merged: the newest count of a slot replaces one that was not sent yet.',
    ],
  };
}

const label = ({ subscribers, topics }: Case) => `${subscribers.toLocaleString('en')} x ${topics.toLocaleString('en')}`;

function verdicts(one: Case, names: readonly LiveName[], cpu: Rounds): Verdict[] {
  const row = `delivered message, ${label(one)}`;
  const floor: Verdict = {
    row,
    against: 'raw `ws` broadcast',
    measured: cpu.ratio('product', 'floor'),
    bound: 'at most',
    goal: one.topics === 1 ? 1.15 : 1.1,
  };
  if (one.topics > 1) return [floor];
  const peers = (['apollo', 'mercurius'] as const).map(
    (peer): Verdict => ({
      row,
      against: peer === 'apollo' ? 'Apollo + graphql-ws' : 'Mercurius',
      measured: names.includes(peer) ? cpu.ratio('product', peer) : null,
      bound: 'at most',
      goal: 0.3,
      remark: names.includes(peer)
        ? `the floor itself is at ${format(cpu.ratio('floor', peer))}`
        : 'the peers are not available',
    }),
  );
  return [floor, ...peers];
}
