/**
 * The latency of other queries during a check of all invariants and during a recovery, and the duration of `sextant
 * doctor`.
 */
import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runSextant } from '../../harness/command.js';
import { type Product, startProduct } from '../../harness/product.js';
import { makeRandom } from '../../harness/random.js';
import { hostOf, Popularity, pathOf } from '../analytics/many-requests.js';
import type { Benchmark, Verdict } from '../support/benchmark.js';
import { measuredSettings } from '../support/exceptions.js';
import { Rounds } from '../support/measure.js';
import { ask, EVERY_MS, waitsOfOthers } from '../support/others.js';
import { format } from '../support/report.js';

const SITE = 'log.example.org';
const LINES = 300_000;
const LINES_AT_ONCE = 10_000;
const DAYS = 28;
const IDLE_QUERIES = 500;
/** A recovery that finds little is short, so several run in a row. */
const RECOVERIES = 5;
const OTHERS = `{ topPages(site: "${SITE}", range: { from: "2026-02-01T00:00:00Z", to: "2026-02-02T00:00:00Z" }) { page count } }`;

export const maintenance: Benchmark = {
  name: 'maintenance',
  title: 'Latency during a check and a recovery',
  async run({ mongodbUri, rounds, scale, log }) {
    const lines = Math.ceil(LINES * scale);
    const database = `sextant_bench_${randomBytes(4).toString('hex')}`;
    const place = { MONGODB_URI: mongodbUri, MONGODB_DATABASE: database };
    const product = await startProduct({ mongodbUri, database, environment: measuredSettings });
    try {
      await importLines(lines, place);
      log(`${lines} requests are imported`);
      const figures = new Rounds();
      await waits(product, async () => undefined); // until the code is compiled
      for (let round = 1; round <= rounds; round += 1) {
        figures.add('idle', await waits(product, () => sleep(IDLE_QUERIES * EVERY_MS)));
        const begun = performance.now();
        figures.add('check', await waits(product, () => finish(product, 'checkInvariants', 'invariantCheck')));
        figures.add('checkSeconds', (performance.now() - begun) / 1000);
        figures.add('recovery', await waits(product, () => recoverOften(product)));
        figures.add('doctorSeconds', await secondsOfDoctor(place));
        log(`round ${round} of ${rounds} done`);
      }
      return findings(figures, lines);
    } finally {
      await product.stop();
    }
  },
};

async function importLines(count: number, place: Readonly<Record<string, string>>): Promise<void> {
  const path = join(tmpdir(), `sextant-bench-${randomBytes(4).toString('hex')}.log`);
  const random = makeRandom(1);
  const [paths, hosts] = [new Popularity(2000), new Popularity(20_000)];
  const line = (number: number) => {
    const second = Math.floor((number / count) * DAYS * 86_400);
    const time = new Date(Date.UTC(2026, 1, 1) + second * 1000).toISOString();
    const at = `${time.slice(8, 10)}/Feb/2026:${time.slice(11, 19)} +0000`;
    const request = `GET ${pathOf(paths.choose(random))} HTTP/1.1`;
    return `${hostOf(hosts.choose(random))} - - [${at}] "${request}" 200 ${random.below(50_000)} "-" "Mozilla/5.0"\n`;
  };
  try {
    const file = await open(path, 'w');
    for (let written = 0; written < count; written += LINES_AT_ONCE)
      await file.write(
        Array.from({ length: Math.min(LINES_AT_ONCE, count - written) }, (_, at) => line(written + at)).join(''),
      );
    await file.close();
    await mustSucceed(['import-log', path, '--site', SITE], place);
  } finally {
    await rm(path, { force: true });
  }
}

async function mustSucceed(parameters: readonly string[], place: Readonly<Record<string, string>>): Promise<void> {
  const { code, output, errors } = await runSextant(parameters, place);
  if (code !== 0) throw new Error(`sextant ${parameters[0]} exited with ${code}: ${output}${errors}`);
}

async function secondsOfDoctor(place: Readonly<Record<string, string>>): Promise<number> {
  const begun = performance.now();
  await mustSucceed(['doctor'], place);
  return (performance.now() - begun) / 1000;
}

async function recoverOften(product: Product): Promise<void> {
  for (let count = 0; count < RECOVERIES; count += 1) await finish(product, 'recover', 'recovery');
}

/** Starts it and waits until it has finished. */
async function finish(product: Product, mutation: string, field: string): Promise<void> {
  await ask(product, `mutation { ${mutation} { state } }`);
  for (;;) {
    const { state } = (await ask(product, `{ ${field} { state } }`))[field] as { state: string };
    if (state === 'FAILED') throw new Error(`${mutation} failed`);
    if (state === 'FINISHED') return;
    await sleep(10 * EVERY_MS);
  }
}

/** The p99 latency of other requests during the work, in milliseconds. */
const waits = (product: Product, work: () => Promise<unknown>) => waitsOfOthers(product, OTHERS, work);

function findings(figures: Rounds, lines: number) {
  const requests = `${lines.toLocaleString('en')} requests`;
  const beside = (what: 'check' | 'recovery'): Verdict => ({
    row: `p99 of other requests during a ${what} of ${requests}`,
    against: 'an idle server',
    measured: figures.ratio(what, 'idle'),
    bound: 'at most',
    goal: 1.5,
  });
  const doctor: Verdict = {
    row: `\`sextant doctor\`, ${requests}`,
    against: '',
    measured: figures.median('doctorSeconds'),
    bound: 'at most',
    goal: 16,
    unit: ' s',
  };
  const row = (what: string, p99: string, seconds: string) => [
    what,
    p99 && format(figures.median(p99)),
    seconds && format(figures.median(seconds)),
  ];
  return {
    verdicts: [beside('check'), beside('recovery'), doctor],
    tables: [
      {
        columns: ['', 'p99 of other requests, ms', 'seconds'],
        rows: [
          row('idle', 'idle', ''),
          row('`checkInvariants`', 'check', 'checkSeconds'),
          row(`\`recover\`, ${RECOVERIES} in a row`, 'recovery', ''),
          row('`sextant doctor`', '', 'doctorSeconds'),
        ],
      },
    ],
    notes: [
      `The log is imported with its hits. The other requests ask for the top pages of a day, one every ${EVERY_MS} ms. When the check ran in the server's own thread, they waited for 5 to 8 s, and doctor took 32 to 40 s.`,
    ],
  };
}
