/** The memory cost of an idle subscriber. */
import { residentBytes } from '../../harness/process-usage.js';
import type { Benchmark } from '../support/benchmark.js';
import { Rounds } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';
import { liveNames, startLive } from './live.js';

const SUBSCRIBERS = 5000;
const REST_MS = 5000; // until garbage from connecting is collected

export const idleMemory: Benchmark = {
  name: 'idle-memory',
  title: 'Memory of idle subscribers',
  async run(surroundings) {
    const names = liveNames(surroundings);
    const perSubscriber = new Rounds();
    const before = new Rounds();
    for (let round = 1; round <= surroundings.rounds; round += 1) {
      for (const name of names) {
        const live = await startLive(name, surroundings);
        try {
          (await live.connect(10, 1)).end(); // opens the stream and compiles the code
          await rest();
          const empty = residentBytes(live.contestant.pid);
          const clients = await live.connect(SUBSCRIBERS, 1);
          await rest();
          before.add(name, empty / 2 ** 20);
          perSubscriber.add(name, (residentBytes(live.contestant.pid) - empty) / SUBSCRIBERS / 1024);
          clients.end();
        } finally {
          await live.stop();
        }
      }
      surroundings.log(`round ${round} done`);
    }
    return {
      verdicts: [
        {
          row: 'memory of 5,000 idle subscribers',
          against: 'floor',
          measured: perSubscriber.ratio('product', 'floor'),
          bound: 'at most',
          goal: 1.5,
        },
      ],
      tables: [
        {
          columns: ['server', 'KiB per subscriber', 'MiB before'],
          rows: names.map((name) => [name, format(perSubscriber.median(name)), format(before.median(name))]),
        },
      ],
      notes: [
        `Resident memory of the server process with ${SUBSCRIBERS} subscribers to one topic, each on its own socket, minus the memory before they connected; ${REST_MS / 1000} s of idle time before each reading. ${roundsOf(surroundings.rounds)}.`,
      ],
    };
  },
};

const rest = () => new Promise((resolve) => setTimeout(resolve, REST_MS));
