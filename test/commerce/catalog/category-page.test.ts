/** The category page and other operations of the catalog, through the API. */
import type { CommandStartedEvent } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../../src/models/people/user.js';
import { useDatabase } from '../../support/database.js';
import { addPerson, beginTestSession } from '../../support/people.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { add, aFilm, anAlbum, aProduct, euros, save } from './catalog-support.js';

const test = useDatabase();
let server: TestServer;
let member: string;
let editor: string;

beforeAll(async () => {
  server = await startTestServer(test);
  [member, editor] = [await tokenOf('mia', 'MEMBER'), await tokenOf('edith', 'EDITOR')];
  await add(test.db, 'shop');
  for (let n = 0; n < 30; n += 1) await add(test.db, `shelf-${String(n).padStart(2, '0')}`, 'shop');
  const many = Array.from({ length: 60 }, (_, n) =>
    aProduct(`P-${String(n).padStart(2, '0')}`, {
      categories: [`shelf-${String(n % 30).padStart(2, '0')}`, `shelf-${String((n + 1) % 30).padStart(2, '0')}`],
    }),
  );
  await save(test.db, ...many, anAlbum('LP-1'), aFilm('F-1'));
});
afterAll(() => server.close());

async function tokenOf(name: string, role: Role): Promise<string> {
  const user = await addPerson(test.db, name, [role]);
  return (await beginTestSession(test.db, server.services.config, user)).token;
}

/** For visitors and for users who are not editors. */
async function expectRefused(mutation: string, variables = {}): Promise<void> {
  const codeFor = async (token: string | null) =>
    (await server.request(mutation, variables, token)).errors?.[0]?.extensions?.code;
  expect([await codeFor(null), await codeFor(member)]).toEqual(['UNAUTHENTICATED', 'FORBIDDEN']);
}

/** The database commands of a visitor's request. */
async function commandsOf(query: string): Promise<{ readonly data: unknown; readonly commands: readonly string[] }> {
  const commands: string[] = [];
  const listen = ({ commandName, command }: CommandStartedEvent) => {
    const isChangeStream = commandName === 'getMore' && command.collection === '$cmd.aggregate'; // the server's own
    if (!isChangeStream) commands.push(`${commandName} ${String(command[commandName])}`);
  };
  test.client.on('commandStarted', listen);
  const { data, errors } = await server.request(query, {}, null);
  test.client.off('commandStarted', listen);
  expect(errors).toBeUndefined();
  return { data, commands };
}

const CARD = 'sku title price { amount currency } stock { available } categories { slug name }';

describe('the category page', () => {
  it('takes three commands: the category with its children, its products, their categories', async () => {
    const { data, commands } = await commandsOf(`{ category(slug: "shop") {
      id slug name ancestors { slug name } children { slug name productCount }
      products(includeDescendants: true, first: 20) { edges { node { ${CARD} } } pageInfo { hasNextPage endCursor } }
    } }`);
    expect(commands).toEqual(['aggregate categories', 'find products', 'find categories']);
    const { category } = data as { category: { children: unknown[]; products: { edges: { node: object }[] } } };
    expect(category.children).toHaveLength(30);
    expect(category.children[0]).toEqual({ slug: 'shelf-00', name: 'SHELF-00', productCount: 4 });
    expect(category.products.edges).toHaveLength(20);
    expect(category.products.edges[1]?.node).toEqual({
      sku: 'P-01',
      title: 'Product P-01',
      price: { amount: 1000, currency: 'EUR' },
      stock: { available: 0 },
      categories: [
        { slug: 'shelf-01', name: 'SHELF-01' },
        { slug: 'shelf-02', name: 'SHELF-02' },
      ],
    });
  });

  it('fetches children of children and products of children in batches, never one by one', async () => {
    const { data, commands } = await commandsOf(`{ category(slug: "shop") {
      ...Shelves
    } }
    fragment Shelves on Category { children { slug children { slug } products(first: 2) { edges { node { sku categories { slug } } } } } }`);
    expect(commands).toEqual(['aggregate categories', 'find categories', 'aggregate categories', 'find categories']);
    const { category } = data as { category: { children: { products: { edges: { node: { sku: string } }[] } }[] } };
    expect(category.children[1]?.products.edges.map(({ node }) => node.sku)).toEqual(['P-00', 'P-01']);
  });

  it('counts the children of all listed categories in one query', async () => {
    const roots = await commandsOf('{ categories { childCount } }');
    expect(roots.commands).toEqual(['find categories', 'aggregate categories']);
    expect(roots.data).toEqual({ categories: [{ childCount: 30 }] });
    const shop = await commandsOf('{ category(slug: "shop") { childCount children { childCount } } }');
    expect(shop.commands).toEqual(['aggregate categories', 'aggregate categories']);
    const leaves = Array.from({ length: 30 }, () => ({ childCount: 0 }));
    expect(shop.data).toEqual({ category: { childCount: 30, children: leaves } });
  });

  it('is null for a category that does not exist', async () => {
    expect((await commandsOf('{ category(slug: "none") { slug children { slug } } }')).data).toEqual({
      category: null,
    });
  });
});

describe('products through the API', () => {
  it('have the right SDL type, even when fetched by id', async () => {
    const { data } = await commandsOf(
      '{ a: product(sku: "LP-1") { id __typename } b: product(sku: "F-1") { id __typename } c: product(sku: "P-00") { id __typename } d: product(sku: "none") { id } }',
    );
    expect(data).toMatchObject({
      a: { __typename: 'AudioAlbum' },
      b: { __typename: 'Film' },
      c: { __typename: 'GeneralProduct' },
      d: null,
    });
    const { a } = data as { a: { id: string } };
    const again = await commandsOf(
      `{ node(id: "${a.id}") { __typename id ... on AudioAlbum { sku artist issuedOn } } }`,
    );
    expect(again.data).toEqual({
      node: { __typename: 'AudioAlbum', id: a.id, sku: 'LP-1', artist: 'Björk', issuedOn: '1990-10-01' },
    });
  });

  it('can be saved only by editors', async () => {
    const SAVE = `mutation($products: [ProductInput!]!) { saveProducts(products: $products) { saved rejected { index code message } } }`;
    const products = [aProduct('NEW', { price: euros(5) }), aProduct('BAD', { price: euros(1), type: 'x' })];
    await expectRefused(SAVE, { products });
    expect((await commandsOf('{ product(sku: "NEW") { sku } }')).data).toEqual({ product: null });
    const { data, extensions } = await server.request(SAVE, { products }, editor);
    expect(data).toMatchObject({ saveProducts: { saved: 1, rejected: [{ index: 1, code: 'BAD_USER_INPUT' }] } });
    expect(extensions?.writtenAt).toEqual(expect.any(String));
  });

  it('have facets', async () => {
    const { data } = await commandsOf(
      '{ productFacets { types(first: 1) { value count } genres { value count } priceBands { from below count } properties { name value count } } }',
    );
    expect(data).toMatchObject({
      productFacets: { types: [{ value: 'BOOK' }], genres: [{ value: 'Jazz', count: 1 }] },
    });
  });

  it('refuse pages that are too large before reading anything', async () => {
    const { errors } = await server.request('{ products(first: 1000) { edges { node { sku } } } }', {}, null);
    expect(errors?.[0]?.extensions?.code).toBe('LIMIT_EXCEEDED');
  });
});

describe('categories through the API', () => {
  it('can be changed only by editors', async () => {
    const MOVE =
      'mutation { moveCategory(slug: "shelf-00", under: "shelf-01") { __typename ... on Category { slug ancestors { id slug } } ... on Refusal { message } } }';
    await expectRefused(MOVE);
    expect(await server.request(MOVE, {}, editor)).toMatchObject({
      data: { moveCategory: { __typename: 'Category', ancestors: [{ slug: 'shelf-01' }, { slug: 'shop' }] } },
    });
    const cycle = MOVE.replace('shelf-00', 'shop');
    expect(await server.request(cycle, {}, editor)).toMatchObject({
      data: { moveCategory: { __typename: 'CategoryCycle' } },
    });
  });

  it('are listed starting with the roots', async () => {
    expect((await commandsOf('{ categories { slug } }')).data).toEqual({ categories: [{ slug: 'shop' }] });
  });
});
