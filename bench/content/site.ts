/** The cost of the public site's answers, against the same bytes as files that are sent by `@fastify/static`. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { cpuMicros } from '../../harness/process-usage.js';
import { pageRequest } from '../load/request-text.js';
import { sendRequests } from '../load/requests-process.js';
import type { Benchmark, Findings, Surroundings, Verdict } from '../support/benchmark.js';
import { type Contestant, floorContestant, productContestant } from '../support/contestants.js';
import { Rounds } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';
import { POST_PATH, RSS_PATH, storeBlog } from './example-blog.js';

/** Pages depend on how the server is called. */
const HOST = '127.0.0.1';
const CONNECTIONS = 32;
const REQUESTS = 6000;
const UNCHANGED_MAX = 2;
const WHOLE_MAX = 8;

const names = ['product', 'floor'] as const;
type Name = (typeof names)[number];

/** What is asked for: a path of the product, and the floor's file with the same bytes. */
const subjects = [
  { subject: 'post', path: POST_PATH, file: 'post.html' },
  { subject: 'RSS feed', path: RSS_PATH, file: 'feed.xml' },
] as const;
type Subject = (typeof subjects)[number];

const ways = ['matching ETag', 'whole', 'whole, Brotli'] as const;
type Way = (typeof ways)[number];

export const site: Benchmark = {
  name: 'site',
  title: 'Public site',
  async run(surroundings) {
    const place = { mongodbUri: surroundings.mongodbUri, database: `sextant_bench_${randomBytes(4).toString('hex')}` };
    const folder = await mkdtemp(join(tmpdir(), 'sextant-bench-site-'));
    const contestants = new Map<Name, Contestant>();
    try {
      contestants.set('product', await productContestant(place, surroundings.nodeOptions));
      await storeBlog(place);
      const sizes = await copy(contestants.get('product')?.port ?? 0, folder);
      contestants.set('floor', await floorContestant('files', place, { FOLDER: folder }));
      return await compare(contestants, sizes, surroundings);
    } finally {
      for (const contestant of contestants.values()) await contestant.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** The product's bytes as the floor's files. @returns the lengths of the bodies */
async function copy(port: number, folder: string): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  for (const { subject, path, file } of subjects) {
    const { body: whole } = await ask(port, path, 'identity');
    const { body: compressed } = await ask(port, path, 'br');
    if (!brotliDecompressSync(compressed).equals(whole)) throw new Error(`${path} differs when it is compressed`);
    await writeFile(join(folder, file), whole);
    await writeFile(join(folder, `${file}.br`), compressed);
    sizes.set(cell(subject, 'whole'), whole.length).set(cell(subject, 'whole, Brotli'), compressed.length);
  }
  return sizes;
}

/** As sent: `fetch` would decompress it. */
async function ask(port: number, path: string, encoding: string): Promise<{ body: Buffer; etag: string }> {
  return new Promise((resolve, reject) => {
    const headers = { host: HOST, 'accept-encoding': encoding };
    const sent = request({ host: HOST, port, path, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      answer.on('end', () => {
        const { etag } = answer.headers;
        if (answer.statusCode === 200 && etag) resolve({ body: Buffer.concat(chunks), etag });
        else reject(new Error(`${path}: ${answer.statusCode}`));
      });
    });
    sent.on('error', reject).end();
  });
}

const cell = (subject: string, way: Way): string => `${subject}, ${way}`;

type Figures = Readonly<Record<'cpu' | 'rate' | 'p50' | 'p99', Rounds>>;

async function compare(
  contestants: ReadonlyMap<Name, Contestant>,
  sizes: ReadonlyMap<string, number>,
  { rounds, scale, only, log }: Surroundings,
): Promise<Findings> {
  const results = new Map<string, Figures>();
  for (const one of subjects)
    for (const way of ways) {
      const figures = { cpu: new Rounds(), rate: new Rounds(), p50: new Rounds(), p99: new Rounds() };
      for (let round = 0; round <= rounds; round += 1)
        for (const [name, contestant] of contestants) {
          if (only && !only.includes(name)) continue;
          const requests = Math.ceil(REQUESTS * scale);
          const before = cpuMicros(contestant.pid);
          const { perSecond, p50, p99 } = await send(name, contestant.port, one, way, requests);
          if (round === 0) continue; // warm-up
          figures.cpu.add(name, (cpuMicros(contestant.pid) - before) / requests);
          figures.rate.add(name, perSecond);
          figures.p50.add(name, p50);
          figures.p99.add(name, p99);
        }
      results.set(cell(one.subject, way), figures);
      log(`${cell(one.subject, way)} done`);
    }
  return findings(results, sizes, rounds);
}

async function send(name: Name, port: number, { path, file }: Subject, way: Way, requests: number) {
  const address = name === 'product' ? path : `/${file}`;
  const encoding = way === 'whole' ? 'identity' : 'br';
  const { etag } = await ask(port, address, encoding);
  const isConditional = way === 'matching ETag';
  return sendRequests({
    port,
    connections: CONNECTIONS,
    requests,
    messages: [pageRequest(address, { 'accept-encoding': encoding, ...(isConditional && { 'if-none-match': etag }) })],
    status: isConditional ? 304 : 200,
  });
}

function findings(results: ReadonlyMap<string, Figures>, sizes: ReadonlyMap<string, number>, rounds: number): Findings {
  return {
    verdicts: [...results].map(
      ([name, { cpu }]): Verdict => ({
        row: `public site: ${name}, 32 connections`,
        against: 'the same bytes by `@fastify/static`',
        measured: cpu.ratio('product', 'floor'),
        bound: 'at most',
        goal: name.endsWith('ETag') ? UNCHANGED_MAX : WHOLE_MAX,
        unit: ' times',
      }),
    ),
    tables: [
      {
        columns: ['answer', 'bytes', 'server', 'CPU µs', '÷ floor', 'requests/s', 'p50 ms', 'p99 ms', 'spread'],
        rows: [...results].flatMap(([name, { cpu, rate, p50, p99 }]) =>
          names.map((server) => [
            name,
            (sizes.get(name) ?? 0).toLocaleString('en'),
            server,
            format(cpu.median(server)),
            format(cpu.ratio(server, 'floor')),
            format(rate.median(server)),
            format(p50.median(server)),
            format(p99.median(server)),
            format(cpu.spread(server)),
          ]),
        ),
      },
    ],
    notes: [
      `${roundsOf(rounds)} of ${REQUESTS.toLocaleString('en')} requests for one page, on ${CONNECTIONS} connections that stay open. The floor is Fastify with nothing but \`@fastify/static\`: no log, no limits, no headers for protection. Its files are the bytes that the product sends, also those that are compressed already.`,
      'The product keeps rendered pages in memory. Once per second and page, it looks in the database whether the page is still the same; these reads are included.',
    ],
  };
}
