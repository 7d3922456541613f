/**
 * No page is wider than a phone's window, whatever its content. Every route needs a row here: a new route without one
 * fails.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { projectRoot } from '../../../harness/project-root.js';
import { logLine } from '../support/access-log.js';
import { inviteBy } from '../support/accounts.js';
import { describeInBrowser } from '../support/chromium.js';
import { eventually, useDashboard } from '../support/dashboard.js';
import { addCustomer, enter, MONEY } from '../support/shop.js';

const WIDTH = 390;
const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const HOST = `${'long-name.'.repeat(20)}example`;
const PATH = `/${'no-place-to-break'.repeat(18)}?q=${'x'.repeat(60)}`;
const SKU = `SKU-${'9'.repeat(60)}`;
const TITLE = `${LONG}${LONG}${LONG}`;
const VALUE = `${LONG}${LONG}`;
const MILLIONS = 999_999_999;

/** A route, the address to open, and a text that the page shows once it is complete. */
type Row = readonly [route: string, address: string, seen: string | RegExp];

const traffic = `site=${HOST}&page=${encodeURIComponent(PATH)}`;

const forAdministrators: readonly Row[] = [
  ['/', `/?${traffic}&last=P1D`, 'Undo the import'],
  ['/traffic/requests', `/traffic/requests?site=${HOST}`, 'no-place-to-break'],
  ['/traffic/sessions', '/traffic/sessions', LONG],
  ['/traffic/growth', '/traffic/growth', 'How the log grows'],
  ['/commerce', '/commerce', LONG],
  ['/commerce', `/commerce?sku=${SKU}`, VALUE],
  ['/commerce', `/commerce?property=maker&value=${VALUE}`, /^Maker: /],
  ['/commerce/categories', '/commerce/categories', LONG],
  ['/commerce/carts', '/commerce/carts', '€123,456.78'],
  ['/commerce/till', '/commerce/till', 'Pay from'],
  ['/commerce/orders', '/commerce/orders', LONG],
  ['/commerce/accounts', '/commerce/accounts', 'The store'],
  ['/commerce/recovery', '/commerce/recovery', 'Finish or reverse stalled transfers'],
  ['/people', '/people', LONG],
  ['/people/keys', '/people/keys', LONG],
  ['/people/audit', '/people/audit', LONG],
  ['/system', '/system', 'Realtime'],
  ['/system/shards', '/system/shards', 'Simulate again'],
  ['/profile', '/profile', LONG],
  ['/nowhere', `/nowhere/${'a'.repeat(300)}`, 'Page not found'],
  ['/graphiql', '/graphiql', 'Variables'],
];
const forVisitors: readonly Row[] = [
  ['/', '/', 'Sign in'],
  ['/sign-up', '/sign-up', 'Sign up'],
  ['/forgot', '/forgot', 'Email'],
  ['/goodbye', '/goodbye', 'account'],
  ['/invitation', '/invitation#not-an-invitation', 'invitation'],
  ['/confirm', '/confirm#not-a-token', 'Confirm your account'],
  ['/reset', '/reset#not-a-token', 'password'],
  ['/shop', '/shop', LONG],
  ['/shop/all', '/shop/all', LONG],
  ['/shop/all', `/shop/all?property=maker&value=${VALUE}&from=100000`, 'and up'],
  ['/shop/search', `/shop/search?q=${LONG}`, '“Donau'],
  ['/shop/c', '/shop/c/many', 'products'],
  ['/shop/p', `/shop/p/${SKU}`, 'Add to cart'],
  ['/shop/sign-in', '/shop/sign-in', 'Sign in'],
];
/** For a customer with an order and a filled cart. */
const forCustomers: readonly Row[] = [
  ['/shop/cart', '/shop/cart', 'Go to checkout'],
  ['/shop/checkout', '/shop/checkout', 'Pay €'],
  ['/shop/orders', '/shop/orders', LONG],
];

/** Each test visits up to two dozen pages. */
const WALK_MS = 240_000;

describeInBrowser(`a window ${WIDTH} pixels wide`, () => {
  const dashboard = useDashboard(async () => ({ SIGN_UP: 'open' }));
  const ask = async <T = unknown>(query: string, variables: object = {}): Promise<T> => {
    const { data, errors } = await dashboard.product.request<T>(query, variables);
    expect(errors).toBeUndefined();
    return data as T;
  };

  it('has a row for each route', () => {
    const covered = [...forAdministrators, ...forVisitors, ...forCustomers].map(([route]) => route);
    expect([...new Set(covered)].filter((route) => route !== '/nowhere').toSorted()).toEqual(routes().toSorted());
  });

  beforeAll(async () => {
    await fillTraffic();
    await fillShop();
    await ask('mutation ($name: String!) { changeName(name: $name) { id } }', { name: LONG });
    await inviteBy(dashboard.product, `${'a'.repeat(60)}@${'long-name.'.repeat(12)}example`, ['EDITOR', 'MEMBER']);
    await ask('mutation ($name: String!) { createApiKey(input: { name: $name, scopes: [HITS_READ] }) { key } }', {
      name: LONG,
    });
  });

  it(
    'fits every page of a customer, with an order, a cart and a search in progress',
    async () => {
      const customer = await addCustomer(dashboard.product, 'Maximiliana'.repeat(5), MILLIONS);
      const page = await dashboard.open(`/shop/p/${SKU}`);
      const buy = async () => {
        await page.goto(`${dashboard.url}/shop/p/${SKU}`);
        await page.getByRole('button', { name: 'Add to cart' }).click();
        await page.getByText('in your cart').first().waitFor();
      };
      await buy();
      await page.goto(`${dashboard.url}/shop/checkout`);
      await enter(page, customer);
      await page.getByRole('button', { name: /^Pay €/ }).click();
      await page.getByRole('heading', { level: 1, name: 'Thank you for your order' }).waitFor();
      await page.setViewportSize({ width: WIDTH, height: 844 });
      expect(await widthOf(page)).toBeLessThanOrEqual(WIDTH);
      await buy();
      expect(await tooWide(page, forCustomers)).toEqual([]);
      await page.getByRole('combobox', { name: 'Search the shop' }).fill(LONG.slice(0, 8));
      await page.getByRole('option').first().waitFor();
      expect(await widthOf(page)).toBeLessThanOrEqual(WIDTH);
    },
    WALK_MS,
  );

  it(
    'fits every page of an administrator',
    async () => {
      const page = await dashboard.openSignedIn('/');
      expect(await tooWide(page, forAdministrators)).toEqual([]);
    },
    WALK_MS,
  );

  it(
    'fits every page of a visitor',
    async () => {
      expect(await tooWide(await dashboard.open('/'), forVisitors)).toEqual([]);
    },
    WALK_MS,
  );

  /** The pages that are wider than the window, with the elements that overflow it. */
  async function tooWide(page: Page, rows: readonly Row[]): Promise<string[]> {
    await page.setViewportSize({ width: WIDTH, height: 844 });
    const wide: string[] = [];
    for (const [, address, seen] of rows) {
      await page.goto(`${dashboard.url}${address}`);
      await page.reload(); // a new fragment alone does not load the page
      await page
        .getByText(seen)
        .or(page.getByRole('button', { name: seen }))
        .first()
        .waitFor({ state: 'attached' });
      await eventually(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
      const width = await widthOf(page);
      if (width > WIDTH) wide.push(`${address} is ${width} wide: ${await reachingOut(page)}`);
    }
    return wide;
  }

  async function fillTraffic(): Promise<void> {
    const now = Date.now();
    await ask('mutation ($host: String!) { registerSite(input: { host: $host, allowedOrigins: [] }) { __typename } }', {
      host: HOST,
    });
    const lines = [1, 2, 3].map((hour) => logLine({ at: now - hour * 3_600_000, path: PATH }));
    const file = new File([`${[...lines, `no request ${'x'.repeat(300)}`].join('\n')}\n`], `${LONG}.log`);
    const { data } = await dashboard.product.upload<{ importLog: { id: string } }>(
      'mutation ($file: Upload!, $input: ImportLogInput!) { importLog(file: $file, input: $input) { ... on LogImport { id } } }',
      { input: { site: HOST } },
      file,
    );
    const follow = 'subscription ($id: ID!) { logImportChanged(id: $id) { import { state } } }';
    const changes = dashboard.product.subscribe<{ logImportChanged: { import: { state: string } } }>(
      follow,
      data?.importLog,
    );
    for await (const { data: event } of changes) if (event?.logImportChanged.import.state === 'FINISHED') break;
    const session = { userId: LONG.repeat(2), at: new Date(now - 7_200_000).toISOString(), length: 86_000 };
    await ask('mutation ($sessions: [SessionInput!]!) { recordSessions(sessions: $sessions) { recorded } }', {
      sessions: [session],
    });
    await ask('mutation { rollUp(cutoff: "PT0S") { __typename } }');
  }

  async function fillShop(): Promise<void> {
    await ask(`mutation ($name: String!) { addCategory(input: { slug: "many", name: $name }) { __typename } }`, {
      name: LONG,
    });
    for (let n = 0; n < 30; n += 1)
      await ask('mutation ($input: AddCategoryInput!) { addCategory(input: $input) { __typename } }', {
        input: {
          slug: `below-${n}`,
          name: n === 0 ? TITLE.slice(0, 180) : `Another category number ${n}`,
          under: 'many',
        },
      });
    const products = Array.from({ length: 3 }, (_, n) => ({
      sku: n === 0 ? SKU : `OTHER-${n}`,
      title: n === 0 ? TITLE : `A thing that has a name of several words, number ${n}`,
      type: n === 0 ? 'A_TYPE_WITH_A_NAME_THAT_IS_VERY_LONG_INDEED_AND_ON' : `KIND_NUMBER_${n}`,
      price: MONEY(n === 0 ? 12_345_678 : 999),
      listPrice: MONEY(99_999_999),
      description: `${VALUE}\n`.repeat(2).trim().replaceAll('\n', ' '),
      categories: ['many', 'below-0'],
      properties: [{ name: 'maker', value: VALUE }],
    }));
    await ask('mutation ($products: [ProductInput!]!) { saveProducts(products: $products) { saved } }', { products });
    await ask('mutation ($sku: String!) { restock(sku: $sku, quantity: 1000000) { sku } }', { sku: SKU });
  }
});

const widthOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth') as Promise<number>;

const reachingOut = (page: Page) =>
  page.evaluate(`[...document.querySelectorAll('body *')]
    .filter((part) => part.getBoundingClientRect().right > ${WIDTH} + 1)
    .slice(0, 6)
    .map((part) => part.tagName + '.' + part.className)
    .join(' ')`) as Promise<string>;

/** The routes, read from the code that declares them. */
function routes(): string[] {
  const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
  const pathsOf = (file: string, pattern: RegExp) => [...read(file).matchAll(pattern)].map(([, path]) => path ?? '');
  const sections = pathsOf('web/src/sections.ts', /from '\.\/(\w+\/section)\.js'/g).filter(
    (file) => !file.startsWith('shell/'),
  );
  return [
    ...new Set([
      ...sections.flatMap((file) => pathsOf(`web/src/${file}.tsx`, /path: '(\/[^']*)'/g)),
      ...pathsOf('web/src/people/entrance/pages.ts', /path: '(\/[^']*)'/g),
      ...pathsOf('web/src/commerce/storefront/storefront.tsx', /^ {2}\['(\/[^']*)', \(/gm).map(withoutParameter),
      ...pathsOf('src/server/pages/web.ts', /app\.get\('(\/[^']*)'/g),
    ]),
  ];
}

const withoutParameter = (route: string) => route.replace(/\/:\w+$/, '');
