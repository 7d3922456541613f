/** Saving products. */
import { beforeEach, describe, expect, it } from 'vitest';
import { saveProducts } from '../../../src/models/commerce/catalog/catalog.js';
import { categories } from '../../../src/models/commerce/catalog/category.js';
import { products } from '../../../src/models/commerce/catalog/product.js';
import { findProduct } from '../../../src/models/commerce/catalog/product-list.js';
import { useDatabase } from '../../support/database.js';
import { ways } from '../../support/keyed-calls.js';
import { testAct } from '../../support/people.js';
import { add, aFilm, anAlbum, aProduct, CURRENCY, emptyCatalog, euros, save } from './catalog-support.js';

const test = useDatabase();
beforeEach(() => emptyCatalog(test.db));

const outcomeOf = async (...inputs: Parameters<typeof saveProducts>[2]) => {
  const { saved, rejected } = await saveProducts(test.db, testAct(), inputs, CURRENCY);
  return { saved, rejected };
};

describe('a saved product', () => {
  it('is stored with its prices, its categories and their ancestors, and an empty stock', async () => {
    const music = await add(test.db, 'music');
    const jazz = await add(test.db, 'jazz', 'music');
    const album = {
      ...anAlbum('LP-1', { tracks: [{ title: 'Gloria', seconds: 61.5 }] }),
      title: '  Gling-Gló ',
      price: euros(1333),
      listPrice: euros(2000),
      categories: ['jazz', 'jazz'],
      properties: [{ name: 'colour', value: 'black' }],
    };
    expect(await outcomeOf(album)).toEqual({ saved: 1, rejected: [] });
    expect(await findProduct(test.db, 'LP-1')).toEqual({
      _id: 'LP-1',
      type: 'AUDIO_ALBUM',
      title: 'Gling-Gló',
      title_key: 'gling-glo',
      title_words: ['gling', 'glo'],
      pricing: { currency: 'EUR', list: 2000, retail: 1333, savings: 667, pct_savings: 33.35 },
      category_ids: [jazz._id],
      category_tree_ids: [jazz._id, music._id],
      details: {
        artist: 'Björk',
        genres: ['Jazz'],
        issued_on: new Date('1990-10-01'),
        tracks: [{ title: 'Gloria', seconds: 61.5 }],
      },
      properties: [{ name: 'colour', value: 'black' }],
      qty: 0,
      carted: [],
      sold: 0,
      stocked: 0,
      version: 3,
    });
  });

  it('is replaced by its SKU, and keeps its stock', async () => {
    await save(test.db, aProduct('A', { description: 'Old', asin: 'B0000296J7', shipping: { weight: 6 } }));
    await products(test.db).updateOne({ _id: 'A' }, { $set: { qty: 5, sold: 2, stocked: 7 } });
    await save(test.db, aProduct('A', { title: 'New' }));
    const stored = await findProduct(test.db, 'A');
    expect(stored).toMatchObject({ title: 'New', qty: 5, sold: 2, stocked: 7 });
    expect(Object.keys(stored ?? {})).not.toEqual(expect.arrayContaining(['description']));
    expect(stored).not.toHaveProperty('asin');
    expect(stored).not.toHaveProperty('shipping');
  });

  it('is the later of two with the same SKU', async () => {
    expect(await outcomeOf(aProduct('A', { title: 'First' }), aProduct('A', { title: 'Second' }))).toEqual({
      saved: 2,
      rejected: [],
    });
    expect(await findProduct(test.db, 'A')).toMatchObject({ title: 'Second' });
  });

  it('is saved and counted once by ten concurrent calls', async () => {
    await add(test.db, 'music');
    await Promise.all(Array.from({ length: 10 }, () => save(test.db, aProduct('A', { categories: ['music'] }))));
    expect(await products(test.db).countDocuments()).toBe(1);
    expect(await categories(test.db).findOne({ slug: 'music' })).toMatchObject({ product_count: 1 });
  });
});

describe('an invalid product', () => {
  it('is reported and does not affect the others', async () => {
    const outcome = await outcomeOf(
      aProduct('A'),
      aProduct('B', { title: ' ' }),
      aProduct('C', { categories: ['none'] }),
    );
    expect(outcome).toEqual({
      saved: 1,
      rejected: [
        {
          index: 1,
          code: 'BAD_USER_INPUT',
          message: 'title must have 1 to 300 characters',
        },
        { index: 2, code: 'NOT_FOUND', message: 'categories.0: no category has the slug none' },
      ],
    });
    expect(await products(test.db).distinct('_id')).toEqual(['A']);
  });

  it.each([
    ['an empty SKU', aProduct('')],
    ['a SKU like an operator', aProduct('$where')],
    ['a SKU with a space', aProduct('A B')],
    ['a SKU of 65 characters', aProduct('A'.repeat(65))],
    ['a title of 301 characters', aProduct('A', { title: 'a'.repeat(301) })],
    ['a control character in the title', aProduct('A', { title: 'a\u0000b' })],
    ['a lone surrogate in the title', aProduct('A', { title: '\ud800' })],
    ['a type in lower case', aProduct('A', { type: 'book' })],
    ['a negative price', aProduct('A', { price: euros(-1) })],
    ['a fraction of a cent', aProduct('A', { price: euros(0.5) })],
    ['another currency', aProduct('A', { price: { amount: 1, currency: 'USD' } })],
    ['a price above the maximum', aProduct('A', { price: euros(1_000_000_001) })],
    ['a list price below the price', aProduct('A', { price: euros(2), listPrice: euros(1) })],
    ['a film without film fields', aProduct('A', { type: 'FILM' })],
    ['a book with film fields', { ...aFilm('A'), type: 'BOOK' }],
    ['an album without an artist', anAlbum('A', { artist: '' })],
    ['a track of more than a day', anAlbum('A', { tracks: [{ title: 'T', seconds: 86_401 }] })],
    ['a track without a length', anAlbum('A', { tracks: [{ title: 'T', seconds: Number.NaN }] })],
    ['an invalid date', anAlbum('A', { issuedOn: new Date(Number.NaN) })],
    [
      '51 properties',
      aProduct('A', { properties: Array.from({ length: 51 }, (_, n) => ({ name: `${n}`, value: 'v' })) }),
    ],
    ['a property without a name', aProduct('A', { properties: [{ name: '', value: 'v' }] })],
    ['21 categories', aProduct('A', { categories: Array.from({ length: 21 }, (_, n) => `c-${n}`) })],
    ['a negative weight', aProduct('A', { shipping: { weight: -1 } })],
    ['an ASIN that is too short', aProduct('A', { asin: 'B000' })],
  ])('is refused: %s', async (_case, input) => {
    expect(await outcomeOf(input)).toMatchObject({ saved: 0, rejected: [{ index: 0, code: 'BAD_USER_INPUT' }] });
    expect(await products(test.db).countDocuments()).toBe(0);
  });

  it('refuses more than 1000 per call, and saves none', async () => {
    const many = Array.from({ length: 1001 }, (_, n) => aProduct(`P-${n}`));
    await expect(outcomeOf(...many)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', details: { limit: 1000 } });
    expect(await products(test.db).countDocuments()).toBe(0);
  });
});

describe.each(ways)('%s', (_name, play) => {
  it('does not write over a later price, whatever the size of the call, and says again what was rejected', async () => {
    const priced = (amount: number, count: number) =>
      Array.from({ length: count }, (_, at) => aProduct(`P-${at}`, { price: euros(amount) }));
    const wanted = [...priced(1000, 210), aProduct('P-X', { categories: ['none'] })];
    const answer = await play(
      test.db,
      (_call, _begunAt, attempt) => saveProducts(test.db, testAct(), wanted, CURRENCY, attempt),
      () => save(test.db, ...priced(2000, 205)),
    );
    expect(answer).toMatchObject({ saved: 210, rejected: [{ index: 210 }] });
    expect(await products(test.db).countDocuments({ 'pricing.retail': 2000 })).toBe(205);
    expect(await products(test.db).countDocuments({ 'pricing.retail': 1000 })).toBe(5);
  });
});
