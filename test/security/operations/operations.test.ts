/** The same error over HTTP, over an event stream, and over a socket, whose other operations continue. Nothing changes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.js';
import { openReadySocket, type RawSocket } from '../../support/raw-socket.js';
import { type Answer, useServer } from '../../support/server.js';
import { type HostileOperation, hostileOperations } from './hostile-operations.js';
import { changesOf } from './unchanged.js';

const database = useDatabase();
const server = useServer(database);
const rows = Object.entries(hostileOperations);

const ANSWER_BYTES_MAX = 2000;
/** For variables, graphql-js lists ten times as many errors as for a text. */
const answerBytesMax = (last: HostileOperation['last']) => (last ? 12_000 : ANSWER_BYTES_MAX);
const ANSWER_MS_MAX = 3000; // generous: a busy machine; without the limits some of these take ten times as long

const post = (path: string, body: object) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${server.token}` },
    body: JSON.stringify(body),
  });

describe('an operation that must not be executed', () => {
  const sibling = { id: 'sibling', type: 'subscribe', payload: { query: '{ __typename }' } };
  let raw: RawSocket;
  beforeAll(async () => {
    raw = await openReadySocket(server.url, server.token);
  });
  afterAll(() => raw.socket.terminate());

  it.each(rows)('is rejected over HTTP: %s', async (_name, { code, message, last, ...parameters }) => {
    const changes = await changesOf(database.db, async () => {
      const began = performance.now();
      const response = await post('/graphql', parameters);
      const text = await response.text();
      expect(performance.now() - began).toBeLessThan(ANSWER_MS_MAX);
      expect(text.length).toBeLessThan(answerBytesMax(last));
      const { data, errors } = JSON.parse(text) as Answer;
      expect(errors?.[0]?.extensions.code).toBe(code);
      expect(response.status).toBe(400);
      expect(data).toBeUndefined();
      if (message) expect(errors?.[0]?.message).toMatch(message);
      if (last) expect(errors?.at(-1)?.extensions).toEqual(last);
    });
    expect(changes).toEqual([]);
  });

  it.each(rows)('is rejected over an event stream: %s', async (_name, { code, message, last, ...parameters }) => {
    const response = await post('/graphql/stream', parameters);
    const [, event = ''] = /event: next\ndata: (.*)\n/.exec(await response.text()) ?? [];
    const { data, errors } = JSON.parse(event) as Answer;
    expect(event.length).toBeLessThan(answerBytesMax(last));
    expect(errors?.[0]?.extensions.code).toBe(code);
    expect(data).toBeUndefined();
    if (message) expect(errors?.[0]?.message).toMatch(message);
    if (last) expect(errors?.at(-1)?.extensions).toEqual(last);
  });

  it.each(rows)('is rejected over a socket: %s', async (_name, { code, message, last, ...payload }) => {
    raw.send({ id: 'rejected', type: 'subscribe', payload });
    const answer = await raw.next();
    expect(answer).toMatchObject({ id: 'rejected' });
    const errors = (answer.type === 'error' ? answer.payload : (answer.payload as Answer).errors) as Answer['errors'];
    expect(errors?.[0]?.extensions.code).toBe(code);
    if (message) expect(errors?.[0]?.message).toMatch(message);
    if (last) expect(errors?.at(-1)?.extensions).toEqual(last);
    if (answer.type === 'next') expect(await raw.next()).toEqual({ id: 'rejected', type: 'complete' });
    raw.send(sibling);
    expect(await raw.next()).toMatchObject({ id: 'sibling', type: 'next', payload: { data: { __typename: 'Query' } } });
    expect(await raw.next()).toMatchObject({ id: 'sibling', type: 'complete' });
  });
});

describe('an odd but legal operation', () => {
  const legal: Record<string, [query: string, data: object]> = {
    'the same field several times': [
      '{ viewer { name } viewer { email } ...f ... on Query { viewer { roles name } } } fragment f on Query { viewer { name } }',
      { viewer: { name: 'Administrator', email: 'admin@example.org', roles: ['ADMIN'] } },
    ],
    'aliases within the bound': ['{ a: __typename b: __typename }', { a: 'Query', b: 'Query' }],
    'directives of GraphQL': [
      'query($yes: Boolean = true) { __typename @include(if: $yes) viewer @skip(if: $yes) { id } }',
      { __typename: 'Query' },
    ],
    'a fragment that is used twice': [
      '{ viewer { ...f } again: viewer { ...f } } fragment f on User { name }',
      { viewer: { name: 'Administrator' }, again: { name: 'Administrator' } },
    ],
  };
  it.each(Object.entries(legal))('is answered: %s', async (_name, [query, data]) => {
    expect(await server.request(query)).toEqual({ data });
  });
});
