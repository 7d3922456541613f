/** Pictures of products. */
import { beforeAll, describe, expect, it } from 'vitest';
import { products } from '../../../src/models/commerce/catalog/product.js';
import { assetUses, changeProductImages } from '../../../src/models/commerce/catalog/product-image.js';
import { findAsset } from '../../../src/models/system/assets/asset.js';
import { removeUnused } from '../../../src/models/system/assets/asset-removal.js';
import { idOfType, toGlobalId } from '../../../src/shared/global-id.js';
import { DAY_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { upload } from '../../system/assets/asset-client.js';
import { makePicture } from '../../system/assets/picture-support.js';

const database = useDatabase();
const server = useServer(database);
let seed = 0;

beforeAll(async () => {
  const save = async (list: readonly object[]) =>
    server.request('mutation ($products: [ProductInput!]!) { saveProducts(products: $products) { saved } }', {
      products: list.map((each) => ({
        title: 'A thing',
        type: 'THING',
        price: { amount: 100, currency: 'EUR' },
        ...each,
      })),
    });
  await save(Array.from({ length: 60 }, (_, index) => ({ sku: `S${index}` })));
});

async function uploaded(): Promise<string> {
  seed += 1;
  const { data } = await upload(server, server.token, await makePicture('image/jpeg', { width: 400 }, seed));
  return String(data?.uploadPicture.id);
}

const CHANGE = `mutation ($sku: String!, $imageIds: [ID!]!) {
  changeProductImages(sku: $sku, imageIds: $imageIds) {
    __typename
    ... on Product { sku image { id } images { id url small: url(width: 320) } }
    ... on Refusal { message }
  }
}`;
const change = (sku: string, imageIds: readonly string[]) => server.request(CHANGE, { sku, imageIds });
const stored = (globalId: string) => idOfType('Asset', globalId) ?? '';
const imagesOf = async (sku: string) => (await products(database.db).findOne({ _id: sku }))?.image_ids;

describe('the pictures of a product', () => {
  it('are shown to everybody, in their order', async () => {
    const [one, two] = [await uploaded(), await uploaded()];
    const { data } = await change('S1', [two, one, two]);
    const path = (id: string) => `/assets/${stored(id)}`;
    expect(data).toEqual({
      changeProductImages: {
        __typename: 'GeneralProduct',
        sku: 'S1',
        image: { id: two },
        images: [two, one].map((id) => ({ id, url: path(id), small: `${path(id)}/320` })),
      },
    });
    expect((await fetch(`${server.url}${path(one)}`)).status).toBe(200);
    const query = '{ products(first: 5) { edges { node { sku image { id } } } } }';
    const { data: seen } = await server.request<{
      products: { edges: { node: { sku: string; image: { id: string } | null } }[] };
    }>(query, {}, null);
    const images = new Map(seen?.products.edges.map(({ node }) => [node.sku, node.image]));
    expect([images.get('S0'), images.get('S1')]).toEqual([null, { id: two }]);
  });

  it('stay when the product is saved again', async () => {
    const image = await uploaded();
    await change('S2', [image]);
    const query = `mutation { saveProducts(products: [{ sku: "S2", title: "New", type: "THING", price: { amount: 5, currency: "EUR" } }]) { saved } }`;
    expect((await server.request(query)).data).toEqual({ saveProducts: { saved: 1 } });
    expect(await imagesOf('S2')).toEqual([stored(image)]);
  });

  it('are kept as long as a product shows them', async () => {
    const { db } = database;
    const [shared, own] = [await uploaded(), await uploaded()];
    await change('S3', [shared, own]);
    await change('S4', [shared]);
    await change('S3', []);
    expect(await assetUses.findUsed(db, [stored(shared), stored(own)])).toEqual([stored(shared)]);
    while ((await removeUnused(db, [assetUses], new Date(Date.now() + DAY_MS))) > 0);
    expect(await findAsset(db, stored(shared))).not.toBeNull();
    expect(await findAsset(db, stored(own))).toBeNull();
  });
});

describe('a list of pictures that is refused', () => {
  it.each([
    ['has a picture that does not exist', [toGlobalId('Asset', 'none')], { code: 'BAD_USER_INPUT', field: 'imageIds' }],
    ['has an id of something else', [toGlobalId('Site', 'a')], { code: 'BAD_USER_INPUT', field: 'imageIds.0' }],
    [
      'is longer than ten',
      Array.from({ length: 11 }, (_, index) => toGlobalId('Asset', String(index))),
      { code: 'LIMIT_EXCEEDED', limit: 10 },
    ],
  ])('because it %s changes nothing', async (_why, imageIds, extensions) => {
    const image = await uploaded();
    await change('S5', [image]);
    expect((await change('S5', imageIds)).errors?.[0]?.extensions).toMatchObject(extensions);
    expect(await imagesOf('S5')).toEqual([stored(image)]);
  });

  it('is refused for an unknown product', async () => {
    expect((await change('none', [await uploaded()])).data).toMatchObject({
      changeProductImages: { __typename: 'ProductNotFound' },
    });
  });
});

describe('changes at the same time', () => {
  it('leave one of the lists, whose pictures all exist', async () => {
    const { db } = database;
    const images = await Promise.all([1, 2, 3, 4].map(uploaded));
    const now = new Date(Date.now() + DAY_MS);
    await Promise.all(
      [
        ...images.map((id) => changeProductImages(db, { sku: 'S6', imageIds: [id] }, now)),
        removeUnused(db, [assetUses], now),
      ].map((work: Promise<unknown>) => work.catch(() => undefined)),
    );
    for (const id of (await imagesOf('S6')) ?? []) expect(await findAsset(db, id)).not.toBeNull();
  });
});
