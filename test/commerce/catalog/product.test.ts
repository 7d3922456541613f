/** Finding products: every list by its index, page by page. */
import { beforeAll, describe, expect, it } from 'vitest';
import { findProductsOfCategories } from '../../../src/models/commerce/catalog/category-products.js';
import type { ProductDocument } from '../../../src/models/commerce/catalog/product.js';
import { products } from '../../../src/models/commerce/catalog/product.js';
import {
  findAlbums,
  findFilms,
  findProducts,
  type ProductSort,
} from '../../../src/models/commerce/catalog/product-list.js';
import { type SearchSort, searchProducts } from '../../../src/models/commerce/catalog/product-search.js';
import { completeTitle } from '../../../src/models/commerce/catalog/product-title.js';
import type { Connection, PageInput } from '../../../src/shared/page.js';
import { useDatabase } from '../../support/database.js';
import { add, aFilm, anAlbum, aProduct, euros, save } from './catalog-support.js';

const test = useDatabase();

/** 300 books with ten prices, 30 each; 60 albums; 60 films. */
beforeAll(async () => {
  await add(test.db, 'all');
  await add(test.db, 'some', 'all');
  await add(test.db, 'empty', 'all');
  const books = Array.from({ length: 300 }, (_, n) => {
    const sku = `book-${String(n).padStart(3, '0')}`;
    const price = 100 * (1 + (n % 10));
    return aProduct(sku, {
      title: n % 7 === 0 ? `Über Ångström ${n}` : `A book (${n})`,
      price: euros(price),
      listPrice: euros(2000),
      categories: n % 3 === 0 ? ['some'] : ['all'],
      properties: [
        { name: 'colour', value: n % 2 === 0 ? 'red' : 'blue' },
        { name: 'size', value: 'red' },
      ],
    });
  });
  const day = (n: number) => new Date(Date.UTC(1960 + (n % 20), 0, 1));
  const albums = Array.from({ length: 60 }, (_, n) =>
    anAlbum(`album-${n}`, { genres: n % 2 === 0 ? ['Jazz', 'Bop'] : ['Rock'], issuedOn: day(n) }),
  );
  const films = Array.from({ length: 60 }, (_, n) => ({
    ...aFilm(`film-${n}`, { actors: n % 3 === 0 ? ['Jean Seberg'] : ['Anna Karina'], issuedOn: day(n) }),
    title: n % 2 === 0 ? `The Breathless Story ${n}` : `Story ${n}`,
  }));
  await save(test.db, ...books, ...albums, ...films);
});

/** All pages of a list. */
async function readAll(find: (page: PageInput) => Promise<Connection<ProductDocument>>, first = 17) {
  const found: ProductDocument[] = [];
  let after: string | null = null;
  do {
    const { edges, pageInfo }: Connection<ProductDocument> = await find({ first, after });
    found.push(...edges.map(({ node }) => node));
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
  return found;
}

const skus = (found: readonly ProductDocument[]) => found.map(({ _id }) => _id);
/** The contents of the collection, filtered and sorted without any index. */
async function expected(
  keep: (product: ProductDocument) => boolean,
  rank: (product: ProductDocument) => number,
  sign = 1,
) {
  const all = await products(test.db).find().sort({ _id: 1 }).toArray();
  const compare = (left: ProductDocument, right: ProductDocument) =>
    sign * (rank(left) - rank(right)) || sign * (left._id < right._id ? -1 : 1);
  return skus(all.filter(keep).sort(compare));
}

const list = (filter: Parameters<typeof findProducts>[1]['filter'], sort?: ProductSort) => (page: PageInput) =>
  findProducts(test.db, { filter, sort }, page, 'LATEST');
const priceOf = ({ pricing }: ProductDocument) => pricing.retail;
const issueOf = ({ details }: ProductDocument) => details.issued_on?.getTime() ?? 0;

describe('a list of products, read page by page', () => {
  it('has products with a discount, highest first', async () => {
    const found = await readAll(list({ discountAtLeast: 60 }));
    const pct = ({ pricing }: ProductDocument) => pricing.pct_savings;
    expect(found).toHaveLength(240);
    expect(skus(found)).toEqual(await expected((product) => pct(product) >= 60, pct, -1));
  });

  it.each([
    ['PRICE_ASC', 1],
    ['PRICE_DESC', -1],
  ] as const)('has products in a price range by %s, even if many have the same price', async (sort, sign) => {
    const found = await readAll(list({ price: { min: 300, max: 500 } }, sort));
    expect(found).toHaveLength(90);
    const within = (product: ProductDocument) => priceOf(product) >= 300 && priceOf(product) <= 500;
    expect(skus(found)).toEqual(await expected(within, priceOf, sign));
  });

  it('has products with a property, and not those with the same value of another one', async () => {
    const found = await readAll(list({ property: { name: 'colour', value: 'red' } }));
    expect(found).toHaveLength(150);
    expect(found.every(({ properties }) => properties[0]?.value === 'red')).toBe(true);
    expect(skus(found)).toEqual(skus(found).toSorted());
  });

  it('has products of a type, or all', async () => {
    expect(await readAll(list({ type: 'FILM' }))).toHaveLength(60);
    expect(await readAll(list({}), 200)).toHaveLength(420);
    expect(skus(await readAll(list({}, 'DISCOUNT_DESC'), 100))).toHaveLength(420);
  });

  it.each([
    ['PRICE_ASC', 1],
    ['PRICE_DESC', -1],
  ] as const)('has products with a property, type or genre in a price range, by %s', async (sort, sign) => {
    const price = { min: 200, max: 600 };
    const within = (product: ProductDocument) => priceOf(product) >= 200 && priceOf(product) <= 600;
    const red = await readAll(list({ property: { name: 'colour', value: 'red' }, price }, sort));
    expect(red).toHaveLength(60);
    const isRed = ({ properties }: ProductDocument) => properties[0]?.value === 'red';
    expect(skus(red)).toEqual(await expected((product) => isRed(product) && within(product), priceOf, sign));
    const books = await readAll(list({ type: 'BOOK', price }, sort));
    expect(skus(books)).toEqual(await expected((product) => product.type === 'BOOK' && within(product), priceOf, sign));
    const isBop = ({ details }: ProductDocument) => details.genres?.includes('Bop') ?? false;
    const bop = await readAll(list({ genre: 'Bop', price: { min: 0, max: 1000 } }, sort));
    expect(skus(bop)).toEqual(await expected(isBop, priceOf, sign));
    expect(skus(await readAll(list({ property: { name: 'colour', value: 'red' } }, sort)))).toEqual(
      await expected(isRed, priceOf, sign),
    );
  });

  it('has products of a genre, of any type', async () => {
    await save(test.db, aFilm('a-bop-film', { genres: ['Bop'] }));
    const found = skus(await readAll(list({ genre: 'Bop' })));
    expect(found).toHaveLength(31);
    expect(found).toEqual(
      await expected(
        ({ details }) => details.genres?.includes('Bop') ?? false,
        () => 0,
      ),
    );
    expect(found[0]).toBe('a-bop-film');
    await products(test.db).deleteOne({ _id: 'a-bop-film' });
  });

  it('has albums of a genre and films with an actor, newest first', async () => {
    const albums = await readAll((page) => findAlbums(test.db, 'Bop', page, 'LATEST'));
    expect(albums).toHaveLength(30);
    expect(skus(albums)).toEqual(
      await expected(({ details }) => details.genres?.includes('Bop') ?? false, issueOf, -1),
    );
    const films = await readAll((page) => findFilms(test.db, 'Jean Seberg', page, 'MAY_LAG'));
    expect(films).toHaveLength(20);
    expect(skus(films)).toEqual(
      await expected(({ details }) => details.actors?.includes('Jean Seberg') ?? false, issueOf, -1),
    );
  });

  it('has products of a category, with or without its descendants', async () => {
    const [all, some, empty] = await Promise.all(
      ['all', 'some', 'empty'].map(async (slug) =>
        String((await test.db.collection('categories').findOne({ slug }))?._id),
      ),
    );
    const of = (id: string | undefined, includeDescendants: boolean) => (page: PageInput) =>
      findProductsOfCategories(test.db, [id ?? ''], { ...page, includeDescendants, freshness: 'LATEST' }).then(
        ([connection]) => connection as Connection<ProductDocument>,
      );
    expect(await readAll(of(all, true))).toHaveLength(300);
    expect(await readAll(of(all, false))).toHaveLength(200);
    expect(await readAll(of(some, true))).toHaveLength(100);
    const pages = await findProductsOfCategories(test.db, [String(some), String(empty), String(all)], {
      first: 2,
      includeDescendants: true,
      freshness: 'LATEST',
    });
    expect(pages.map(({ edges }) => edges.map(({ node }) => node._id))).toEqual([
      ['book-000', 'book-003'],
      [],
      ['book-000', 'book-001'],
    ]);
    expect(pages.map(({ pageInfo }) => pageInfo.hasNextPage)).toEqual([true, false, true]);
  });

  it('continues at its position when something is added before it', async () => {
    const filter = list({ price: { min: 100, max: 100 } });
    const page = await filter({ first: 5 });
    await save(test.db, aProduct('a-first', { price: euros(100) }));
    const next = await filter({ first: 5, after: page.pageInfo.endCursor });
    expect(next.edges[0]?.node._id).toBe('book-050');
    await products(test.db).deleteOne({ _id: 'a-first' });
  });

  it.each<[string, Parameters<typeof findProducts>[1], string]>([
    ['two filters', { filter: { type: 'FILM', discountAtLeast: 1 } }, 'filter'],
    ['a price range by discount', { filter: { price: { min: 1, max: 2 } }, sort: 'DISCOUNT_DESC' }, 'sort'],
    ['a type by discount', { filter: { type: 'FILM' }, sort: 'DISCOUNT_DESC' }, 'sort'],
    ['a type with a price by SKU', { filter: { type: 'FILM', price: { min: 1, max: 2 } }, sort: 'SKU' }, 'sort'],
    ['a discount and a price', { filter: { discountAtLeast: 1, price: { min: 1, max: 2 } } }, 'filter'],
    ['a type, a genre and a price', { filter: { type: 'FILM', genre: 'Bop', price: { min: 1, max: 2 } } }, 'filter'],
    ['a genre and a type', { filter: { type: 'FILM', genre: 'Bop' } }, 'filter'],
    ['a discount over 100 %', { filter: { discountAtLeast: 101 } }, 'filter.discountAtLeast'],
    ['a discount that is not a number', { filter: { discountAtLeast: Number.NaN } }, 'filter.discountAtLeast'],
    ['an empty price range', { filter: { price: { min: 2, max: 1 } } }, 'filter.price'],
    ['a negative price', { filter: { price: { min: -1, max: 1 } } }, 'filter.price'],
  ])('refuses %s', async (_case, query, field) => {
    await expect(async () => findProducts(test.db, query, { first: 1 }, 'LATEST')).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      details: { field },
    });
  });

  it('refuses cursors of other lists, and pages that are too large', async () => {
    const { pageInfo } = await list({ type: 'FILM' })({ first: 1 });
    await expect(list({ type: 'BOOK' })({ first: 1, after: pageInfo.endCursor })).rejects.toMatchObject({
      code: 'BAD_CURSOR',
    });
    await expect(list({})({ first: 201 })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    await expect(list({})({ first: 0 })).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  });
});

describe('searching titles', () => {
  const search = (text: string, type: string | null, sort: SearchSort) => (page: PageInput) =>
    searchProducts(test.db, { text, type, sort }, page, 'LATEST');

  it('finds words ignoring case and accents', async () => {
    expect(await readAll(search('ANGSTROM', null, 'RELEVANCE'))).toHaveLength(43);
    expect(await readAll(search('nowhere', null, 'RELEVANCE'))).toEqual([]);
  });

  it('ranks titles by the number of words, then by a prefix match of the last word, then by length', async () => {
    const [first, second] = await readAll(search('a story breathless 2', null, 'RELEVANCE'));
    expect([first?.title, second?.title]).toEqual(['The Breathless Story 2', 'The Breathless Story 20']);
    expect(await readAll(search('"breathless story" -2', null, 'RELEVANCE'))).toHaveLength(29);
  });

  it('finds the words of a title, whatever separates them', async () => {
    const titles = [
      'Zorg (kettle)',
      "Women's Zorg",
      'Zorg, the film',
      'Kettle/steel',
      'Zorg kettles: all of them',
      '÷ (Deluxe)',
    ];
    await save(test.db, ...titles.map((title, n) => ({ ...aProduct(`zorg-${n}`), title })));
    const first = async (text: string) => (await readAll(search(text, null, 'RELEVANCE')))[0]?.title;
    expect(await first('zorg kettle')).toBe('Zorg (kettle)');
    expect(await first('kettle-zorg')).toBe('Zorg (kettle)');
    expect(await first("women's zorg")).toBe("Women's Zorg");
    expect(await first('“women’s” zorg')).toBe("Women's Zorg");
    expect(await first('film zorg')).toBe('Zorg, the film');
    expect(await first('"kettle steel"')).toBe('Kettle/steel');
    expect(await first('"steel kettle"')).toBeUndefined();
    expect(await first('÷')).toBe('÷ (Deluxe)');
    await products(test.db).deleteMany({ _id: /^zorg-/ });
  });

  it('finds prefix matches of the last word, after complete matches', async () => {
    await save(
      test.db,
      ...['Chargers for all', 'A charge', 'Charge'].map((title, n) => ({ ...aProduct(`charge-${n}`), title })),
    );
    const found = async (text: string) => (await readAll(search(text, null, 'RELEVANCE'))).map(({ title }) => title);
    expect(await found('charg')).toEqual(['Charge', 'A charge', 'Chargers for all']);
    expect(await found('charge')).toEqual(['Charge', 'A charge', 'Chargers for all']);
    expect(await found('charger')).toEqual(['Chargers for all']);
    expect(await found('"charg"')).toEqual([]);
    expect(await found('charg nowhere')).toEqual([]);
    expect(await readAll(search('charg', null, 'ISSUED_DESC'))).toEqual([]);
    await products(test.db).deleteMany({ _id: /^charge-/ });
  });

  it('sorts films by release date', async () => {
    const found = await readAll(search('breathless', 'FILM', 'ISSUED_DESC'));
    expect(found).toHaveLength(30);
    const days = found.map(issueOf);
    expect(days).toEqual(days.toSorted((left, right) => right - left));
    expect(new Set(skus(found)).size).toBe(30);
  });

  it('refuses an empty text, and one that is too long', async () => {
    for (const text of ['', '  ', '\u0301', 'a'.repeat(201)]) {
      await expect(search(text, null, 'RELEVANCE')({ first: 1 })).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    }
  });
});

describe('completing a title', () => {
  const complete = async (prefix: string, first = 3) =>
    (await completeTitle(test.db, prefix, first, 'LATEST')).map(({ title }) => title);

  it('ignores case and accents', async () => {
    expect(await complete('uber ang')).toEqual(['Über Ångström 0', 'Über Ångström 105', 'Über Ångström 112']);
    expect(await complete('ÜBER ÅNGSTRÖM 29')).toEqual(['Über Ångström 294']);
    expect(await complete('ngström')).toEqual([]);
  });

  it('takes pattern characters literally', async () => {
    expect(await complete('a book (1)')).toEqual(['A book (1)']);
    expect(await complete('.*')).toEqual([]);
    expect(await complete('a book [1')).toEqual([]);
  });

  it.each(['', ' ', '\u0301', 'a'.repeat(101)])('refuses %j', async (prefix) => {
    await expect(async () => completeTitle(test.db, prefix, 1, 'LATEST')).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    });
  });
});
