/** Imports whose process is killed: every line counts once, and whoever follows the work sees it continue. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { type Product, startProduct } from '../../harness/product.js';
import { chooseSeed } from '../../harness/random.js';
import { chooseSome } from '../../harness/rounds.js';
import { logEvents } from '../../src/models/analytics/log-growth/log-segment.js';
import { toGlobalId } from '../../src/shared/global-id.js';
import {
  expectSound,
  fileOf,
  hitsOf,
  log,
  outcomes,
  type RunOptions,
  runSextantOn,
} from '../analytics/log-import/import-command.js';
import { lines } from '../content/import/import-support.js';
import { useDatabase } from '../support/database.js';
import { makePicture } from '../system/assets/picture-support.js';
import { violationsOf } from './invariants.js';

const database = useDatabase();
const sextant = (args: readonly string[], options?: RunOptions) => runSextantOn(database, args, options);

interface Given {
  readonly file: string;
  readonly input?: Buffer;
}

const FORMATS: readonly (readonly [string, string, () => Promise<Given>])[] = [
  ['a file', 'plain', async () => ({ file: await fileOf(log(20_000)) })],
  ['standard input in gzip', 'piped-gzip', async () => ({ file: '-', input: gzipSync(log(20_000)) })],
  ['a gzip file', 'gzip', async () => ({ file: await fileOf(gzipSync(log(20_000)), 'access.log.gz') })],
  ['standard input', 'piped', async () => ({ file: '-', input: log(20_000) })],
];

describe('sextant import-log', () => {
  const seed = chooseSeed('imports that are killed');

  it.each(chooseSome(FORMATS, 1, seed))(
    'counts every line of %s once when it is killed repeatedly',
    async (_case, name, given) => {
      const site = `killed-${name}.example.org`;
      const { file, ...input } = await given();
      const args = ['import-log', file, '--site', site, '--json'];
      const kills = ['log.hits.part-counted:2', 'log.batch.committed:3']; // each causes a wait for a lease of ten seconds
      if (name === 'plain') kills.unshift('log.batch.events-inserted:3', 'log.hits.days-moved'); // because little depends on the format
      if (file === '-') kills.unshift('log.file.stored');
      for (const SEXTANT_FAILPOINT of chooseSome(kills, 2, seed)) {
        const killed = await sextant(args, { ...input, environment: { SEXTANT_FAILPOINT } });
        expect(killed.signal, killed.errors).toBe('SIGKILL');
        await expectSound(database);
      }
      const ended = await sextant(args, input);
      expect(outcomes(ended)).toMatchObject([{ state: 'FINISHED', lines: 20_000, imported: 20_000, hits: 20_000 }]);
      expect(await logEvents(database.db).countDocuments({ site })).toBe(20_000);
      expect(await hitsOf(database, site)).toBe(20_000);
    },
    180_000,
  );

  it('waits for the lease of a killed process, and continues by itself', async () => {
    const args = ['import-log', await fileOf(log(2000)), '--site', 'waiting.example.org', '--json'];
    const killed = await sextant(args, { environment: { SEXTANT_FAILPOINT: 'log.batch.committed' } });
    expect(killed.signal).toBe('SIGKILL');
    expect(outcomes(await sextant(args))).toMatchObject([{ state: 'FINISHED', lines: 2000, hits: 2000 }]);
  });
});

interface Followed {
  readonly workChanged: { readonly work: { readonly state: string; readonly done: number } };
}

const IMPORT = `mutation ($file: Upload!, $input: ImportContentInput!) {
  importContent(file: $file, input: $input) { ... on DataImport { id } }
}`;
const UNDO = 'mutation ($id: ID!) { undoImport(id: $id) { __typename } }';
const FOLLOW = 'subscription ($id: ID!) { workChanged(id: $id) { work { state done } } }';
const PAGES = 2000; // twenty steps: some ten seconds, while the next server starts

describe('an import of content', () => {
  const own = useDatabase();
  const products: Product[] = [];
  afterAll(() => Promise.all(products.map((product) => product.kill())));

  async function start(): Promise<Product> {
    const product = await startProduct({ mongodbUri: own.uri, database: own.db.databaseName });
    products.push(product);
    return product;
  }

  /** Each event of the work, from a server's own socket, until the last one that is wanted. */
  async function follow(product: Product, id: string, isLast: (work: Followed['workChanged']['work']) => boolean) {
    for await (const { data, errors } of product.subscribe<Followed>(FOLLOW, { id })) {
      expect(errors).toBeUndefined();
      if (data && isLast(data.workChanged.work)) return data.workChanged.work;
    }
    throw new Error('The subscription ended before the work');
  }

  it('survives the death of its server, and so does its undoing', { timeout: 300_000 }, async () => {
    const { db } = own;
    const [id, bytes] = ['00000000-0000-4000-8000-00000000000a', await makePicture('image/png')];
    const picture = toGlobalId('Asset', id);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const rows = [
      { picture, name: 'a.png', bytes: bytes.length, sha256 },
      { picture, data: bytes.toString('base64') },
      ...Array.from({ length: PAGES }, (_, row) => ({ title: `Page ${row}`, text: `![a](asset:${picture})` })),
    ];
    const done = PAGES + 1;

    const first = await start();
    const file = new File([lines(rows)], 'pages.jsonl');
    const answer = await first.upload<{ importContent: { id: string } }>(
      IMPORT,
      { input: { format: 'JSON_LINES' } },
      file,
    );
    const work = answer.data?.importContent.id ?? '';
    await follow(first, work, (each) => each.done > 1); // from here on nobody else takes it up
    const second = await start();
    const imported = follow(second, work, ({ state }) => state === 'FINISHED');
    expect(await follow(second, work, () => true)).toMatchObject({ state: 'RUNNING' });
    await first.kill();
    expect(await imported).toEqual({ state: 'FINISHED', done });
    expect(await db.collection('cms.nodes').countDocuments()).toBe(PAGES);
    expect(await db.collection('cms.versions').countDocuments()).toBe(PAGES);
    expect(await db.collection('cms.assets.files').countDocuments({ 'metadata.state': 'STORED' })).toBe(1);
    expect(await violationsOf(db)).toEqual([]);

    await second.request(UNDO, { id: work });
    await expect.poll(() => db.collection('cms.nodes').countDocuments(), { timeout: 60_000 }).toBeLessThan(PAGES);
    const third = await start();
    const undone = follow(third, work, ({ state }) => state === 'UNDONE');
    expect(await follow(third, work, () => true)).toMatchObject({ state: 'UNDOING' });
    await second.kill();
    expect(await undone).toEqual({ state: 'UNDONE', done: 0 });
    expect(await db.collection('cms.nodes').countDocuments()).toBe(0);
    expect(await db.collection('cms.versions').countDocuments()).toBe(0);
    expect(await violationsOf(db)).toEqual([]);
  });
});
