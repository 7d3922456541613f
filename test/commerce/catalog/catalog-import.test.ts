/** Importing a catalog from JSON lines, by the model and by the command. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { runSextant } from '../../../harness/command.js';
import { projectRoot } from '../../../harness/project-root.js';
import { findCatalogViolations } from '../../../src/models/commerce/catalog/catalog-invariants.js';
import { categories, findCategory } from '../../../src/models/commerce/catalog/category.js';
import { products } from '../../../src/models/commerce/catalog/product.js';
import { findProduct } from '../../../src/models/commerce/catalog/product-list.js';
import { importCatalog } from '../../../src/models/commerce/catalog-import/catalog-import.js';
import { cutLines, LINE_BYTES_MAX } from '../../../src/models/commerce/catalog-import/catalog-lines.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { CURRENCY, emptyCatalog } from './catalog-support.js';

const test = useDatabase();
beforeEach(() => emptyCatalog(test.db));

const price = { amount: 1999, currency: CURRENCY };
const LINES = [
  { category: { slug: 'films', name: 'Films' } },
  { category: { slug: 'nouvelle-vague', name: 'Nouvelle Vague', under: 'films' } },
  {
    sku: 'F-1',
    title: 'À bout de souffle',
    type: 'FILM',
    price,
    categories: ['nouvelle-vague'],
    film: { directors: ['Jean-Luc Godard'], actors: ['Jean Seberg'], issuedOn: '1960-03-16' },
  },
  { sku: 'B-1', title: 'A book', type: 'BOOK', price, properties: [{ name: 'pages', value: '300' }] },
].map((line) => JSON.stringify(line));

async function run(lines: readonly string[]) {
  return runBytes([Buffer.from(lines.join('\n'))]);
}

async function runBytes(chunks: Iterable<Buffer>) {
  const rejects: [number, string][] = [];
  async function* all() {
    yield* chunks;
  }
  const progress = await importCatalog(test.db, cutLines(all()), {
    act: testAct(),
    currency: CURRENCY,
    holder: 'a test',
    isStopping: () => false,
    onProgress: () => undefined,
    onReject: (line, reason) => rejects.push([line, reason]),
  });
  return { progress, rejects };
}

async function expectWhole(): Promise<void> {
  const found = [];
  for await (const violation of findCatalogViolations(test.db)) found.push(violation);
  expect(found).toEqual([]);
}

describe('a catalog file', () => {
  it('imports categories and their products, and changes nothing when it is imported again', async () => {
    expect(await run(LINES)).toEqual({ progress: { lines: 4, products: 2, categories: 2, rejected: 0 }, rejects: [] });
    const before = await products(test.db).find().sort({ _id: 1 }).toArray();
    expect((await run(LINES)).progress).toEqual({ lines: 4, products: 2, categories: 0, rejected: 0 });
    expect(await products(test.db).find().sort({ _id: 1 }).toArray()).toEqual(before);
    expect(await findProduct(test.db, 'F-1')).toMatchObject({
      title_key: 'a bout de souffle',
      details: { issued_on: new Date('1960-03-16'), actors: ['Jean Seberg'] },
    });
    expect(await findCategory(test.db, 'films')).toMatchObject({ product_count: 1 });
    await expectWhole();
  });

  it('is imported without its invalid lines, each of which is reported', async () => {
    const book = { sku: 'B-2', title: 'Another', type: 'BOOK', price };
    const bad = [
      '{',
      '[]',
      'null',
      JSON.stringify({ ...book, price: 3 }),
      JSON.stringify({ ...book, surprise: 1 }),
      JSON.stringify({ ...book, type: 'FILM', film: { issuedOn: '1960-02-30' } }),
      JSON.stringify({ ...book, categories: ['none'] }),
      JSON.stringify({ category: { slug: 'A B', name: 'Bad' } }),
      JSON.stringify({ category: { slug: 'lost', name: 'Lost', under: 'none' } }),
      JSON.stringify({ ...book, sku: undefined }),
    ];
    const { progress, rejects } = await run([...bad, '', ...LINES]);
    expect(progress).toEqual({ lines: 15, products: 2, categories: 2, rejected: bad.length });
    expect(rejects.map(([line]) => line).toSorted((left, right) => left - right)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ]);
    expect(Object.fromEntries(rejects)).toMatchObject({
      1: 'The line is not JSON',
      4: 'price: must be of type object',
      6: 'film.issuedOn: must be a date such as 1971-11-08',
      7: 'categories.0: no category has the slug none',
      9: 'No category has the slug none',
      10: 'sku: is missing',
    });
    await expectWhole();
  });
});

describe('the lines of a catalog file', () => {
  it('are the same for chunks of any size, either line ending, and no final line ending', async () => {
    const bytes = Buffer.from(LINES.join('\r\n'));
    const single = Array.from(bytes, (byte) => Buffer.of(byte));
    const { progress, rejects } = await runBytes(single);
    expect(rejects).toEqual([]);
    expect(progress).toEqual({ lines: 4, products: 2, categories: 2, rejected: 0 });
  });

  it('may have any length: one that is too long is reported and never held in memory', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    function* gigabyte() {
      for (let n = 0; n < 1024; n += 1) yield chunk;
      yield Buffer.from(`\n${LINES[3]}\n`);
    }
    const before = process.memoryUsage().rss;
    const { progress, rejects } = await runBytes(gigabyte());
    expect(rejects).toEqual([[1, `The line exceeds ${LINE_BYTES_MAX} bytes`]]);
    expect(progress).toEqual({ lines: 2, products: 1, categories: 0, rejected: 1 });
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  it('are refused when they are not UTF-8', async () => {
    const { rejects } = await runBytes([Buffer.from([0x22, 0xc3, 0x28, 0x22, 0x0a])]);
    expect(rejects).toEqual([[1, 'The line is not UTF-8']]);
  });

  it('are batched up to a limit in bytes, and the progress reports the bytes', async () => {
    const description = 'd'.repeat(10_000);
    const lines = Array.from({ length: 900 }, (_, n) =>
      JSON.stringify({ sku: `L-${n}`, title: 'Long', type: 'BOOK', price, description }),
    );
    const sizes: number[] = [];
    const stored: number[] = [];
    let previous = 0;
    async function* all() {
      yield Buffer.from(lines.join('\n'));
    }
    await importCatalog(test.db, cutLines(all()), {
      act: testAct(),
      currency: CURRENCY,
      holder: 'a test',
      isStopping: () => false,
      onProgress: ({ products: saved }, bytes) => {
        stored.push(bytes);
        sizes.push(saved - previous);
        previous = saved;
      },
      onReject: () => undefined,
    });
    expect(sizes).toEqual([416, 416, 68]); // 4 MiB each, then the rest
    const upTo = (count: number) => lines.slice(0, count).join('\n').length + 1; // of a file read in one go
    expect(stored).toEqual([upTo(416), upTo(832), upTo(900)]);
  });
});

describe('sextant import-catalog', () => {
  const sextant = (...parameters: string[]) =>
    runSextant(['import-catalog', ...parameters], {
      MONGODB_URI: test.uri,
      MONGODB_DATABASE: test.db.databaseName,
    });

  it('imports plain and gzip files, and reports rejected lines', async () => {
    const folder = await temporaryFolder();
    const [plain, packed, rejects] = ['a.jsonl', 'b.jsonl.gz', 'rejects.jsonl'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await writeFile(plain, `${LINES.join('\r\n')}\r\n`);
    await writeFile(packed, gzipSync(`{\n${LINES[3]}\n`));
    const { code, output } = await sextant(plain, packed, '--json', '--rejects', rejects);
    expect(JSON.parse(output)).toEqual([
      { file: plain, lines: 4, products: 2, categories: 2, rejected: 0, failure: null, rejects: [] },
      {
        file: packed,
        lines: 2,
        products: 1,
        categories: 0,
        rejected: 1,
        failure: null,
        rejects: [{ line: 1, reason: 'The line is not JSON' }],
      },
    ]);
    expect(code).toBe(1);
    expect(JSON.parse(await readFile(rejects, 'utf8'))).toEqual({
      file: packed,
      line: 1,
      reason: 'The line is not JSON',
    });
    expect(await products(test.db).countDocuments()).toBe(2);
  });

  it('reports rejected lines in order', async () => {
    const file = join(await temporaryFolder(), 'mixed.jsonl');
    const inDollars = { sku: 'US-1', title: 'Elsewhere', type: 'TOY', price: { amount: 100, currency: 'USD' } };
    await writeFile(file, `${JSON.stringify(inDollars)}\n{\n`);
    const { output } = await sextant(file);
    expect(output).toContain('  line 1: price.currency must be EUR\n  line 2: The line is not JSON\n');
  });

  it('reports a file that does not exist, and a truncated gzip file', async () => {
    const folder = await temporaryFolder();
    const broken = join(folder, 'broken.gz');
    await writeFile(broken, gzipSync(LINES.join('\n')).subarray(0, -20));
    const { code, output } = await sextant(broken, join(folder, 'none.jsonl'));
    expect(code).toBe(1);
    expect(output).toContain('The gzip file is truncated');
    expect(output).toContain('The file cannot be read');
  });
});

const DATA = join(projectRoot, '../shared/data/bestbuy-catalog');
if (!existsSync(DATA)) process.stderr.write('There is no catalog at ../shared/data: its test is skipped\n');

/** Two product names contain a control character in place of a lost one. */
const CONTROL_CHARACTER = 'title must not have the hidden character U+0099, which is at position 9';

describe.skipIf(!existsSync(DATA))('a real catalog of 3,291 phones and their parts', () => {
  interface Row {
    name: string;
    description: string;
    brand: string;
    categories: string[];
    price: number;
    image: string;
  }

  /** Its categories are paths of names from the root. Its SKU is in the URL of the image. */
  function linesOf(rows: readonly Row[]): string[] {
    const lines: string[] = [];
    const known = new Set<string>();
    for (const { name, description, brand, categories: names, price: amount, image } of rows) {
      const slugs: string[] = [];
      for (const step of names) {
        const slug = [slugs.at(-1), step.toLowerCase().replace(/[^a-z0-9]+/g, '-')].filter(Boolean).join('-');
        const tidy = slug.replace(/^-|-$/g, '').replace(/-+/g, '-').slice(-100).replace(/^-/, '');
        if (!known.has(tidy)) {
          known.add(tidy);
          lines.push(JSON.stringify({ category: { slug: tidy, name: step, under: slugs.at(-1) } }));
        }
        slugs.push(tidy);
      }
      const sku = /(\d{5,})/.exec(image)?.[1] ?? image;
      const properties = [{ name: 'brand', value: brand }];
      const money = { amount: Math.round(amount * 100), currency: CURRENCY };
      const last = slugs.at(-1);
      lines.push(
        JSON.stringify({ sku, title: name, type: 'PHONE', description, price: money, properties, categories: [last] }),
      );
    }
    return lines;
  }

  it('is imported completely, twice, with the same result', async () => {
    const text = gunzipSync(await readFile(join(DATA, 'products.jsonl.gz'))).toString('utf8');
    const rows = text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Row);
    const lines = linesOf(rows);
    const { progress, rejects } = await run(lines);
    expect(rejects.map(([, reason]) => reason)).toEqual(Array(2).fill(CONTROL_CHARACTER));
    expect(progress.products).toBe(3289);
    const stored = await products(test.db).countDocuments();
    const [root] = await categories(test.db).find({ parent: null }).toArray();
    expect(root?.product_count).toBe(stored);
    expect((await run(lines)).progress).toMatchObject({ products: 3289, categories: 0, rejected: 2 });
    expect(await products(test.db).countDocuments()).toBe(stored);
    await expectWhole();
  });
});
