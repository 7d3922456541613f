/** An address that floods the routes for pages: it is refused before anything is read or written, and others go on. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BROWSER } from '../../../harness/product.js';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { type Network, openNetwork, SITE } from '../network.js';

const PER_MINUTE = 20;
const FLOOD = 400;
/** What the allowance refills while the flood lasts: a request in three seconds. */
const REFILLED_MAX = 10;

const database = useDatabase();
const server = useServer(database, { MAX_AD_REQUESTS_PER_MINUTE: `${PER_MINUTE}` as const, TRUST_PROXY: '1' });
let network: Network;
let blocks = 0;
let [flooder, other] = ['', ''];

beforeAll(async () => {
  network = await openNetwork(database.db, { now: new Date() });
  await network.zone('top');
  await network.run({ budget: 500_000 });
});
beforeEach(() => {
  blocks += 1;
  [flooder, other] = [`192.0.2.${blocks}`, `198.51.100.${blocks}`];
});

const send = (from: string, path: string, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, {
    redirect: 'manual',
    ...init,
    headers: { 'x-forwarded-for': from, 'user-agent': BROWSER, origin: `https://${SITE}` },
  });
const decide = (from: string) =>
  send(from, '/ads/decide', { method: 'POST', body: JSON.stringify({ site: SITE, zone: 'top' }) });
const decided = async () => (await network.decide({}, new Date())).ads[0]?.receipt ?? '';
const receipts = () => database.db.collection('ad.receipts').countDocuments();

/** Sends as many at a time as a browser opens connections to some hosts. @returns the answers by status */
async function flood(request: (n: number) => Promise<Response>): Promise<Map<number, Response[]>> {
  const answers = new Map<number, Response[]>();
  let sent = 0;
  const sendOn = async () => {
    while (sent < FLOOD) {
      const answer = await request(sent++);
      answers.set(answer.status, [...(answers.get(answer.status) ?? []), answer]);
    }
  };
  await Promise.all(Array.from({ length: 20 }, sendOn));
  return answers;
}

async function expectRefused(answers: ReadonlyMap<number, readonly Response[]>, normal: number): Promise<void> {
  expect([...answers.keys()].sort()).toEqual([normal, 429]);
  const served = answers.get(normal)?.length ?? 0;
  expect(served).toBeGreaterThanOrEqual(PER_MINUTE);
  expect(served).toBeLessThanOrEqual(PER_MINUTE + REFILLED_MAX);
  for (const refused of answers.get(429) ?? []) {
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'SERVER_BUSY' } }] });
  }
}

describe('a flood from one address', () => {
  it('of decisions is refused beyond the limit, and stores nothing', async () => {
    const collections = ['ad.receipts', 'ad.profiles', 'ad.units', 'ad.zones'];
    const documents = () => Promise.all(collections.map((name) => database.db.collection(name).countDocuments()));
    const before = await documents();
    await expectRefused(await flood(() => decide(flooder)), 200);
    expect(await documents()).toEqual(before);
  });

  it('of one impression counts it once', async () => {
    const [receipt, before] = [await decided(), await receipts()];
    await expectRefused(await flood(() => send(flooder, `/ads/seen?receipt=${receipt}`)), 200);
    expect(await receipts()).toBe(before + 1);
  });

  it('of many impressions counts no more than the limit', async () => {
    const [own, before] = [await Promise.all(Array.from({ length: FLOOD }, decided)), await receipts()];
    const answers = await flood((n) => send(flooder, `/ads/seen?receipt=${own[n]}`));
    await expectRefused(answers, 200);
    expect(await receipts()).toBe(before + (answers.get(200)?.length ?? 0));
  });

  it('of clicks leads to the landing page beyond the limit as well, and counts no more than the limit', async () => {
    const own = await Promise.all(Array.from({ length: 2 * PER_MINUTE }, decided));
    const before = await receipts();
    const answers = await flood((n) => send(flooder, `/ads/click?receipt=${own[n % own.length]}`));
    expect([...answers.keys()]).toEqual([302]);
    for (const answer of answers.get(302) ?? []) expect(answer.headers.get('location')).toBe('https://anna.example/');
    const counted = ((await receipts()) - before) / 2; // each with the impression that it proves
    expect(counted).toBeGreaterThanOrEqual(PER_MINUTE);
    expect(counted).toBeLessThanOrEqual(PER_MINUTE + REFILLED_MAX);
  });

  it('of forged receipts and of preflights is refused as well', async () => {
    const forged = await flood((n) => send(flooder, `/ads/seen?receipt=forged${n}`));
    expect(forged.get(429)?.length).toBeGreaterThanOrEqual(FLOOD - PER_MINUTE - REFILLED_MAX);
    expect((await send(flooder, '/ads/decide', { method: 'OPTIONS' })).status).toBe(429);
    expect((await send(flooder, '/ads/frame?receipt=a')).status).toBe(429);
  });

  it('of forged clicks uses up the limit', async () => {
    await flood((n) => send(flooder, `/ads/click?receipt=forged${n}`));
    expect((await send(flooder, '/ads/frame?receipt=a')).status).toBe(429);
  });

  it('keeps no other address from getting ads, being counted, and arriving', async () => {
    const running = flood(() => decide(flooder));
    const before = await receipts();
    for (let n = 0; n < PER_MINUTE / 4; n += 1) {
      const answer = await decide(other);
      expect(answer.status).toBe(200);
      const { ads } = (await answer.json()) as { ads: { receipt: string }[] };
      expect((await send(other, `/ads/seen?receipt=${ads[0]?.receipt}`)).status).toBe(200);
      expect((await send(other, `/ads/click?receipt=${ads[0]?.receipt}`)).status).toBe(302);
    }
    expect(await receipts()).toBe(before + PER_MINUTE / 2);
    await expectRefused(await running, 200);
  });
});
