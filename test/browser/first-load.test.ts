/** What a browser fetches before it shows a page: script and style as transferred, without images and data. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { Page, Request } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from './support/chromium.js';
import { useDashboard } from './support/dashboard.js';
import { fillShelves } from './support/shop.js';

const DASHBOARD_BYTES_MAX = 250_000;
const SHOP_BYTES_MAX = 200_000;

interface Load {
  readonly bytes: number;
  readonly paths: readonly string[];
}

const pathOf = (request: Request): string => new URL(request.url()).pathname;

/** Everything except API responses and images, headers included. */
async function loadOf(page: Page, url: string, isShown: () => Promise<void>): Promise<Load> {
  const finished: Request[] = [];
  page.on('requestfinished', (request) => void finished.push(request));
  await page.goto(url);
  await isShown();
  const counted = finished.filter(
    (request) => !pathOf(request).startsWith('/graphql') && request.resourceType() !== 'image',
  );
  const all = await Promise.all(
    counted.map(async (request) => {
      const { responseHeadersSize, responseBodySize } = await request.sizes();
      return { path: pathOf(request), bytes: responseHeadersSize + responseBodySize };
    }),
  );
  return { bytes: all.reduce((sum, { bytes }) => sum + bytes, 0), paths: all.map(({ path }) => path) };
}

describeInBrowser('the first load', () => {
  const dashboard = useDashboard();
  beforeAll(() => fillShelves(dashboard.product));

  it('of the dashboard is at most 250 kB, including the traffic page', async () => {
    const signedIn = await dashboard.openSignedIn('/');
    const fresh = await signedIn.context().newPage(); // shares its cookies; the next lines turn off its cache
    const session = await fresh.context().newCDPSession(fresh);
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    const { bytes, paths } = await loadOf(fresh, `${dashboard.url}/`, () =>
      fresh.getByRole('button', { name: 'Register site' }).waitFor(),
    );
    expect(bytes).toBeLessThan(DASHBOARD_BYTES_MAX);
    expect(paths.length).toBeGreaterThan(3);
    expect(paths.filter((path) => /monaco|graphiql/.test(path))).toEqual([]);
  });

  it('of the shop is at most 200 kB', async () => {
    const page = await dashboard.open('/shop');
    const session = await page.context().newCDPSession(page);
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    const { bytes, paths } = await loadOf(page, `${dashboard.url}/shop`, () =>
      page.getByRole('link', { name: /^Music/ }).waitFor(),
    );
    expect(bytes).toBeLessThan(SHOP_BYTES_MAX);
    expect(paths.filter((path) => /monaco|graphiql|uplot/i.test(path))).toEqual([]);
  });

  it('gets each script compressed, with an ETag for each encoding, and fetches it only once', async () => {
    const { url } = dashboard;
    const html = await (await fetch(`${url}/shop`)).text();
    const [path = ''] = /\/built\/shop-[\w-]+\.js/.exec(html) ?? [];
    // Not `fetch`, which bypasses all caches as soon as it sends `if-none-match`.
    const ask = async (own: Record<string, string>) => {
      const [answer] = (await once(get(url + path, { headers: own }), 'response')) as [IncomingMessage];
      const chunks = await answer.toArray();
      return { status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(chunks).length };
    };
    const etags = new Set<string | undefined>();
    const sizes: number[] = [];
    for (const encoding of ['br', 'gzip', 'identity']) {
      const { headers, bytes } = await ask({ 'accept-encoding': encoding });
      expect(headers['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding);
      expect(headers['content-type']).toMatch(/^(?:text|application)\/javascript/);
      expect(headers.vary).toContain('Accept-Encoding');
      expect(headers['cache-control']).toContain('immutable');
      etags.add(headers.etag);
      sizes.push(bytes);
      const again = await ask({ 'accept-encoding': encoding, 'if-none-match': headers.etag ?? '' });
      expect({ status: again.status, bytes: again.bytes }).toEqual({ status: 304, bytes: 0 });
    }
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(etags.size).toBe(3);
    for (const ending of ['.br', '.gz']) expect((await fetch(url + path + ending)).status).toBe(404);
  });
});
