/** In production, error messages reveal nothing of the schema. In development, they suggest names. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.js';
import { openReadySocket } from '../../support/raw-socket.js';
import { type Answer, startTestServer, type TestServer } from '../../support/server.js';

const database = useDatabase();

const SAVE = 'mutation($products: [ProductInput!]!) { saveProducts(products: $products) { __typename } }';
const FOLLOW = 'subscription($unit: TimeUnit!) { hitChartChanged(site: "a", page: "/", unit: $unit) { cursor } }';

interface Guess {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}
const guesses: Record<string, Guess> = {
  'a field': { query: '{ viewr { id } }' },
  'an argument': { query: '{ node(ids: "a") { id } }' },
  'a type': { query: 'query($a: ProductInputs) { __typename }' },
  'a fragment’s type': { query: '{ ... on Querry { __typename } }' },
  'a value of an enum in the text': {
    query: 'subscription { hitChartChanged(site: "a", page: "/", unit: MINUTES) { cursor } }',
  },
  'a field of an input in the text': {
    query: 'mutation { saveProducts(products: [{ skus: "a" }]) { __typename } }',
  },
  'a field of an input in the variables': { query: SAVE, variables: { products: [{ typ: 'x' }] } },
  'a value of an enum in the variables': { query: FOLLOW, variables: { unit: 'MINUTES' } },
};

const overHttp = async ({ url, token }: TestServer, guess: Guess): Promise<Answer['errors']> => {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(guess),
  });
  return ((await response.json()) as Answer).errors;
};
const overSocket = async ({ url, token }: TestServer, guess: Guess): Promise<Answer['errors']> => {
  const raw = await openReadySocket(url, token);
  raw.send({ id: '1', type: 'subscribe', payload: guess });
  const { payload } = (await raw.next()) as { payload: Answer['errors'] | Answer };
  raw.socket.terminate();
  return Array.isArray(payload) ? payload : (payload as Answer).errors;
};
const overEventStream = async ({ url, token }: TestServer, guess: Guess): Promise<Answer['errors']> => {
  const response = await fetch(`${url}/graphql/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(guess),
  });
  const [, event = ''] = /event: next\ndata: (.*)\n/.exec(await response.text()) ?? [];
  return (JSON.parse(event) as Answer).errors;
};
const transports = { HTTP: overHttp, 'a socket': overSocket, 'an event stream': overEventStream };
const rows = Object.entries(transports).flatMap(([transport, send]) =>
  Object.entries(guesses)
    // Subscriptions are not allowed over plain HTTP, which is checked before the variables.
    .filter(([, { query, variables }]) => transport !== 'HTTP' || !query.startsWith('subscription') || !variables)
    .map(([name, guess]) => [name, transport, send, guess] as const),
);

describe.each(['production', 'development'] as const)('a wrongly guessed name, in %s', (mode) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(database, { NODE_ENV: mode });
  });
  afterAll(() => server.close());

  it.each(rows)('is rejected, with suggestions in development: %s over %s', async (_name, _transport, send, guess) => {
    const errors = await send(server, guess);
    expect(errors?.map(({ message }) => message)).toEqual(errors?.map(() => expect.any(String)));
    expect(errors?.length).toBeGreaterThan(0);
    const suggested = errors?.some(({ message }) => message.includes('Did you mean'));
    expect(suggested).toBe(mode === 'development');
  });
});
