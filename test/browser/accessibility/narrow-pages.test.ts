/**
 * No page is wider than a phone's window, whatever its content. Every route needs a row in `test/<domain>/lists/narrow-pages.ts`: a new
 * route without one fails.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { projectRoot } from '../../../harness/project-root.js';
import { SKU } from '../../commerce/lists/narrow-pages.js';
import { domains } from '../../domains.js';
import { describeInBrowser } from '../support/chromium.js';
import { type Dashboard, eventually, useDashboard } from '../support/dashboard.js';
import { type AddedIds, LONG, type PageRow } from '../support/narrow-pages.js';
import { addCustomer, enter } from '../support/shop.js';

const WIDTH = 390;
const MILLIONS = 999_999_999;

const pages = (await Promise.all(domains.map((domain) => domain.narrowPages?.() ?? []))).flat();
/** The pages that belong to no domain. */
const shared: readonly PageRow[] = [
  ['/nowhere', `/nowhere/${'a'.repeat(300)}`, 'Page not found'],
  ['/graphiql', '/graphiql', 'Variables'],
];
const firstSteps: readonly PageRow[] = [
  ['/', '/', 'Let’s count some traffic'],
  ['/commerce', '/commerce', 'Your catalog is empty'],
];
const forAdministrators = [...pages.flatMap((each) => each.forAdministrators ?? []), ...shared];
const forVisitors = pages.flatMap((each) => each.forVisitors ?? []);
const forCustomers = pages.flatMap((each) => each.forCustomers ?? []);

/** Each test visits up to two dozen pages. */
const WALK_MS = 240_000;

describeInBrowser(`a window ${WIDTH} pixels wide`, () => {
  const dashboard = useDashboard(async () => ({ SIGN_UP: 'open' }));

  it('has a row for each route', () => {
    const covered = [...forAdministrators, ...forVisitors, ...forCustomers].map(([route]) => route);
    expect([...new Set(covered)].filter((route) => route !== '/nowhere').toSorted()).toEqual(routes().toSorted());
  });

  const ids: AddedIds = new Map();
  beforeAll(async () => {
    for (const { fill } of pages) await fill?.(dashboard.product, ids);
  });
  const walk = (page: Page, rows: readonly PageRow[]) => tooWide(page, dashboard, rows, ids);

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
      expect(await walk(page, forCustomers)).toEqual([]);
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
      expect(await walk(page, forAdministrators)).toEqual([]);
    },
    WALK_MS,
  );

  it(
    'fits every page of a visitor',
    async () => {
      expect(await walk(await dashboard.open('/'), forVisitors)).toEqual([]);
    },
    WALK_MS,
  );
});

describeInBrowser(`a window ${WIDTH} pixels wide, on a server without data`, () => {
  const dashboard = useDashboard();

  it('fits the first steps', async () => {
    const page = await dashboard.openSignedIn('/');
    expect(await tooWide(page, dashboard, firstSteps, new Map())).toEqual([]);
  });
});

/** The pages that are wider than the window, with the elements that overflow it. */
async function tooWide(page: Page, { url }: Dashboard, rows: readonly PageRow[], ids: AddedIds): Promise<string[]> {
  await page.setViewportSize({ width: WIDTH, height: 844 });
  const wide: string[] = [];
  for (const [, given, seen] of rows) {
    const address = given.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(ids.get(name) ?? name));
    await page.goto(`${url}${address}`);
    await page.reload(); // a new fragment alone does not load the page
    await page
      .getByText(seen)
      .or(page.getByRole('button', { name: seen }))
      .first()
      .waitFor({ state: 'attached' });
    await eventually(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
    const width = await widthOf(page);
    if (width > WIDTH) wide.push(`${address} is ${width} px wide: ${await reachingOut(page)}`);
  }
  return wide;
}

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
