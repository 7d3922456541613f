/**
 * The cost of following a thousand large charts, and of ten sockets that ask for them and never read: memory, and the
 * latency of other requests.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fillPage, followCharts, hitOnce, readMetrics, residentMb, SITE, stallOn } from '../../harness/large-charts.js';
import { type Product, startProduct } from '../../harness/product.js';
import type { Benchmark } from '../support/benchmark.js';
import { measuredSettings } from '../support/exceptions.js';
import { EVERY_MS, waitsOfOthers } from '../support/others.js';
import { format } from '../support/report.js';

const CHARTS = 1000;
const SOCKETS = 10;
const CHARTS_OF_A_SOCKET = 100;
const QUERIES = 400;
/** V8 frees the garbage from reading the charts only after some seconds of idle time. */
const REST_MS = 30_000;
const OTHERS = `{ topPages(site: "${SITE}", range: { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" }) { page count } }`;

export const largeCharts: Benchmark = {
  name: 'large-charts',
  title: 'Subscriptions to large charts',
  async run({ mongodbUri, scale, log }) {
    const charts = Math.ceil(CHARTS * scale);
    const database = `sextant_bench_${randomBytes(4).toString('hex')}`;
    const product = await startProduct({ mongodbUri, database, environment: measuredSettings });
    try {
      await fillPage(product);
      await waits(product); // until the code is compiled
      await sleep(REST_MS);
      const idle = { memory: residentMb(product), p99: await waits(product) };
      log('idle measured');
      const followed = await followCharts(product, charts);
      await followed.received(1);
      log(`${charts} charts are followed`);
      for (let socket = 0; socket < SOCKETS; socket += 1) await stallOn(product, CHARTS_OF_A_SOCKET);
      const stalled = async () => (await readMetrics(product))('sextant_unsent_connections');
      while ((await stalled()) < SOCKETS) await sleep(200);
      await hitOnce(product);
      await followed.received(2);
      const atOnce = residentMb(product);
      await sleep(REST_MS);
      const busy = { memory: residentMb(product), p99: await waits(product) };
      const metric = await readMetrics(product);
      followed.end();
      const row = `${charts} charts of 49,000 points and ${SOCKETS} sockets that never read`;
      return {
        verdicts: [
          {
            row: `${row}: additional memory`,
            against: 'idle, MB',
            measured: busy.memory - idle.memory,
            bound: 'at most',
            goal: 300,
          },
          {
            row: `${row}: p99 of other requests`,
            against: 'idle',
            measured: busy.p99 / idle.p99,
            bound: 'at most',
            goal: 2,
          },
        ],
        tables: [
          {
            columns: ['', 'resident MB', 'p99 of other requests, ms', 'states MB', 'unsent MB'],
            rows: [
              ['idle', format(idle.memory), format(idle.p99), '', ''],
              ['followed, just started', format(atOnce), '', '', ''],
              [
                `followed, ${REST_MS / 1000} s later`,
                format(busy.memory),
                format(busy.p99),
                format(metric('sextant_state_bytes') / 1e6),
                format(metric('sextant_unsent_bytes') / 1e6),
              ],
            ],
          },
        ],
        notes: [
          `Each chart is separate, of a page with a hit in every minute. Each socket that never reads asks for ${CHARTS_OF_A_SOCKET} of them. The other requests ask for top pages, one every ${EVERY_MS} ms.`,
        ],
      };
    } finally {
      await product.stop();
    }
  },
};

/** The p99 latency of other requests, in milliseconds. */
const waits = (product: Product) => waitsOfOthers(product, OTHERS, () => sleep(QUERIES * EVERY_MS));
