/** Decisions and receipts through the API and the routes for browsers. */
import { beforeAll, describe, expect, it } from 'vitest';
import { BROWSER } from '../../../harness/product.js';
import { AdSigner } from '../../../src/models/ads/decisions/ad-signer.js';
import { openReceipt, type Receipt, sealReceipt, VALID_MS } from '../../../src/models/ads/decisions/receipt.js';
import { idOfType } from '../../../src/shared/global-id.js';
import { MINUTE_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { addSignedIn } from '../../support/people.js';
import { type Answer, useServer } from '../../support/server.js';
import { euros, type Network, openNetwork, SITE } from '../network.js';

const database = useDatabase();
const server = useServer(database);
const origin = `https://${SITE}`;
let network: Network;

beforeAll(async () => {
  network = await openNetwork(database.db, { now: new Date() });
  await network.zone('top', { design: 'CAPPED' });
  await network.run({
    caps: [{ scope: 'CAMPAIGN', count: 100, period: { ms: 3_600_000 } }],
    units: [{ html: '<a href="{{clickUrl}}">Tea</a>', landingUrl: 'https://anna.example/tea?a=1' }],
  });
  await network.zone('open');
  await network.run({ placements: [{ site: SITE, zone: 'open' }] });
});

const ROBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

interface Decided {
  readonly visitor: string;
  readonly ads: readonly Readonly<Record<string, string | null>>[];
}

const ask = (body: unknown, headers: Readonly<Record<string, string>> = { origin }) =>
  fetch(`${server.url}/ads/decide`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain;charset=UTF-8', 'user-agent': BROWSER, ...headers },
    body: JSON.stringify(body),
  });
const decide = async (visitor: string | null = network.visitor()): Promise<Decided> =>
  (await (await ask({ site: SITE, zone: 'top', visitor })).json()) as Decided;
const receipt = async () => (await decide()).ads[0]?.receipt ?? '';
const get = (path: string, agent = BROWSER) =>
  fetch(`${server.url}${path}`, { redirect: 'manual', headers: { 'user-agent': agent } });
const pathOf = (url: string | null | undefined) => (url ?? '').replace(server.url, '');
const counted = () => database.db.collection('ad.receipts').countDocuments();

const TIME = /^[0-9a-f]{16}$/;

describe('the mutations for receipts', () => {
  it.each(['recordImpressions', 'recordClicks'])('%s: counts once, and tells when it wrote', async (mutation) => {
    const send = (receipts: string[]): Promise<Answer> =>
      server.request(
        `mutation ($receipts: [String!]!) { ${mutation}(receipts: $receipts) { recorded repeated rejected { code } } }`,
        { receipts },
      );
    const receipts = [await receipt()];
    const first = await send(receipts);
    expect(first.data?.[mutation]).toEqual({ recorded: 1, repeated: 0, rejected: [] });
    expect(first.extensions?.writtenAt).toMatch(TIME);
    expect((await send(receipts)).data?.[mutation]).toEqual({ recorded: 0, repeated: 1, rejected: [] });
    const before = await counted();
    const forged = await send(['forged']);
    expect(forged.data?.[mutation]).toEqual({ recorded: 0, repeated: 0, rejected: [{ code: 'BAD_USER_INPUT' }] });
    expect(await counted()).toBe(before);
  });

  it('recordConversion: counts once, and rejects another currency', async () => {
    const send = (receiptText: string, currency: string) =>
      server.request(
        `mutation ($receipt: String!) { recordConversion(receipt: $receipt, value: { amount: 5, currency: "${currency}" }) { recorded repeated } }`,
        { receipt: receiptText },
      );
    const one = await receipt();
    expect((await send(one, 'EUR')).data).toEqual({ recordConversion: { recorded: 0, repeated: 0 } }); // nobody saw the ad
    await server.request('mutation ($one: String!) { recordClicks(receipts: [$one]) { recorded } }', { one });
    expect((await send(one, 'USD')).errors?.[0]?.extensions).toMatchObject({ field: 'value.currency' });
    const answer = await send(one, 'EUR');
    expect(answer.data).toEqual({ recordConversion: { recorded: 1, repeated: 0 } });
    expect(answer.extensions?.writtenAt).toMatch(TIME);
  });

  it('refuse more than 1,000 receipts', async () => {
    const receipts = Array.from({ length: 1001 }, () => 'forged');
    const { errors } = await server.request(
      'mutation ($receipts: [String!]!) { recordImpressions(receipts: $receipts) { recorded } }',
      { receipts },
    );
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'LIMIT_EXCEEDED', limit: 1000 });
  });
});

describe('forgetVisitor', () => {
  it('deletes the profile, tells when it wrote, and rejects what is no visitor', async () => {
    const { visitor, ads } = await decide();
    await get(new URL(ads[0]?.impressionUrl ?? '').pathname + new URL(ads[0]?.impressionUrl ?? '').search);
    const profile = () =>
      server.request(
        'query ($visitor: String!) { adProfile(visitor: $visitor) { advertisers { impressions } } }',
        { visitor },
        null,
      );
    expect((await profile()).data).toEqual({ adProfile: { advertisers: [{ impressions: 1 }] } });
    const forget = (id: string) =>
      server.request('mutation ($id: String!) { forgetVisitor(visitor: $id) { forgotten } }', { id }, null);
    const answer = await forget(visitor);
    expect(answer.data).toEqual({ forgetVisitor: { forgotten: true } });
    expect(answer.extensions?.writtenAt).toMatch(TIME);
    expect((await profile()).data).toEqual({ adProfile: null });
    expect((await forget('nobody')).errors?.[0]?.extensions).toMatchObject({ field: 'visitor' });
  });
});

describe('a page of the site', () => {
  it('gets ads for a visitor who keeps the id', async () => {
    const first = await ask({ site: SITE, zone: 'top' });
    expect(first.status).toBe(200);
    expect(first.headers.get('access-control-allow-origin')).toBe(origin);
    expect(first.headers.get('cache-control')).toBe('no-store');
    const { visitor, ads } = (await first.json()) as Decided;
    expect(ads).toEqual([]); // the ads have caps, and the visitor is unknown
    const next = await decide(visitor);
    expect(next).toMatchObject({ visitor, ads: [{ headline: 'An ad', advertiser: 'Anna’s' }] });
  });

  it('gets ads also if some of its tags cannot be keywords', async () => {
    await network.zone('about', { design: 'KEYWORDS' });
    const campaign = await network.run({
      placements: [{ site: SITE, zone: 'about' }],
      units: [{ keywords: [{ keyword: 'tea', bid: euros(900) }] }],
    });
    const tags = [
      'hidden\u200bspace',
      '',
      'a'.repeat(51),
      '\ud800',
      'Tea',
      ...Array.from({ length: 60 }, (_, n) => `tag ${n}`),
    ];
    const answer = await ask({ site: SITE, zone: 'about', keywords: tags });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      ads: [{ why: 'Anna’s pays for ads in this place, because this page is about tea.' }],
    });
    await network.end(campaign);
  });

  it('counts an impression and a click by addresses, and lands only where the ad leads', async () => {
    const [ad] = (await decide()).ads;
    const before = await counted();
    const seen = await get(pathOf(ad?.impressionUrl));
    expect([seen.status, seen.headers.get('content-type')]).toEqual([200, 'image/gif']);
    const click = await get(`${pathOf(ad?.clickUrl)}&to=https://elsewhere.example/&url=//elsewhere.example`);
    expect([click.status, click.headers.get('location')]).toEqual([302, 'https://anna.example/tea?a=1']);
    expect(await counted()).toBe(before + 2);
    await get(pathOf(ad?.clickUrl));
    expect(await counted()).toBe(before + 2);
  });

  it('gives the page that an ad leads to a receipt, if it asks for one, which counts a conversion and nothing else', async () => {
    await network.zone('shop');
    const landingUrl = 'https://anna.example/tea?ad={{receipt}}&cup={receipt}';
    const campaign = await network.run({ placements: [{ site: SITE, zone: 'shop' }], units: [{ landingUrl }] });
    const { ads } = (await (await ask({ site: SITE, zone: 'shop' })).json()) as Decided;
    const landed = async () =>
      new URL((await get(pathOf(ads[0]?.clickUrl))).headers.get('location') ?? '').searchParams.get('ad');
    const conversion = await landed();
    const before = await counted();
    const convert = (more: string) => get(`/ads/conversion?receipt=${conversion}${more}`);
    for (const wrong of ['&value=1.5', '&value=-1', '&value=1&value=2', '&value=9999999999', '&value=5&currency=USD'])
      expect((await convert(wrong)).status, wrong).toBe(400);
    for (const path of ['seen', 'click', 'frame', 'unit'])
      expect((await get(`/ads/${path}?receipt=${conversion}`)).status, path).toBe(400);
    expect(await counted()).toBe(before);
    const answer = await convert('&value=1250&currency=EUR');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/gif']);
    await convert('&value=1250');
    await get(`/ads/conversion?receipt=${await landed()}`); // another visit, of the same click
    expect(await counted()).toBe(before + 1);
    const recorded = await database.db.collection('ad.receipts').findOne({ value: 1250 });
    expect(recorded).toMatchObject({ campaign_id: campaign._id, spent: 0 });
    await network.end(campaign);
  });

  it('shows the HTML of an ad in a frame that is an origin of its own', async () => {
    const [ad] = (await decide()).ads;
    const outer = await get(pathOf(ad?.frameUrl));
    const outerText = await outer.text();
    expect(outerText).not.toContain('Tea');
    const unitUrl = /src="([^"]+)"/.exec(outerText)?.[1] ?? '';
    const inner = await get(pathOf(unitUrl));
    for (const frame of [outer, inner]) {
      expect(frame.status).toBe(200);
      const policy = frame.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox; default-src 'none'/);
      expect(policy).not.toMatch(/allow-same-origin|allow-top-navigation|allow-forms/);
      expect(frame.headers.get('x-frame-options')).toBeNull();
    }
    const policy = outer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`frame-src ${server.url}/ads/unit;`); // the HTML cannot replace itself with anything else
    expect(policy).not.toContain('script-src');
    const click = new URL(unitUrl).searchParams.get('receipt');
    expect(await inner.text()).toContain(`<a href="${server.url}/ads/click?receipt=${click}">Tea</a>`);
  });

  it('sends no HTML of whoever has written some behind a receipt', async () => {
    const [ad] = (await decide()).ads;
    const outer = await (await get(pathOf(ad?.frameUrl))).text();
    const click = new URL(/src="([^"]+)"/.exec(outer)?.[1] ?? '').searchParams.get('receipt') ?? '';
    for (const behind of ['="><script>alert(1)</script>', '"', '=', ' ', '<b>']) {
      const query = `receipt=${encodeURIComponent(click + behind)}`;
      for (const path of ['/ads/unit', '/ads/click']) expect((await get(`${path}?${query}`)).status).toBe(400);
    }
  });

  it('gives the HTML of an ad an address that counts a click, once, and nothing else', async () => {
    const [ad] = (await decide()).ads;
    const outer = await (await get(pathOf(ad?.frameUrl))).text();
    const click = new URL(/src="([^"]+)"/.exec(outer)?.[1] ?? '').searchParams.get('receipt') ?? '';
    const before = await counted();
    expect((await get(`/ads/seen?receipt=${click}`)).status).toBe(400);
    expect((await get(`/ads/frame?receipt=${click}`)).status).toBe(400);
    expect(await network.record([click], 'CONVERSION', new Date())).toMatchObject({ recorded: 0, rejected: [{}] });
    expect(await counted()).toBe(before);
    expect((await get(`/ads/click?receipt=${click}`)).status).toBe(302);
    expect((await get(pathOf(ad?.clickUrl))).status).toBe(302);
    expect(await counted()).toBe(before + 2); // with its impression
  });

  it('has the profile forgotten by the id alone', async () => {
    const { visitor, ads } = await decide();
    await get(pathOf(ads[0]?.impressionUrl));
    const forget = (body: string) =>
      fetch(`${server.url}/ads/forget`, { method: 'POST', headers: { origin, 'content-type': 'text/plain' }, body });
    expect((await forget('nobody')).status).toBe(400);
    const profile = () =>
      database.db.collection<{ _id: string }>('ad.profiles').findOne({ _id: String(visitor.split('.')[0]) });
    expect(await profile()).not.toHaveProperty('forgotten');
    expect((await forget(visitor)).status).toBe(204);
    expect(await profile()).toMatchObject({ units: {}, forgotten: true });
  });

  it.each([
    ['of another origin', { site: SITE, zone: 'top' }, { origin: 'https://elsewhere.example' }, 403],
    ['without an origin', { site: SITE, zone: 'top' }, {}, 403],
    ['of an unknown site', { site: 'unknown.example', zone: 'top' }, { origin }, 403],
    ['for an unknown zone', { site: SITE, zone: 'none' }, { origin }, 404],
    ['with a number as zone', { site: SITE, zone: 5 }, { origin }, 400],
    ['with 21 ads', { site: SITE, zone: 'top', count: 21 }, { origin }, 400],
  ])('gets no ads %s', async (_case, body, headers, status) => {
    expect((await ask(body, headers as Record<string, string>)).status).toBe(status);
  });

  it.each(['/ads/seen', '/ads/click', '/ads/conversion', '/ads/frame', '/ads/unit'])(
    'gets nothing from %s without a receipt of this server',
    async (path) => {
      const before = await counted();
      for (const query of ['', '?receipt=', '?receipt=forged.AAAAAAAAAAAAAAAAAAAAAA', '?receipt=a&receipt=b'])
        expect((await get(`${path}${query}`)).status).toBe(400);
      expect(await counted()).toBe(before);
    },
  );

  it('leads nowhere with a receipt that was changed, and counts nothing', async () => {
    const [ad] = (await decide()).ads;
    const before = await counted();
    const receipt = ad?.receipt ?? '';
    for (const at of [0, 30, receipt.length - 30]) {
      const forged = `${receipt.slice(0, at)}${receipt[at] === 'A' ? 'B' : 'A'}${receipt.slice(at + 1)}`;
      const click = await get(`/ads/click?receipt=${forged}`);
      expect([click.status, click.headers.get('location')]).toEqual([400, null]);
    }
    expect((await get(`/ads/click?receipt=${network.visitor()}`)).status).toBe(400); // signed, but as something else
    expect(await counted()).toBe(before);
  });

  it('leads to the ad with a receipt that has expired, and counts nothing', async () => {
    const receipt = openReceipt(network.signer, (await decide()).ads[0]?.receipt ?? '');
    if (!receipt) throw new Error('The zone shows no ad');
    const clickAfter = async (age: number) => {
      const aged = { ...receipt, id: `aged ${age}`, at: new Date(Date.now() - age) };
      const before = await counted();
      const click = await get(`/ads/click?receipt=${sealReceipt(network.signer, aged)}`);
      expect([click.status, click.headers.get('location')]).toEqual([302, 'https://anna.example/tea?a=1']);
      return (await counted()) - before;
    };
    expect(await clickAfter(VALID_MS.CLICK - MINUTE_MS)).toBe(2); // with its impression
    expect(await clickAfter(VALID_MS.CLICK + MINUTE_MS)).toBe(0);
  });

  it('counts nothing of robots, and shows them no ads', async () => {
    const answer = await ask({ site: SITE, zone: 'top', visitor: network.visitor() }, { origin, 'user-agent': ROBOT });
    expect(await answer.json()).toEqual({ visitor: null, ads: [] });
    const [ad] = (await decide()).ads;
    const before = await counted();
    expect((await get(pathOf(ad?.impressionUrl), ROBOT)).status).toBe(200);
    const click = await get(pathOf(ad?.clickUrl), ROBOT);
    expect([click.status, click.headers.get('location')]).toEqual([302, 'https://anna.example/tea?a=1']);
    expect(await counted()).toBe(before);
  });

  it.each([{ dnt: '1' }, { 'sec-gpc': '1' }])('keeps no profile of a visitor who sends %o', async (wish) => {
    const visitor = network.visitor();
    const shown = (zone: string) => ask({ site: SITE, zone, visitor }, { origin, ...wish });
    expect(await (await shown('top')).json()).toEqual({ visitor: null, ads: [] }); // its ads have caps
    const decision = (await (await shown('open')).json()) as Decided;
    expect(decision).toMatchObject({ visitor: null, ads: [{ headline: 'An ad' }] });
    const profiles = () => database.db.collection('ad.profiles').countDocuments();
    const before = [await profiles(), await counted()];
    await get(pathOf(decision.ads[0]?.impressionUrl));
    expect([await profiles(), await counted()]).toEqual([before[0], Number(before[1]) + 1]);
  });

  it('gets the script, which caches may keep', async () => {
    const script = await get('/ads.js');
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(script.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(script.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  });

  it('answers a CORS preflight', async () => {
    const preflight = await fetch(`${server.url}/ads/decide`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
  });
});

describe('editors', () => {
  it('see the headlines of the ads that a decision considered, and of those in the zone', async () => {
    const { token } = await addSignedIn(database.db, server.services.config, 'eve', 'EDITOR');
    const ads = `(site: "${SITE}", zone: "open")`;
    const answer = await server.request(
      `{ explainDecision${ads} { considered { headline } } zones(site: "${SITE}") { zone ads { headline } } }`,
      {},
      token,
    );
    expect(answer.data).toMatchObject({
      explainDecision: { considered: [{ headline: 'An ad' }] },
      zones: expect.arrayContaining([{ zone: 'open', ads: [{ headline: 'An ad' }] }]),
    });
  });
});

describe('advertisers', () => {
  const CAMPAIGNS = '{ campaigns { edges { node { id } } } advertisers { edges { node { name } } } }';
  const HTML = `mutation ($id: ID!) { addAdUnit(campaignId: $id, input: { size: "1x1", html: "<p>A", landingUrl: "https://a.example/" }) { __typename } }`;

  it('see and change only what is theirs, and set no HTML; editors see all', async () => {
    const { config } = server.services;
    const ann = await addSignedIn(database.db, config, 'ann', 'ADVERTISER');
    const editor = await addSignedIn(database.db, config, 'editor', 'EDITOR');
    const all = await server.request<{ campaigns: { edges: { node: { id: string } }[] } }>(CAMPAIGNS, {}, editor.token);
    expect(all.data?.campaigns.edges).toHaveLength(2);
    const id = all.data?.campaigns.edges[0]?.node.id ?? '';
    expect((await server.request(CAMPAIGNS, {}, ann.token)).data).toEqual({
      campaigns: { edges: [] },
      advertisers: { edges: [] },
    });
    const send = (query: string, token: string | null) => server.request(query, { id }, token);
    expect((await send('query ($id: ID!) { campaign(id: $id) { id } node(id: $id) { id } }', ann.token)).data).toEqual({
      campaign: null,
      node: null,
    });
    for (const mutation of [
      'pauseCampaign(id: $id)',
      'endCampaign(id: $id)',
      'startCampaign(id: $id, idempotencyKey: "a")',
    ])
      expect((await send(`mutation ($id: ID!) { answer: ${mutation} { __typename } }`, ann.token)).data).toEqual({
        answer: { __typename: 'CampaignNotFound' },
      });
    expect((await send(HTML, ann.token)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    expect((await send(HTML, editor.token)).data).toEqual({ addAdUnit: { __typename: 'AdUnit' } });
    expect((await send(CAMPAIGNS, null)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    expect(idOfType('Campaign', id)).not.toBeNull();
  });

  it('are added by those who have the role, for themselves', async () => {
    const { config } = server.services;
    const ann = await addSignedIn(database.db, config, 'bea', 'ADVERTISER');
    const member = await addSignedIn(database.db, config, 'cyd', 'MEMBER');
    const add = (token: string, key = 'once') =>
      server.request<{ addAdvertiser: { id: string } }>(
        `mutation { addAdvertiser(input: { name: "Bea’s" }, idempotencyKey: "${key}") { id name owner { name } } }`,
        {},
        token,
      );
    const first = await add(ann.token);
    expect(first.data?.addAdvertiser).toMatchObject({ name: 'Bea’s', owner: { name: 'bea' } });
    expect((await add(ann.token)).data).toEqual(first.data);
    expect((await add(member.token)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  });
});

/** What a receipt tells to those who hold it: nothing. */
const RECEIPT: Receipt = {
  id: 'an id',
  unit: 'a unit',
  campaign: 'a campaign',
  advertiser: 'an advertiser',
  zone: 'example.org/top',
  visitor: 'a visitor',
  prices: { impression: 500, click: 0 },
  at: new Date(1_700_000_000_000),
};

describe('a receipt', () => {
  it('is opened by every process, and cannot be read by anybody else', async () => {
    const sealed = sealReceipt(network.signer, RECEIPT);
    expect(openReceipt(await AdSigner.open(database.db), sealed)).toEqual(RECEIPT);
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toMatch(/visitor|campaign|500/);
    expect(sealed).toMatch(/^[\w-]+$/); // in an address as it is
  });

  it('differs each time, so that two of one visitor cannot be told to be', () => {
    const [one, other] = [sealReceipt(network.signer, RECEIPT), sealReceipt(network.signer, RECEIPT)];
    expect(one.slice(0, 22)).not.toBe(other.slice(0, 22));
    expect(one.slice(22)).not.toBe(other.slice(22));
  });

  it('that was changed, cut or sealed for a click is none', () => {
    const sealed = sealReceipt(network.signer, RECEIPT);
    for (let at = 0; at < sealed.length - 1; at += 1) {
      const changed = `${sealed.slice(0, at)}${sealed[at] === 'x' ? 'y' : 'x'}${sealed.slice(at + 1)}`;
      expect(openReceipt(network.signer, changed)).toBeNull();
      expect(openReceipt(network.signer, sealed.slice(0, at))).toBeNull();
    }
    const click = sealReceipt(network.signer, RECEIPT, 'click');
    expect(openReceipt(network.signer, click)).toBeNull();
    expect(openReceipt(network.signer, click, ['receipt', 'click'])).toEqual(RECEIPT);
  });

  it('of a version that signed it is still one', () => {
    const parts = ['an id', 'a unit', 'a campaign', 'an advertiser', 'example.org/top', 'a visitor', 500, 0];
    const text = Buffer.from(JSON.stringify([...parts, 1_700_000_000])).toString('base64url');
    expect(openReceipt(network.signer, network.signer.sign('receipt', text))).toEqual(RECEIPT);
    expect(openReceipt(network.signer, network.signer.sign('visitor', text))).toBeNull();
  });
});
