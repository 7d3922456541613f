/** Imports of networks through the API: followed by their administrator, refused to others. */
import { beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../../harness/wait-for.js';
import { personIdOf } from '../../../src/models/social/import/source.js';
import { backgroundWork } from '../../../src/models/system/work/background-work.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { lines } from '../../content/import/import-support.js';
import { useDatabase } from '../../support/database.js';
import { addPerson, beginTestSession } from '../../support/people.js';
import { useServer } from '../../support/server.js';

const database = useDatabase();
const server = useServer(database);
let admin: string;
let editor: string;

beforeAll(async () => {
  const { db } = database;
  const { config } = server.services;
  admin = (await beginTestSession(db, config, await addPerson(db, 'ada', ['ADMIN']))).token;
  editor = (await beginTestSession(db, config, await addPerson(db, 'edith', ['EDITOR']))).token;
});

const IMPORT = `mutation ($file: Upload!, $input: ImportNetworkInput!) { importNetwork(file: $file, input: $input) {
  __typename ... on DataImport { id state fileName } ... on Refusal { message }
} }`;

async function upload(file: string, source: string, token: string) {
  const form = new FormData(); // in the order required by the multipart request specification
  form.set('operations', JSON.stringify({ query: IMPORT, variables: { file: null, input: { source } } }));
  form.set('map', JSON.stringify({ 0: ['variables.file'] }));
  form.set('0', new File([file], 'network.jsonl'));
  const headers = { authorization: `Bearer ${token}`, 'apollo-require-preflight': 'true' };
  const response = await fetch(`${server.url}/graphql`, { method: 'POST', headers, body: form });
  return (await response.json()) as {
    data: { importNetwork: { __typename: string; id: string; message?: string } } | null;
    errors?: { extensions: { code: string } }[];
    extensions?: object;
  };
}

const rows = [
  { person: 'ann', name: 'Ann' },
  { person: 'ben', name: 'Ben' },
  { circle: 'Friends', of: 'ann', members: ['ben', 'none'] },
  { post: 1, by: 'ann', text: 'Hello', audience: 'PUBLIC', at: '2020-01-01T00:00:00Z' },
];

describe('importNetwork', () => {
  it('imports a file in the background, and tells its rejects in words', async () => {
    const { data, extensions } = await upload(lines(rows), 'api', admin);
    expect(extensions).toEqual({ writtenAt: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(data?.importNetwork).toMatchObject({
      __typename: 'DataImport',
      state: 'WAITING',
      fileName: 'network.jsonl',
    });
    const { id = '' } = data?.importNetwork ?? {};
    await waitFor('the import', 30_000, () => backgroundWork(database.db).findOne({ state: 'FINISHED' }));
    const report = `query ($id: ID!) { node(id: $id) { ... on DataImport {
      done total imported rejected rejects { edges { node { line field reason } } }
    } } }`;
    const reason =
      'Nobody in this source has the key of this member, who may not be the owner: those who are known are in the circle';
    const edges = [{ node: { line: 3, field: 'members.1', reason } }];
    expect((await server.request(report, { id }, admin)).data).toEqual({
      node: { done: 4, total: 4, imported: 3, rejected: 1, rejects: { edges } },
    });
    const trail = 'query { auditTrail(first: 1) { edges { node { action subject detail } } } }';
    expect((await server.request(trail, {}, admin)).data).toEqual({
      auditTrail: { edges: [{ node: { action: 'NETWORK_IMPORTED', subject: 'network.jsonl', detail: 'api' } }] },
    });
    const read = 'query ($id: ID!) { profile(userId: $id) { name followerCount } }';
    const ben = toGlobalId('User', personIdOf('api', 'ben'));
    expect((await server.request(read, { id: ben }, null)).data).toEqual({
      profile: { name: 'Ben', followerCount: 1 },
    });
  });

  it('is refused for what is no such file or source, and to others than administrators', async () => {
    expect((await upload('text', 'api', admin)).data?.importNetwork).toMatchObject({ __typename: 'ImportFileRefused' });
    for (const source of ['', 'a\u200bb', 'a'.repeat(101)])
      expect((await upload(lines(rows), source, admin)).errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect((await upload(lines(rows), 'api', editor)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    expect(await backgroundWork(database.db).countDocuments()).toBe(1);
  });
});
