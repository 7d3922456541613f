import { getIntrospectionQuery } from 'graphql';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.js';
import { useServer } from '../support/server.js';

const database = useDatabase();
const server = useServer(database);

describe('a server that has just started', () => {
  it('answers a visitor', async () => {
    expect(await server.request('{ __typename }', {}, null)).toEqual({ data: { __typename: 'Query' } });
  });
  it('knows the administrator by the access token', async () => {
    expect(await server.request('{ viewer { email name roles } }')).toEqual({
      data: { viewer: { email: 'admin@example.org', name: 'Administrator', roles: ['ADMIN'] } },
    });
  });
  it('answers the introspection of tools, whose fragments are deeper than an operation may be', async () => {
    const answer = await server.request(getIntrospectionQuery({ inputValueDeprecation: true }), {}, null);
    expect(answer).toMatchObject({ data: { __schema: { queryType: { name: 'Query' } } } });
    expect(answer).not.toHaveProperty('errors');
  });
});
