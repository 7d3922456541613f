/** The memory of the server while files are uploaded: it must not grow with their size, also of those that are refused. */
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import sharp from 'sharp';
import { residentBytes } from '../../harness/process-usage.js';
import type { Benchmark, Findings, Surroundings } from '../support/benchmark.js';
import { type Contestant, productContestant } from '../support/contestants.js';
import { Rounds } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';

const MEGABYTE = 1e6;
const SAMPLE_MS = 20;
const CHUNK = Buffer.alloc(65_536, 0x20);
const GROWTH_MAX = 100;
const BOUNDARY = 'a-boundary-that-is-in-no-file';
/** The limit of pictures, `MAX_PICTURE_BYTES`, and a size far beyond it. */
const LIMIT_BYTES = 20_971_520;
const HUGE_BYTES = 1e9;

interface Case {
  readonly name: string;
  /** The first bytes; spaces fill it up. */
  readonly head: Buffer;
  readonly bytes: number;
  /** What the answer contains. */
  readonly expected: string;
}

export const uploads: Benchmark = {
  name: 'uploads',
  title: 'Memory of uploads',
  async run(surroundings) {
    const { mongodbUri, rounds, scale, nodeOptions, log } = surroundings;
    const place = { mongodbUri, database: `sextant_bench_${randomBytes(4).toString('hex')}` };
    const product = await productContestant(place, nodeOptions);
    try {
      const cases = await makeCases(scale);
      const [peaks, seconds] = [new Rounds(), new Rounds()];
      for (let round = 0; round <= rounds; round += 1)
        for (const one of cases) {
          const { peak, took } = await measure(product, one);
          log(`${one.name}: ${Math.round(peak / MEGABYTE)} MB, ${format(took)} s`);
          if (round === 0) continue; // warm-up
          peaks.add(one.name, peak / MEGABYTE);
          seconds.add(one.name, took);
        }
      return findings(cases, peaks, seconds, surroundings);
    } finally {
      await product.stop();
    }
  },
};

const SMALL = 'a picture of 1 MB';
const LARGE = 'a picture of 19 MB';
const HUGE = 'a file of 1 GB';

async function makeCases(scale: number): Promise<Case[]> {
  const stored = '"__typename":"Asset"';
  const [small, large] = [await noise(580), await noise(2500)];
  const tooLarge = Math.max(HUGE_BYTES * scale, LIMIT_BYTES * 2);
  return [
    { name: SMALL, head: small, bytes: small.length, expected: stored },
    { name: LARGE, head: large, bytes: large.length, expected: stored },
    { name: HUGE, head: small, bytes: tooLarge, expected: `The picture is larger than ${LIMIT_BYTES} bytes` },
  ];
}

/** A picture that cannot be compressed. @returns three bytes per pixel */
const noise = (width: number): Promise<Buffer> =>
  sharp(randomBytes(width * width * 3), { raw: { width, height: width, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();

async function measure(product: Contestant, one: Case): Promise<{ peak: number; took: number }> {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentBytes(product.pid));
  }, SAMPLE_MS);
  const begin = performance.now();
  try {
    const answer = await upload(product, one);
    if (!answer.includes(one.expected)) throw new Error(`${one.name}: ${answer.slice(0, 1000)}`);
    return { peak, took: (performance.now() - begin) / 1000 };
  } finally {
    clearInterval(timer);
  }
}

/** Sends the file as it is made: this process does not hold it, either. */
async function upload({ port, authorization }: Contestant, one: Case): Promise<string> {
  const part = (name: string, text: string) =>
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
  const query =
    'mutation ($file: Upload!) { uploadPicture(file: $file) { __typename ... on NotAPicture { message } } }';
  const before = Buffer.from(
    `${part('operations', JSON.stringify({ query, variables: { file: null } }))}${part('map', '{"0":["variables.file"]}')}` +
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="0"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`,
  );
  const after = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
  const headers = {
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    'content-length': before.length + one.bytes + after.length,
    'apollo-require-preflight': 'true',
    authorization: authorization ?? '',
  };
  const sent = request({ host: '127.0.0.1', port, path: '/graphql', method: 'POST', headers });
  const answered = new Promise<string>((resolve, reject) => {
    sent.on('error', reject).on('response', (answer) => {
      answer.toArray().then((chunks) => resolve(Buffer.concat(chunks).toString()), reject);
    });
  });
  await pipeline(Readable.from(bodyOf(before, one, after)), sent);
  return answered;
}

function* bodyOf(before: Buffer, { head, bytes }: Case, after: Buffer): Generator<Buffer> {
  yield before;
  yield head;
  for (let left = bytes - head.length; left > 0; left -= CHUNK.length) yield CHUNK.subarray(0, left);
  yield after;
}

function findings(cases: readonly Case[], peaks: Rounds, seconds: Rounds, { rounds }: Surroundings): Findings {
  const growth = (name: string) => peaks.median(name) - peaks.median(SMALL);
  return {
    verdicts: [HUGE, LARGE].map((name) => ({
      row: `memory for ${name}${name === HUGE ? ', which is refused' : ''}`,
      against: SMALL,
      measured: growth(name),
      bound: 'at most' as const,
      goal: GROWTH_MAX,
      unit: ' MB',
    })),
    tables: [
      {
        columns: ['upload', 'bytes', 'answer', 'peak memory MB', 'minus that of 1 MB', 'seconds', 'spread of memory'],
        rows: cases.map(({ name, bytes, expected }) => [
          name,
          bytes.toLocaleString('en'),
          expected.startsWith('The') ? 'refused' : 'stored',
          format(peaks.median(name)),
          format(growth(name)),
          format(seconds.median(name)),
          format(peaks.spread(name)),
        ]),
      },
    ],
    notes: [
      `${roundsOf(rounds)}. Peak resident memory of the server process, sampled every ${SAMPLE_MS} ms. A file is spooled to a temporary file before its operation runs; a picture is then decoded, which takes memory for its pixels, not for its bytes.`,
    ],
  };
}
