/** Categories: the tree, its changes, and their effects. */
import { beforeEach, describe, expect, it } from 'vitest';
import { findCatalogViolations } from '../../../src/models/commerce/catalog/catalog-invariants.js';
import {
  type CategoryDocument,
  categories,
  findCategory,
  findCategoryWithChildren,
  findRoots,
} from '../../../src/models/commerce/catalog/category.js';
import {
  addCategory,
  moveCategory,
  removeCategory,
  renameCategory,
} from '../../../src/models/commerce/catalog/category-change.js';
import { findProduct } from '../../../src/models/commerce/catalog/product-list.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { add, aProduct, emptyCatalog, save } from './catalog-support.js';

const test = useDatabase();
const HOLDER = 'a test';

/** music > jazz > bebop, and films. */
beforeEach(async () => {
  await emptyCatalog(test.db);
  await add(test.db, 'music');
  await add(test.db, 'jazz', 'music');
  await add(test.db, 'bebop', 'jazz');
  await add(test.db, 'films');
});

const pathOf = async (slug: string) => (await findCategory(test.db, slug))?.ancestors.map((each) => each.slug);
const countOf = async (slug: string) => (await findCategory(test.db, slug))?.product_count;
const stored = (): Promise<CategoryDocument[]> => categories(test.db).find().sort({ _id: 1 }).toArray();

async function expectWhole(): Promise<void> {
  const found = [];
  for await (const violation of findCatalogViolations(test.db)) found.push(violation);
  expect(found).toEqual([]);
}

/** Expects a refusal and no change. */
async function expectRefusal(refusal: string, change: () => Promise<object>): Promise<void> {
  const before = await stored();
  expect(await change()).toMatchObject({ __typename: refusal, message: expect.any(String) });
  expect(await stored()).toEqual(before);
}

describe('a category', () => {
  it('has its path to the root, nearest first', async () => {
    expect(await findCategory(test.db, 'bebop')).toMatchObject({
      slug: 'bebop',
      name: 'BEBOP',
      ancestors: [
        { slug: 'jazz', name: 'JAZZ' },
        { slug: 'music', name: 'MUSIC' },
      ],
      product_count: 0,
    });
    expect(await findCategory(test.db, 'none')).toBeNull();
  });

  it('has its children sorted by name', async () => {
    await add(test.db, 'blues', 'music');
    const page = await findCategoryWithChildren(test.db, 'music');
    expect(page?.children.map(({ slug }) => slug)).toEqual(['blues', 'jazz']);
    expect((await findRoots(test.db)).map(({ slug }) => slug)).toEqual(['films', 'music']);
    expect(await findCategoryWithChildren(test.db, 'none')).toBeNull();
  });

  it('counts products in it and its descendants, each once', async () => {
    await save(
      test.db,
      aProduct('A', { categories: ['bebop', 'jazz'] }),
      aProduct('B', { categories: ['music', 'films'] }),
    );
    expect(await Promise.all(['music', 'jazz', 'bebop', 'films'].map(countOf))).toEqual([2, 1, 1, 1]);
    await save(test.db, aProduct('A', { categories: ['films'] }));
    expect(await Promise.all(['music', 'jazz', 'bebop', 'films'].map(countOf))).toEqual([1, 0, 0, 2]);
    await expectWhole();
  });
});

describe('adding a category', () => {
  it('refuses a slug that is taken, and a parent that does not exist', async () => {
    await expectRefusal('CategorySlugTaken', () => addCategory(test.db, HOLDER, { slug: 'jazz', name: 'Jazz' }));
    await expectRefusal('CategoryNotFound', () =>
      addCategory(test.db, HOLDER, { slug: 'new', name: 'New', under: 'none' }),
    );
  });

  it.each([
    ['', 'Name'],
    ['Jazz', 'Name'],
    ['a--b', 'Name'],
    ['-a', 'Name'],
    ['a b', 'Name'],
    ['$where', 'Name'],
    ['a'.repeat(101), 'Name'],
    ['new', ' '],
    ['new', 'a\u0000'],
    ['new', 'a'.repeat(201)],
  ])('refuses the slug %j with the name %j', async (slug, name) => {
    const before = await stored();
    await expect(addCategory(test.db, HOLDER, { slug, name })).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    expect(await stored()).toEqual(before);
  });

  it('is limited to 20 levels', async () => {
    let under = 'bebop'; // the third
    for (let depth = 4; depth <= 20; depth += 1) under = (await add(test.db, `level-${depth}`, under)).slug;
    await expect(addCategory(test.db, HOLDER, { slug: 'deeper', name: 'Deeper', under })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: 20 },
    });
    await expect(moveCategory(test.db, HOLDER, 'music', 'films')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    await expectWhole();
  });

  it('has one winner among ten concurrent calls with the same slug', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => addCategory(test.db, HOLDER, { slug: 'new', name: 'New', under: 'jazz' })),
    );
    expect(outcomes.filter((outcome) => '_id' in outcome)).toHaveLength(1);
    await expectWhole();
  });
});

describe('moving a category', () => {
  it('moves its descendants, their products and their counts', async () => {
    await save(test.db, aProduct('A', { categories: ['bebop'] }), aProduct('B', { categories: ['jazz', 'music'] }));
    expect(await moveCategory(test.db, HOLDER, 'jazz', 'films')).toMatchObject({
      slug: 'jazz',
      ancestors: [{ slug: 'films' }],
    });
    expect(await pathOf('bebop')).toEqual(['jazz', 'films']);
    expect(await Promise.all(['music', 'jazz', 'bebop', 'films'].map(countOf))).toEqual([1, 2, 1, 2]);
    const films = await findCategory(test.db, 'films');
    expect((await findProduct(test.db, 'A'))?.category_tree_ids).toContain(films?._id);
    await expectWhole();
  });

  it('can make it a root, and a repetition changes nothing', async () => {
    expect(await moveCategory(test.db, HOLDER, 'jazz', null)).toMatchObject({ ancestors: [], parent: null });
    const before = await stored();
    expect(await moveCategory(test.db, HOLDER, 'jazz', null)).toMatchObject({ slug: 'jazz' });
    expect(await stored()).toEqual(before);
    await expectWhole();
  });

  it.each(['music', 'jazz', 'bebop'])('is refused under itself and its descendants: %s', async (under) => {
    await expectRefusal('CategoryCycle', () => moveCategory(test.db, HOLDER, 'music', under));
  });

  it('is refused when either category does not exist', async () => {
    await expectRefusal('CategoryNotFound', () => moveCategory(test.db, HOLDER, 'none', 'music'));
    await expectRefusal('CategoryNotFound', () => moveCategory(test.db, HOLDER, 'music', 'none'));
  });

  it('moves more products than a batch holds', async () => {
    for (let start = 0; start < 450; start += 150) {
      const batch = Array.from({ length: 150 }, (_, n) => aProduct(`P-${start + n}`, { categories: ['bebop'] }));
      await save(test.db, ...batch);
    }
    await moveCategory(test.db, HOLDER, 'jazz', 'films');
    expect(await Promise.all(['music', 'films'].map(countOf))).toEqual([0, 450]);
    await expectWhole();
  });

  it('loses no product that is saved concurrently', async () => {
    const saves = Array.from({ length: 20 }, (_, n) => save(test.db, aProduct(`P-${n}`, { categories: ['bebop'] })));
    await Promise.all([...saves, moveCategory(test.db, HOLDER, 'jazz', 'films')]);
    expect(await Promise.all(['music', 'films', 'bebop'].map(countOf))).toEqual([0, 20, 20]);
    await expectWhole();
  });
});

describe('renaming a category', () => {
  it('updates the breadcrumbs of all descendants', async () => {
    expect(
      await renameCategory(test.db, HOLDER, 'jazz', { name: 'Jazz & more', newSlug: 'jazz-and-more' }),
    ).toMatchObject({
      slug: 'jazz-and-more',
      name: 'Jazz & more',
    });
    expect((await findCategory(test.db, 'bebop'))?.ancestors[0]).toMatchObject({
      slug: 'jazz-and-more',
      name: 'Jazz & more',
    });
    expect(await findCategory(test.db, 'jazz')).toBeNull();
    await expectWhole();
  });

  it('refuses a slug that is taken, and one that does not exist', async () => {
    await expectRefusal('CategorySlugTaken', () => renameCategory(test.db, HOLDER, 'jazz', { newSlug: 'films' }));
    await expectRefusal('CategoryNotFound', () => renameCategory(test.db, HOLDER, 'none', { name: 'None' }));
    await expect(renameCategory(test.db, HOLDER, 'jazz', {})).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  });
});

describe('removing a category', () => {
  it('succeeds when it is empty', async () => {
    expect(await removeCategory(test.db, HOLDER, testAct(), 'films', null)).toEqual({ removedSlug: 'films' });
    expect(await findCategory(test.db, 'films')).toBeNull();
    await expectWhole();
  });

  it('is refused while it is not empty', async () => {
    await save(test.db, aProduct('A', { categories: ['bebop'] }));
    await expectRefusal('CategoryNotEmpty', () => removeCategory(test.db, HOLDER, testAct(), 'jazz', null));
    await expectRefusal('CategoryNotEmpty', () => removeCategory(test.db, HOLDER, testAct(), 'bebop', null));
    await expectRefusal('CategoryCycle', () => removeCategory(test.db, HOLDER, testAct(), 'jazz', 'bebop'));
    await expectRefusal('CategoryNotFound', () => removeCategory(test.db, HOLDER, testAct(), 'jazz', 'none'));
    await expectRefusal('CategoryNotFound', () => removeCategory(test.db, HOLDER, testAct(), 'none', null));
  });

  it('moves its contents to another category', async () => {
    await save(test.db, aProduct('A', { categories: ['jazz', 'films'] }), aProduct('B', { categories: ['bebop'] }));
    expect(await removeCategory(test.db, HOLDER, testAct(), 'jazz', 'films')).toEqual({ removedSlug: 'jazz' });
    expect(await pathOf('bebop')).toEqual(['films']);
    expect(await Promise.all(['music', 'films', 'bebop'].map(countOf))).toEqual([0, 2, 1]);
    const films = await findCategory(test.db, 'films');
    expect((await findProduct(test.db, 'A'))?.category_ids).toEqual([films?._id]);
    await expectWhole();
  });

  it('moves its contents to its parent', async () => {
    await save(test.db, aProduct('A', { categories: ['jazz'] }));
    await removeCategory(test.db, HOLDER, testAct(), 'jazz', 'music');
    expect(await pathOf('bebop')).toEqual(['music']);
    expect(await countOf('music')).toBe(1);
    await expectWhole();
  });

  it('leaves no product in it that is saved concurrently', async () => {
    const saves = Array.from({ length: 10 }, (_, n) =>
      save(test.db, aProduct(`P-${n}`, { categories: ['bebop'] })).catch(() => null),
    );
    await Promise.all([...saves, removeCategory(test.db, HOLDER, testAct(), 'bebop', 'films')]);
    expect(await findCategory(test.db, 'bebop')).toBeNull();
    await expectWhole();
  });
});
