import { type Client, createClient } from 'graphql-sse';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { useDatabase } from '../../support/database.js';
import { leaveWhileIdentified } from '../../support/departure.js';
import { addPerson, beginTestSession } from '../../support/people.js';
import { type Answer, startTestServer, useServer } from '../../support/server.js';

const database = useDatabase();
const server = useServer(database);
const CHART = 'subscription { hitChartChanged(site: "example.org", page: "/stream") { __typename cursor } }';
const HIT = 'mutation { recordHit(hit: { site: "example.org", page: "/stream" }) { recorded } }';

const clients: Client[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.dispose();
});

function clientOf(token: string | null, url = server.url): Client {
  const client = createClient({
    url: `${url}/graphql/stream`,
    retryAttempts: 0,
    ...(token && { headers: { authorization: `Bearer ${token}` } }),
  });
  clients.push(client);
  return client;
}

const raw = (query: string, { method = 'GET', token = server.token }: { method?: string; token?: string } = {}) =>
  method === 'GET'
    ? fetch(`${server.url}/graphql/stream?${new URLSearchParams({ query })}`, {
        headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
      })
    : fetch(`${server.url}/graphql/stream`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      });

describe('an event stream', () => {
  it('carries a subscription: the state, then the changes', async () => {
    const events = clientOf(server.token).iterate<{ hitChartChanged: { __typename: string; cursor: string } }>({
      query: CHART,
    });
    const first = await events.next();
    expect(first.value.data?.hitChartChanged.__typename).toBe('HitChartSnapshot');
    const { extensions } = await server.request(HIT);
    const second = await events.next();
    expect(second.value.data?.hitChartChanged.__typename).toBe('HitChartChange');
    const cursor = second.value.data?.hitChartChanged.cursor ?? '';
    expect(cursor >= String(extensions?.writtenAt)).toBe(true);
    expect(server.services.hub.health.subscribers).toBe(1);
    await events.return?.();
    await vi.waitFor(() => expect(server.services.hub.health.subscribers).toBe(0));
  });

  it('carries queries and mutations, and reports when a mutation was written', async () => {
    const query = await raw('{ __typename }');
    expect(query.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(await query.text()).toBe(
      ':\n\nevent: next\ndata: {"data":{"__typename":"Query"}}\n\nevent: complete\ndata:\n\n',
    );
    const mutation = await (await raw(HIT, { method: 'POST' })).text();
    expect(mutation).toMatch(/"data":\{"recordHit":\{"recorded":1\}\},"extensions":\{"writtenAt":"[0-9a-f]{16}"\}/);
  });

  it('reports rejected and failed operations as events', async () => {
    expect(await (await raw('{ nothing }')).text()).toContain('"code":"GRAPHQL_VALIDATION_FAILED"');
    expect(await (await raw(CHART, { token: 'no' })).text()).toContain('"code":"UNAUTHENTICATED"');
  });

  it.each([
    ['a mutation by GET', 405, () => raw(HIT)],
    ['no query', 400, () => fetch(`${server.url}/graphql/stream`)],
    ['plain text', 415, () => fetch(`${server.url}/graphql/stream`, { method: 'POST', body: '{}' })],
  ])('is rejected for %s', async (_name, status, send) => {
    const response = await send();
    expect(response.status).toBe(status);
    expect(((await response.json()) as Answer).errors?.[0]?.extensions.code).toBe('BAD_REQUEST');
  });

  it('ends when the token expires', async () => {
    const now = new Date(Date.now() - 898_000); // one to two seconds are left: tokens expire on whole seconds
    const ann = await addPerson(database.db, 'ann', ['EDITOR']);
    const { token } = await beginTestSession(database.db, server.services.config, ann, now);
    const events = await (await raw(CHART, { token })).text();
    expect(events).toMatch(/HitChartSnapshot.*"code":"UNAUTHENTICATED".*event: complete\n/s);
  });

  it('ends with the server', async () => {
    const stopping = await startTestServer(database);
    const events = clientOf(stopping.token, stopping.url).iterate({ query: CHART });
    await events.next();
    await stopping.close();
    expect(await events.next()).toEqual({ value: undefined, done: true });
  });
});

describe('a client that disconnects before it is identified', () => {
  const requestOf = (path: string, query: string, token: string) =>
    [
      `GET ${path}?${new URLSearchParams({ query })} HTTP/1.1`,
      'host: x',
      'x-forwarded-for: 203.0.113.9',
      'apollo-require-preflight: 1',
      'accept: text/event-stream, application/json',
      `authorization: Bearer ${token}\r\n\r\n`,
    ].join('\r\n');

  it('does not count as a stream of its address', async () => {
    const small = await startTestServer(database, { MAX_SOCKETS_PER_ADDRESS: '1', TRUST_PROXY: 'true' });
    onTestFinished(() => small.close());
    await leaveWhileIdentified(small.port, requestOf('/graphql/stream', CHART, small.token));
    const response = await fetch(`${small.url}/graphql/stream`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': '203.0.113.9',
        authorization: `Bearer ${small.token}`,
      },
      body: JSON.stringify({ query: '{ __typename }' }),
    });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"__typename":"Query"')]);
    expect(small.services.hub.health.subscribers).toBe(0);
  });

  it('does not count as a failed operation', async () => {
    const operations = async () =>
      (await (await fetch(`${server.url}/metrics`)).text()).match(/^sextant_graphql_operations_total.*$/gm);
    const before = await operations();
    expect(before).not.toBeNull();
    await leaveWhileIdentified(server.port, requestOf('/graphql', '{ __typename }', server.token));
    await leaveWhileIdentified(server.port, requestOf('/graphql/stream', CHART, server.token));
    expect(await operations()).toEqual(before);
  });
});
