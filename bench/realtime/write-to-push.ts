/** How long a write takes to reach its subscribers on a quiet server. */
import type { Benchmark } from '../support/benchmark.js';
import { Rounds } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';
import { liveNames, startLive } from './live.js';

const SUBSCRIBERS = 100;
const EVERY_MS = 25;
const WRITES = 400;

export const writeToPush: Benchmark = {
  name: 'write-to-push',
  title: 'Write-to-push latency on a quiet server',
  async run(surroundings) {
    const names = liveNames(surroundings);
    const p50 = new Rounds();
    const p99 = new Rounds();
    for (let round = 1; round <= surroundings.rounds; round += 1) {
      for (const name of names) {
        const live = await startLive(name, surroundings);
        try {
          const clients = await live.connect(SUBSCRIBERS, 1);
          await clients.pace(100, EVERY_MS); // warm-up
          const { latencies } = await clients.pace(Math.ceil(WRITES * surroundings.scale), EVERY_MS);
          p50.add(name, latencies?.p50 ?? Number.NaN);
          p99.add(name, latencies?.p99 ?? Number.NaN);
          clients.end();
        } finally {
          await live.stop();
        }
      }
      surroundings.log(`round ${round} done`);
    }
    const goal = { bound: 'at most', goal: 1.3 } as const;
    return {
      verdicts: [
        {
          row: 'write-to-push latency, quiet server, p50',
          against: 'floor',
          measured: p50.ratio('product', 'floor'),
          ...goal,
        },
        {
          row: 'write-to-push latency, quiet server, p99',
          against: 'floor',
          measured: p99.ratio('product', 'floor'),
          ...goal,
        },
      ],
      tables: [
        {
          columns: ['server', 'p50 ms', 'p99 ms'],
          rows: names.map((name) => [name, format(p50.median(name)), format(p99.median(name))]),
        },
      ],
      notes: [
        `A majority write every ${EVERY_MS} ms, ${SUBSCRIBERS} subscribers to one topic. Measured from the start of the write to each arrival at the client. ${roundsOf(surroundings.rounds)}.`,
      ],
    };
  },
};
