/** Products and categories for tests of the catalog. */
import type { Db } from 'mongodb';
import { saveProducts } from '../../../src/models/commerce/catalog/catalog.js';
import { type CategoryDocument, categories } from '../../../src/models/commerce/catalog/category.js';
import { addCategory } from '../../../src/models/commerce/catalog/category-change.js';
import { products } from '../../../src/models/commerce/catalog/product.js';
import type { ProductInput } from '../../../src/models/commerce/catalog/product-input.js';
import { BusyError } from '../../../src/shared/errors.js';
import { testAct } from '../../support/people.js';

export const CURRENCY = 'EUR';

export const euros = (amount: number) => ({ amount, currency: CURRENCY });

/** A product of a type without specific fields. */
export function aProduct(sku: string, others: Partial<ProductInput> = {}): ProductInput {
  return { sku, title: `Product ${sku}`, type: 'BOOK', price: euros(1000), ...others };
}

export function anAlbum(sku: string, others: Partial<NonNullable<ProductInput['album']>> = {}): ProductInput {
  const album = { artist: 'Björk', genres: ['Jazz'], issuedOn: new Date('1990-10-01'), tracks: [], ...others };
  return { ...aProduct(sku), type: 'AUDIO_ALBUM', album };
}

export function aFilm(sku: string, others: Partial<NonNullable<ProductInput['film']>> = {}): ProductInput {
  const film = {
    directors: ['Agnès Varda'],
    actors: ['Corinne Marchand'],
    issuedOn: new Date('1962-04-11'),
    ...others,
  };
  return { ...aProduct(sku), type: 'FILM', film };
}

/** @throws Error when a product is rejected */
export async function save(db: Db, ...inputs: ProductInput[]): Promise<void> {
  const { rejected } = await saveProducts(db, testAct(), inputs, CURRENCY).catch((error: unknown) => {
    // Retries like a client on SERVER_BUSY: nothing was saved, and on a busy machine many calls save concurrently.
    if (error instanceof BusyError) return saveProducts(db, testAct(), inputs, CURRENCY);
    throw error;
  });
  if (rejected.length > 0) throw new Error(JSON.stringify(rejected));
}

/** @throws Error when the category is refused */
export async function add(db: Db, slug: string, under: string | null = null): Promise<CategoryDocument> {
  const added = await addCategory(db, 'a test', { slug, name: slug.toUpperCase(), under });
  if ('message' in added) throw new Error(added.message);
  return added;
}

export async function emptyCatalog(db: Db): Promise<void> {
  for (const name of [products, categories].map(({ collectionName }) => collectionName)) {
    await db.collection(name).deleteMany({});
  }
  await db.collection('catalog.facets').deleteMany({});
}
