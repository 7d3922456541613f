import { createContext, runInContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { dailyHits } from '../../../src/models/analytics/hits/hit.js';
import { changeSiteOrigins, registerSite } from '../../../src/models/analytics/sites/site.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { useServer } from '../../support/server.js';

const database = useDatabase();
const server = useServer(database);
const origin = 'https://example.org';

beforeAll(async () => {
  await registerSite(database.db, testAct(), { host: 'example.org', allowedOrigins: [origin] });
  await registerSite(database.db, testAct(), { host: 'closed.example', allowedOrigins: [] });
});

const send = (body: unknown, headers: Readonly<Record<string, string>> = { origin }) =>
  fetch(`${server.url}/hit`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain;charset=UTF-8', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const image = (query: string, referer?: string) =>
  fetch(`${server.url}/hit.gif${query}`, { headers: referer ? { referer } : {} });

async function hitsOf(page: string): Promise<number> {
  const days = await dailyHits(database.db).find({ 'metadata.site': 'example.org', 'metadata.page': page }).toArray();
  return days.flatMap(({ hourly = {} }) => Object.values(hourly)).reduce((sum, count) => sum + count, 0);
}
const allHits = () => dailyHits(database.db).countDocuments();

describe('a page of a registered site', () => {
  it('can send a hit by the script, and gets a response when it is stored', async () => {
    const answer = await send({ site: 'example.org', page: '/sent' });
    expect(answer.status).toBe(204);
    expect(await hitsOf('/sent')).toBe(1);
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('may send application/json, which needs a CORS preflight', async () => {
    const preflight = await fetch(`${server.url}/hit`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type');
    const answer = await send({ site: 'example.org', page: '/json' }, { origin, 'content-type': 'application/json' });
    expect(answer.status).toBe(204);
    expect(await hitsOf('/json')).toBe(1);
  });

  it('can send a hit by the image, without a script: it counts for the referring page', async () => {
    const answer = await image('?site=example.org', `${origin}/no-script?query=1#part`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/gif');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(0, 6)
        .toString(),
    ).toBe('GIF89a');
    expect(await hitsOf('/no-script')).toBe(1);
  });

  /** Runs the script of the snippet. @param answer the server's response to each request, by number @returns the requests */
  async function runScript(answer: (number: number) => Response): Promise<unknown[][]> {
    const { data } = await server.request<{ sites: { host: string; snippet: string }[] }>('{ sites { host snippet } }');
    const snippet = data?.sites.find(({ host }) => host === 'example.org')?.snippet ?? '';
    const [, source = '', site = ''] = /src="([^"]+)" data-site="([^"]+)"/.exec(snippet) ?? [];
    expect(source).toBe(`${server.url}/hit.js`);
    const script = await fetch(source);
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const sent: unknown[][] = [];
    const page = createContext({
      URL,
      setTimeout: (send: (repeats: number) => void, ms: number, repeats: number) => {
        expect(ms).toBeGreaterThanOrEqual(800);
        expect(ms).toBeLessThanOrEqual(1200);
        send(repeats);
      },
      document: { currentScript: { src: source, getAttribute: () => site } },
      location: { pathname: '/by-script' },
      fetch: async (url: string, { method, body, keepalive, credentials }: RequestInit) => {
        sent.push([url, method, body, keepalive, credentials]);
        return answer(sent.length);
      },
    });
    runInContext(await script.text(), page);
    await new Promise((resolve) => setTimeout(resolve, 50)); // time for anything else that it would send
    return sent;
  }
  const error = (code: string) => () =>
    Response.json({ errors: [{ message: '', extensions: { code, retryAfterMs: 800 } }] }, { status: 503 });

  it('sends its path once by the script in the snippet', async () => {
    const sent = await runScript(() => new Response(null, { status: 204 }));
    const body = '{"site":"example.org","page":"/by-script"}';
    expect(sent).toEqual([[`${server.url}/hit`, 'POST', body, true, 'omit']]);
  });

  it('retries a few times while the server is overloaded, and not when the hit may have been stored', async () => {
    const busyOnce = (number: number) => (number === 1 ? error('SERVER_BUSY')() : new Response(null, { status: 204 }));
    expect(await runScript(busyOnce)).toHaveLength(2);
    expect(await runScript(error('SERVER_BUSY'))).toHaveLength(4);
    expect(await runScript(error('DATABASE_UNAVAILABLE'))).toHaveLength(1);
    expect(
      await runScript(() => {
        throw new TypeError('fetch failed');
      }),
    ).toHaveLength(1);
  });
});

describe('the beacon refuses', () => {
  it.each([
    ['another origin', { site: 'example.org', page: '/' }, { origin: 'https://evil.example' }, 403, 'FORBIDDEN'],
    ['no origin', { site: 'example.org', page: '/' }, {}, 403, 'FORBIDDEN'],
    ['an opaque origin', { site: 'example.org', page: '/' }, { origin: 'null' }, 403, 'FORBIDDEN'],
    ['a site that is not registered', { site: 'none.example', page: '/' }, { origin }, 403, 'FORBIDDEN'],
    [
      'a site without allowed origins',
      { site: 'closed.example', page: '/' },
      { origin: 'https://closed.example' },
      403,
      'FORBIDDEN',
    ],
    ['a page that is too long', { site: 'example.org', page: 'x'.repeat(8193) }, { origin }, 400, 'BAD_USER_INPUT'],
    ['a lone surrogate', '{"site": "example.org", "page": "/\\ud800"}', { origin }, 400, 'BAD_USER_INPUT'],
    ['an operator in place of a page', { site: 'example.org', page: { $gt: '' } }, { origin }, 400, 'BAD_REQUEST'],
    ['an operator in place of a site', { site: { $ne: null }, page: '/' }, { origin }, 400, 'BAD_REQUEST'],
    ['a body that is not JSON', 'site=example.org', { origin }, 400, 'BAD_REQUEST'],
    ['an empty body', '', { origin }, 400, 'BAD_REQUEST'],
    ['malformed application/json', '{', { origin, 'content-type': 'application/json' }, 400, 'BAD_REQUEST'],
    ['a form', 'a=b', { origin, 'content-type': 'application/x-www-form-urlencoded' }, 415, 'BAD_REQUEST'],
    ['a body of 40,000 bytes', { site: 'example.org', page: 'x'.repeat(40_000) }, { origin }, 413, 'LIMIT_EXCEEDED'],
  ])('%s, and records nothing', async (_case, body, headers, status, code) => {
    const before = await allHits();
    const answer = await send(body, headers);
    expect([answer.status, await answer.json()]).toMatchObject([status, { errors: [{ extensions: { code } }] }]);
    expect(await allHits()).toBe(before);
  });

  it.each([
    ['without a site', '', `${origin}/`, 400],
    ['with two sites', '?site=example.org&site=b', `${origin}/`, 400],
    ['without a referrer', '?site=example.org', undefined, 400],
    ['from another origin', '?site=example.org', 'https://evil.example/', 403],
  ])('the image %s', async (_case, query, referer, status) => {
    const before = await allHits();
    expect((await image(query, referer)).status).toBe(status);
    expect(await allHits()).toBe(before);
  });

  it('an origin that was removed, within two seconds', async () => {
    await registerSite(database.db, testAct(), { host: 'fleeting.example', allowedOrigins: [origin] });
    expect((await send({ site: 'fleeting.example', page: '/' })).status).toBe(204);
    await changeSiteOrigins(database.db, testAct(), 'fleeting.example', []);
    const since = Date.now();
    let status = 204;
    while (status === 204) status = (await send({ site: 'fleeting.example', page: '/' })).status;
    expect(status).toBe(403);
    expect(Date.now() - since).toBeLessThan(4000);
  });
});
