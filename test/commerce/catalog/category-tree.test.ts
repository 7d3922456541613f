/** Any concurrent changes of categories and products leave a tree, with matching paths and counts. */
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { saveProducts } from '../../../src/models/commerce/catalog/catalog.js';
import { findCatalogViolations } from '../../../src/models/commerce/catalog/catalog-invariants.js';
import { repairCatalog } from '../../../src/models/commerce/catalog/catalog-repair.js';
import { type CategoryDocument, categories } from '../../../src/models/commerce/catalog/category.js';
import {
  addCategory,
  moveCategory,
  removeCategory,
  renameCategory,
} from '../../../src/models/commerce/catalog/category-change.js';
import { changeTree, finishTreeWork, withTree } from '../../../src/models/commerce/catalog/category-tree.js';
import { useDatabase } from '../../support/database.js';
import { expireLeases } from '../../support/leases.js';
import { testAct } from '../../support/people.js';
import { add, aProduct, CURRENCY, emptyCatalog, save } from './catalog-support.js';

const test = useDatabase();
const SLUGS = ['a', 'b', 'c', 'd', 'e', 'f'];

/** a > b > c, and d > e. */
beforeEach(prepare);
async function prepare(): Promise<void> {
  await emptyCatalog(test.db);
  await add(test.db, 'a');
  await add(test.db, 'b', 'a');
  await add(test.db, 'c', 'b');
  await add(test.db, 'd');
  await add(test.db, 'e', 'd');
  await save(test.db, aProduct('P-0', { categories: ['c'] }), aProduct('P-1', { categories: ['e', 'b'] }));
}

async function expectWhole(): Promise<void> {
  const found = [];
  for await (const violation of findCatalogViolations(test.db)) found.push(violation);
  expect(found).toEqual([]);
}

const slug = fc.constantFrom(...SLUGS);
const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('move' as const), slug, under: fc.option(slug) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('add' as const), slug, under: fc.option(slug) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('remove' as const), slug, to: fc.option(slug, { freq: 1 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rename' as const), slug, newSlug: slug }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('save' as const),
      sku: fc.constantFrom('P-0', 'P-1', 'P-2', 'P-3'),
      slugs: fc.uniqueArray(slug, { maxLength: 2 }),
    }),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** The outcomes of the operations, to detect a test that covers nothing. */
const reached: Record<string, number> = {};

async function run(step: Operation): Promise<void> {
  const { db } = test;
  const outcome = await (() => {
    if (step.kind === 'move') return moveCategory(db, 'a test', step.slug, step.under);
    if (step.kind === 'add') return addCategory(db, 'a test', { slug: step.slug, name: step.slug, under: step.under });
    if (step.kind === 'remove') return removeCategory(db, 'a test', testAct(), step.slug, step.to);
    if (step.kind === 'rename') return renameCategory(db, 'a test', step.slug, { newSlug: step.newSlug, name: 'New' });
    return saveProducts(db, testAct(), [aProduct(step.sku, { categories: step.slugs })], CURRENCY);
  })();
  const result = 'message' in outcome ? outcome.__typename : 'saved' in outcome ? `saved ${outcome.saved}` : 'done';
  const name = `${step.kind}: ${result}`;
  reached[name] = (reached[name] ?? 0) + 1;
}

const RUNS = 25;
const OUTCOMES = ['move: done', 'move: CategoryCycle', 'remove: done', 'remove: CategoryNotEmpty', 'save: saved 1'];
const areReached = () => OUTCOMES.every((name) => reached[name]);

async function changeAtOnce(steps: readonly Operation[]): Promise<void> {
  await prepare();
  const waiting = [...steps];
  const work = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) await run(step);
  };
  await Promise.all([work(), work(), work(), work()]);
  await expectWhole();
}

describe('random changes of categories and products, four at a time', () => {
  it('leave a tree with matching paths and counts', { timeout: 240_000 }, async () => {
    const lists = fc.array(operation, { minLength: 4, maxLength: 16 });
    for (let turn = 1; turn === 1 || (turn <= 4 && !areReached()); turn += 1)
      await fc.assert(fc.asyncProperty(lists, changeAtOnce), { numRuns: RUNS });
    expect(Object.keys(reached)).toEqual(expect.arrayContaining(OUTCOMES));
  });
});

describe('two concurrent moves, each under the other', () => {
  it('leave a tree: one is done, the other refused', async () => {
    for (let round = 0; round < 5; round += 1) {
      await prepare();
      const outcomes = await Promise.all([
        moveCategory(test.db, 'one', 'a', 'e'),
        moveCategory(test.db, 'other', 'd', 'b'),
      ]);
      expect(outcomes.map((outcome) => ('_id' in outcome ? 'done' : outcome.__typename)).toSorted()).toEqual([
        'CategoryCycle',
        'done',
      ]);
      await expectWhole();
    }
  });
});

/** The state left by a process that dies after changing the source of truth. */
async function leaveMoveOf(moved: string, under: string): Promise<void> {
  const [category, parent] = await Promise.all(
    [moved, under].map((each) => categories(test.db).findOne({ slug: each })),
  );
  const { _id } = category as CategoryDocument;
  await categories(test.db).updateOne({ _id }, { $set: { parent: parent?._id ?? null } });
  const work = { root: _id, products_of: _id, replace: null, after: '' };
  await test.db.collection<{ _id: string }>('categories.tree').updateOne({ _id: 'tree' }, { $set: { work } });
}

describe('an interrupted move', () => {
  it('is finished by a worker, or by two concurrent ones', async () => {
    await leaveMoveOf('b', 'd');
    await Promise.all([finishTreeWork(test.db, 'one'), finishTreeWork(test.db, 'other')]);
    await expectWhole();
    expect(await categories(test.db).findOne({ slug: 'd' })).toMatchObject({ product_count: 2 });
  });

  it('is finished before the next change is decided', async () => {
    await leaveMoveOf('b', 'd');
    expect(await moveCategory(test.db, 'a test', 'd', 'c')).toMatchObject({ __typename: 'CategoryCycle' });
    await expectWhole();
  });

  it('is finished by the repair', async () => {
    await leaveMoveOf('b', 'd');
    await repairCatalog(test.db, 'a test');
    await expectWhole();
  });
});

describe('a holder of the tree that works for longer than its lease', () => {
  const leaseEnd = async () =>
    (await test.db.collection<{ _id: string; expires_at: Date }>('leases').findOne({ _id: 'category-tree' }))
      ?.expires_at;

  it('keeps the lease, and waiting callers follow', async () => {
    const order: string[] = [];
    let next: Promise<unknown> | undefined;
    await withTree(test.db, 'long', async (tree) => {
      next = withTree(test.db, 'next', async () => order.push('next'));
      const ends = (await leaseEnd())?.getTime() ?? 0;
      const now = async () => (await test.db.admin().command({ hello: 1 })).localTime as Date;
      while ((await now()).getTime() < ends + 500) await new Promise((resolve) => setTimeout(resolve, 50));
      await changeTree(tree, null, async () => order.push('long'));
    });
    await next;
    expect(order).toEqual(['long', 'next']);
  });
});

describe('a paused holder of the tree', () => {
  it('changes nothing once another holder has taken over', async () => {
    const late = withTree(test.db, 'late', async (tree) => {
      await expireLeases(test.db);
      await moveCategory(test.db, 'another', 'b', null);
      return changeTree(tree, null, async (session) => {
        await categories(test.db).deleteMany({}, { session });
      });
    });
    await expect(late).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    expect(await categories(test.db).countDocuments()).toBe(5);
    await expectWhole();
  });
});
