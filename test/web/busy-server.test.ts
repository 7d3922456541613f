/** The automatic retries of a page. The server here responds like ours when it is busy or has lost its database. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { HOUR_MS } from '../../src/shared/time.js';
import { fetchPatiently } from '../../web/src/api/busy-server.js';

interface Refusal {
  readonly code: 'SERVER_BUSY' | 'DATABASE_UNAVAILABLE';
  readonly retryAfterMs: number;
}

let server: Server;
let url: string;
/** Its responses in order, then 200. */
let refusals: Refusal[];
let received: string[];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk as Uint8Array);
    received.push(Buffer.concat(chunks).toString());
    const refusal = refusals.shift();
    response.writeHead(refusal ? 503 : 200);
    response.end(JSON.stringify(refusal ? { errors: [{ message: 'Later', extensions: refusal }] } : { data: {} }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  received = [];
});

async function send(query: string, variables: object, refused: Refusal[]) {
  refusals = refused;
  const { status } = await fetchPatiently(url, { method: 'POST', body: JSON.stringify({ query, variables }) });
  return { status, times: received.length };
}

const busy: Refusal = { code: 'SERVER_BUSY', retryAfterMs: 5 };
const away: Refusal = { code: 'DATABASE_UNAVAILABLE', retryAfterMs: 5 };

const READ = 'query Cart($id: ID!) { cart(id: $id) { id } }';
const fragment = 'fragment Name on Product { title }';
const WITHOUT_KEY = 'mutation Name($name: String!) { changeName(name: $name) { id } }';
const WITH_KEY =
  'mutation Add($cart: ID!, $key: String) { addToCart(cartId: $cart, sku: "A", quantity: 1, idempotencyKey: $key) { __typename } }';

describe('while the database is unreachable', () => {
  it.each([
    ['a query', READ, {}],
    ['a mutation with a key', WITH_KEY, { key: 'the key' }],
    ['a mutation with a key after a fragment', `${fragment} ${WITH_KEY}`, { key: 'the key' }],
  ])('%s is retried unchanged', async (_what, query, variables) => {
    expect(await send(query, variables, [away, away])).toEqual({ status: 200, times: 3 });
    expect(new Set(received).size).toBe(1);
  });

  it.each([
    ['without a key', WITHOUT_KEY, {}],
    ['without a key after a fragment', `${fragment} ${WITHOUT_KEY}`, {}],
    ['whose key is omitted', WITH_KEY, {}],
    ['whose key is null', WITH_KEY, { key: null }],
  ])('a mutation %s is not retried: it may have taken effect', async (_what, query, variables) => {
    expect(await send(query, variables, [away])).toEqual({ status: 503, times: 1 });
  });
});

it('a request is not retried if the machine has slept since: its key may be forgotten', async () => {
  const begun = Date.now();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => begun + received.length * HOUR_MS);
  expect(await send(WITH_KEY, { key: 'the key' }, [away])).toEqual({ status: 503, times: 1 });
  clock.mockRestore();
});

describe('while the server is busy', () => {
  it.each([
    ['a query', READ],
    ['a mutation without a key', WITHOUT_KEY],
  ])('%s is retried: it has not started', async (_what, query) => {
    expect(await send(query, {}, [busy])).toEqual({ status: 200, times: 2 });
  });

  it('a request fails after four attempts', async () => {
    expect(await send(READ, {}, Array<Refusal>(9).fill(busy))).toEqual({ status: 503, times: 4 });
  });

  it('a request fails immediately if the wait is too long for a user', async () => {
    expect(await send(READ, {}, [{ ...busy, retryAfterMs: 60_000 }])).toEqual({ status: 503, times: 1 });
  });
});
