/** When a phone on a slow line shows the first of a post, and how much it loads for it. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import type { Benchmark, Findings, Verdict } from '../support/benchmark.js';
import { productContestant } from '../support/contestants.js';
import { Rounds } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';
import { POST_PATH, storeBlog } from './example-blog.js';

/** Lighthouse's "slow 4G" and its phone. */
const LINE = { latency: 150, downloadThroughput: 1_638_400 / 8, uploadThroughput: 768_000 / 8, offline: false };
const CPU_SLOWDOWN = 4;
const PHONE = { width: 390, height: 844 };
const LOADS = 5; // per round
const PAINT_MS_MAX = 1000;
const KILOBYTES_MAX = 100;
const BROWSERS = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'];

const subjects = { post: POST_PATH, blog: '/blog' } as const;
type Subject = keyof typeof subjects;
const names = Object.keys(subjects) as Subject[];

const figures = ['first paint ms', 'largest paint ms', 'kB'] as const;
type Figure = (typeof figures)[number];

export const firstPaint: Benchmark = {
  name: 'first-paint',
  title: 'First paint of the public site on a phone',
  async run({ mongodbUri, rounds, nodeOptions, log }) {
    const executablePath = process.env.CHROMIUM_PATH ?? [...BROWSERS, chromium.executablePath()].find(existsSync);
    if (!executablePath) return findings(null, rounds);
    const place = { mongodbUri, database: `sextant_bench_${randomBytes(4).toString('hex')}` };
    const product = await productContestant(place, nodeOptions);
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    try {
      await storeBlog(place);
      const measured = new Map(figures.map((figure) => [figure, new Rounds()]));
      for (let round = 0; round <= rounds; round += 1) {
        for (const name of names)
          for (let load = 0; load < LOADS; load += 1) {
            const found = await open(browser, `http://127.0.0.1:${product.port}${subjects[name]}`);
            if (round > 0) for (const figure of figures) measured.get(figure)?.add(name, found[figure]);
          }
        log(round === 0 ? 'warm-up done' : `round ${round} done`);
      }
      return findings(measured, rounds);
    } finally {
      await browser.close();
      await product.stop();
    }
  },
};

/** Read in the page. */
const PAINTS = `new Promise((resolve) => {
  const paints = () => performance.getEntriesByName('first-contentful-paint');
  new PerformanceObserver((list) => {
    const [first] = paints();
    if (first) resolve([first.startTime, list.getEntries().at(-1).startTime]);
  }).observe({ type: 'largest-contentful-paint', buffered: true });
})`;

/** A new browser context each time: nothing is in its cache. */
async function open(browser: Browser, url: string): Promise<Record<Figure, number>> {
  const context = await browser.newContext({ viewport: PHONE, deviceScaleFactor: 3, isMobile: true });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', LINE);
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.goto(url, { waitUntil: 'load' });
    const [first, largest] = (await page.evaluate(PAINTS)) as [number, number];
    return { 'first paint ms': first, 'largest paint ms': largest, kB: bytes / 1000 };
  } finally {
    await context.close();
  }
}

function findings(measured: ReadonlyMap<Figure, Rounds> | null, rounds: number): Findings {
  const median = (figure: Figure, name: Subject) => measured?.get(figure)?.median(name) ?? null;
  const verdict = (row: string, figure: Figure, goal: number, unit: string): Verdict[] =>
    names.map((name) => ({
      row: `${row}: ${name}`,
      against: '',
      measured: median(figure, name),
      bound: 'at most',
      goal,
      unit,
      ...(measured === null && { remark: 'there is no Chromium' }),
    }));
  return {
    verdicts: [
      ...verdict('first contentful paint on a throttled phone', 'first paint ms', PAINT_MS_MAX, ' ms'),
      ...verdict('loaded without pictures', 'kB', KILOBYTES_MAX, ' kB'),
    ],
    tables: [
      {
        columns: ['page', ...figures, 'spread of the first paint'],
        rows: names.map((name) => [
          name,
          ...figures.map((figure) => format(median(figure, name) ?? Number.NaN)),
          format(measured?.get('first paint ms')?.spread(name) ?? Number.NaN),
        ]),
      },
    ],
    notes: [
      `${roundsOf(rounds)} of ${LOADS} loads with an empty cache; medians of all. Chromium slows itself down to Lighthouse's phone: 1.6 Mbit/s, 150 ms to each answer, a fourth of the CPU. Its times for other machines differ.`,
      'The page is rendered with its style sheet only: the script is a module, which waits for the page. Scripts are included in the size.',
    ],
  };
}
