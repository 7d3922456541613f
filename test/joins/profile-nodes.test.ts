/** What a person has published, in the profile. */
import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.js';
import { useServer } from '../support/server.js';

const database = useDatabase();
const server = useServer(database);

describe('a profile', () => {
  beforeAll(async () => {
    await server.request('mutation { saveProfile(input: {}) { id } }');
    const create = (title: string, at: string | null) =>
      server.request('mutation ($input: CreateNodeInput!) { createNode(input: $input) { __typename } }', {
        input: { type: 'PAGE', title, ...(at !== null && { publishedAt: at }) },
      });
    await create('Published', '2026-01-01T00:00:00Z');
    await create('Draft', null);
  });

  it('has what the person has published, and no drafts', async () => {
    const { data } = await server.request('{ profile { nodes(first: 5) { edges { node { title path } } } } }');
    expect(data).toEqual({ profile: { nodes: { edges: [{ node: { title: 'Published', path: '/published' } }] } } });
  });
});
