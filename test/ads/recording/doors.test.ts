/** The routes for pages and the API give and count the same: what protects one of them cannot be gone around by the other. */
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { BROWSER } from '../../../harness/product.js';
import { createApiKey } from '../../../src/models/people/api-key.js';
import { BusyError } from '../../../src/shared/errors.js';
import { useDatabase } from '../../support/database.js';
import { addSignedIn, testAct } from '../../support/people.js';
import { type Answer, useServer } from '../../support/server.js';
import { type Network, openNetwork, SITE } from '../network.js';

const PER_MINUTE = 20;
/** What the allowance refills meanwhile: one in three seconds. */
const REFILLED_MAX = 5;
const ROBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const origin = `https://${SITE}`;

const database = useDatabase();
const server = useServer(database, { MAX_AD_REQUESTS_PER_MINUTE: `${PER_MINUTE}` as const, TRUST_PROXY: '1' });
let network: Network;
let addresses = 0;
let address = '';

beforeAll(async () => {
  network = await openNetwork(database.db, { now: new Date() });
  await network.zone('top', { design: 'CAPPED' });
  await network.run({ caps: [{ scope: 'CAMPAIGN', count: 100, period: { ms: 3_600_000 } }], budget: 500_000 });
  await network.zone('open');
  await network.run({ placements: [{ site: SITE, zone: 'open' }], budget: 500_000 });
});
beforeEach(() => {
  addresses += 1;
  address = `192.0.2.${addresses}`;
});

type Headers = Readonly<Record<string, string>>;
const page: Headers = { origin, 'user-agent': BROWSER };

async function send(query: string, variables: object = {}, headers: Headers = page): Promise<Answer> {
  const answer = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...headers },
    body: JSON.stringify({ query, variables }),
  });
  return (await answer.json()) as Answer;
}
const decide = (headers: Headers = page, zone = 'open', visitor: string | null = null) =>
  send(
    `query ($visitor: String) { decideAds(site: "${SITE}", zone: "${zone}", visitor: $visitor) { visitor ads { headline } } }`,
    { visitor },
    headers,
  );
const record = (receipts: readonly string[], headers: Headers = page, mutation = 'recordImpressions') =>
  send(
    `mutation ($receipts: [String!]!) { ${mutation}(receipts: $receipts) { recorded repeated rejected { code } } }`,
    { receipts },
    headers,
  );
const decideOnPage = () =>
  fetch(`${server.url}/ads/decide`, {
    method: 'POST',
    headers: { 'x-forwarded-for': address, ...page },
    body: JSON.stringify({ site: SITE, zone: 'open' }),
  });
const load = (path: string, headers: Headers = { 'user-agent': BROWSER }, method = 'GET') =>
  fetch(`${server.url}${path}`, { method, redirect: 'manual', headers: { 'x-forwarded-for': address, ...headers } });

const receiptsOf = async (count: number, zone = 'open', visitor: string | null = null) =>
  (await Promise.all(Array.from({ length: count }, () => network.decide({ zone, visitor }, new Date())))).map(
    ({ ads }) => ads[0]?.receipt ?? '',
  );
const counted = () => database.db.collection('ad.receipts').countDocuments();
const profiles = () => database.db.collection('ad.profiles').countDocuments();
const codesOf = ({ errors = [] }: Answer) => errors.map(({ extensions }) => extensions.code);
const bearer = (token: string, more: Headers = {}): Headers => ({ authorization: `Bearer ${token}`, ...more });
const keyWith = async (scope: 'ADS_WRITE' | 'HITS_WRITE') =>
  (await createApiKey(database.db, testAct(), { name: scope, scopes: [scope] })).key;

describe('ads through the API', () => {
  it.each([
    ['without an origin', { 'user-agent': BROWSER }],
    ['from an origin that the site does not allow', { ...page, origin: 'https://elsewhere.example' }],
  ])('are refused to a visitor %s', async (_case, headers) => {
    expect(codesOf(await decide(headers))).toEqual(['FORBIDDEN']);
  });

  it('are decided for a page whose origin the site allows', async () => {
    expect((await decide()).data).toMatchObject({ decideAds: { visitor: expect.any(String), ads: [{}] } });
  });

  it('need no origin for editors and for programs with the scope, and for no other program', async () => {
    const { token } = await addSignedIn(database.db, server.services.config, 'eve', 'EDITOR');
    const member = await addSignedIn(database.db, server.services.config, 'max', 'MEMBER');
    for (const trusted of [token, await keyWith('ADS_WRITE')])
      expect((await decide(bearer(trusted))).data).toMatchObject({ decideAds: { ads: [{}] } });
    for (const other of [member.token, await keyWith('HITS_WRITE')])
      expect(codesOf(await decide(bearer(other, { 'user-agent': BROWSER })))).toEqual(['FORBIDDEN']);
  });
});

describe('robots', () => {
  it.each([
    ['that say so', ROBOT],
    ['without a user agent', ''],
  ])('%s get no ads, and nothing of theirs counts', async (_case, agent) => {
    const headers = { origin, 'user-agent': agent };
    expect((await decide(headers)).data).toEqual({ decideAds: { visitor: null, ads: [] } });
    const receipts = await receiptsOf(1);
    const before = await counted();
    for (const mutation of ['recordImpressions', 'recordClicks'])
      expect((await record(receipts, headers, mutation)).data?.[mutation]).toEqual({
        recorded: 0,
        repeated: 0,
        rejected: [{ code: 'FORBIDDEN' }],
      });
    expect((await load(`/ads/seen?receipt=${receipts[0]}`, headers)).status).toBe(200);
    const click = await load(`/ads/click?receipt=${receipts[0]}`, headers);
    expect([click.status, click.headers.get('location')]).toEqual([302, 'https://anna.example/']);
    expect(await counted()).toBe(before);
  });
});

describe.each([{ dnt: '1' }, { 'sec-gpc': '1' }])('a visitor who sends %o', (wish) => {
  const headers = { ...page, ...wish };

  it('stays unknown in a decision', async () => {
    expect((await decide(headers, 'top', network.visitor())).data).toEqual({ decideAds: { visitor: null, ads: [] } });
    expect((await decide(headers, 'open', network.visitor())).data).toMatchObject({
      decideAds: { visitor: null, ads: [{ headline: 'An ad' }] },
    });
  });

  it('has no profile afterwards, however the receipt is sent', async () => {
    const receipts = await receiptsOf(4, 'open', network.visitor());
    const before = [await counted(), await profiles()] as const;
    await load(`/ads/seen?receipt=${receipts[0]}`, headers);
    await load(`/ads/click?receipt=${receipts[1]}`, headers);
    await record([receipts[2] ?? ''], headers);
    await record([receipts[3] ?? ''], headers, 'recordClicks');
    // The clicks prove their impressions.
    expect([await counted(), await profiles()]).toEqual([before[0] + 6, before[1]]);
  });

  it('counts for no ad with caps that was decided before, unless it was seen then', async () => {
    const [seen = '', ...others] = await receiptsOf(3, 'top', network.visitor());
    await record([seen]);
    const before = await counted();
    const refused = { recorded: 0, repeated: 0, rejected: [{ code: 'LIMIT_EXCEEDED' }, { code: 'LIMIT_EXCEEDED' }] };
    for (const mutation of ['recordImpressions', 'recordClicks'])
      expect((await record(others, headers, mutation)).data?.[mutation]).toEqual(refused);
    await load(`/ads/seen?receipt=${others[0]}`, headers);
    await load(`/ads/click?receipt=${others[1]}`, headers);
    expect(await counted()).toBe(before);
    expect((await record([seen], headers, 'recordClicks')).data).toMatchObject({ recordClicks: { recorded: 1 } });
  });
});

describe('the limit of an address', () => {
  const expectWithin = (served: number) => {
    expect(served).toBeGreaterThanOrEqual(PER_MINUTE);
    expect(served).toBeLessThanOrEqual(PER_MINUTE + REFILLED_MAX);
  };

  it('counts each decision of an operation', async () => {
    const aliases = Array.from(
      { length: PER_MINUTE / 2 },
      (_each, n) => `a${n}: decideAds(site: "${SITE}", zone: "open") { ads { headline } }`,
    );
    const codes = [];
    for (let sent = 0; sent < 4; sent += 1) codes.push(codesOf(await send(`{ ${aliases.join(' ')} }`))[0]);
    expect(codes).toEqual([undefined, undefined, 'SERVER_BUSY', 'SERVER_BUSY']);
  });

  it('counts each receipt of a list, and refuses a list that is longer', async () => {
    const receipts = await receiptsOf(3 * PER_MINUTE);
    const before = await counted();
    expect(codesOf(await record(receipts))).toEqual(['LIMIT_EXCEEDED']);
    for (let at = 0; at < receipts.length; at += 10) await record(receipts.slice(at, at + 10));
    expectWithin((await counted()) - before);
  });

  it('is one for the routes and the API', async () => {
    for (let sent = 0; sent < PER_MINUTE / 2; sent += 1) expect((await decideOnPage()).status).toBe(200);
    const receipts = await receiptsOf(PER_MINUTE);
    expect((await record(receipts.slice(0, PER_MINUTE / 2))).data).toMatchObject({
      recordImpressions: { recorded: PER_MINUTE / 2 },
    });
    const refused = await record(receipts.slice(PER_MINUTE / 2));
    expect(refused.errors).toMatchObject([{ extensions: { code: 'SERVER_BUSY', retryAfterMs: expect.any(Number) } }]);
    expect((await record(receipts.slice(0, 1), { ...page, 'x-forwarded-for': '198.51.100.1' })).data).toMatchObject({
      recordImpressions: { repeated: 1 },
    });
  });

  it('is not for programs that record for many visitors', async () => {
    const key = await keyWith('ADS_WRITE');
    const receipts = await receiptsOf(3 * PER_MINUTE);
    expect((await record(receipts, bearer(key))).data).toMatchObject({
      recordImpressions: { recorded: 3 * PER_MINUTE },
    });
    for (let sent = 0; sent < PER_MINUTE + REFILLED_MAX; sent += 1)
      expect((await decide(bearer(key))).data).toMatchObject({ decideAds: { ads: [{}] } });
  });
});

describe('a click', () => {
  const clicked = async (headers: Headers, method = 'GET') => {
    const [receipt] = await receiptsOf(1);
    const before = await counted();
    const answer = await load(`/ads/click?receipt=${receipt}`, { 'user-agent': BROWSER, ...headers }, method);
    return { status: answer.status, headers: answer.headers, counted: (await counted()) - before };
  };

  it('counts when the browser goes there', async () => {
    expect(await clicked({ 'sec-fetch-dest': 'document' })).toMatchObject({ status: 302, counted: 2 }); // with its impression
    expect(await clicked({})).toMatchObject({ status: 302, counted: 2 }); // a browser that does not say
  });

  it('leads to the landing page also while nothing can be counted, and counts when it is made again', async () => {
    const [receipt] = await receiptsOf(1);
    const before = await counted();
    const click = () => load(`/ads/click?receipt=${receipt}`);
    vi.spyOn(server.services.ads.recorder, 'record').mockRejectedValueOnce(new BusyError('Too many are waiting'));
    const answer = await click();
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://anna.example/']);
    expect(await counted()).toBe(before);
    expect((await click()).status).toBe(302);
    expect(await counted()).toBe(before + 2);
  });

  it('is none for a HEAD request', async () => {
    expect(await clicked({}, 'HEAD')).toMatchObject({ status: 302, counted: 0 });
  });

  it.each(['image', 'script', 'style', 'iframe', 'empty'])(
    'is none for a browser that loads it as %s',
    async (dest) => {
      expect(await clicked({ 'sec-fetch-dest': dest })).toMatchObject({ status: 302, counted: 0 });
    },
  );

  it.each([{ 'sec-purpose': 'prefetch;prerender' }, { purpose: 'prefetch' }])(
    'is not answered before it is made: %o',
    async (purpose) => {
      const answer = await clicked({ 'sec-fetch-dest': 'document', ...purpose });
      expect(answer).toMatchObject({ status: 503, counted: 0 });
      expect(answer.headers.get('cache-control')).toBe('no-store');
    },
  );
});
