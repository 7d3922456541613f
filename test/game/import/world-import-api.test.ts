/** Imports and exports of the world through the API, by editors. */
import { beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../../harness/wait-for.js';
import { backgroundWork } from '../../../src/models/system/work/background-work.js';
import { lines } from '../../content/import/import-support.js';
import { useDatabase } from '../../support/database.js';
import { addPerson, beginTestSession } from '../../support/people.js';
import { useServer } from '../../support/server.js';

const database = useDatabase();
const server = useServer(database);
let editor: string;
let member: string;

beforeAll(async () => {
  const { db } = database;
  const { config } = server.services;
  editor = (await beginTestSession(db, config, await addPerson(db, 'edith', ['EDITOR']))).token;
  member = (await beginTestSession(db, config, await addPerson(db, 'mia', ['MEMBER']))).token;
});

const IMPORT = `mutation ($file: Upload!, $input: ImportWorldInput!) { importWorld(file: $file, input: $input) {
  __typename ... on DataImport { id state fileName } ... on Refusal { message }
} }`;

async function upload(file: string, input: object, token: string) {
  const form = new FormData(); // in the order required by the multipart request specification
  form.set('operations', JSON.stringify({ query: IMPORT, variables: { file: null, input } }));
  form.set('map', JSON.stringify({ 0: ['variables.file'] }));
  form.set('0', new File([file], 'world.jsonl'));
  const headers = { authorization: `Bearer ${token}`, 'apollo-require-preflight': 'true' };
  const response = await fetch(`${server.url}/graphql`, { method: 'POST', headers, body: form });
  return (await response.json()) as {
    data: { importWorld: { __typename: string; id: string; message?: string } } | null;
    errors?: { message: string; extensions: { code: string } }[];
    extensions?: object;
  };
}

const rows = [
  { location: 'hall', name: 'Hall', exits: [{ direction: 'up', to: 'none' }] },
  { item: 'lamp', name: 'lamp', place: 'hall' },
];

describe('importWorld and exportWorld', () => {
  it('import a file in the background, tell its rejects in words, and write it again', async () => {
    const { data, extensions } = await upload(lines(rows), { prefix: 'api' }, editor);
    expect(extensions).toEqual({ writtenAt: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(data?.importWorld).toMatchObject({ __typename: 'DataImport', state: 'WAITING', fileName: 'world.jsonl' });
    const { id = '' } = data?.importWorld ?? {};
    await waitFor('the import', 30_000, () =>
      backgroundWork(database.db).findOne({ kind: 'world-import', state: 'FINISHED' }),
    );
    const report = `query ($id: ID!) { node(id: $id) { ... on DataImport {
      done total imported rejected rejects { edges { node { line field reason } } }
    } } }`;
    const reason = 'There is no location with this key, neither in the file nor in the world';
    expect((await server.request(report, { id }, editor)).data).toEqual({
      node: {
        done: 2,
        total: 2,
        imported: 1,
        rejected: 1,
        rejects: { edges: [{ node: { line: 1, field: 'exits.0.to', reason } }] },
      },
    });

    await server.request('mutation { exportWorld { id } }', {}, editor);
    const work = await waitFor('the export', 30_000, () =>
      backgroundWork(database.db).findOne({ kind: 'world-export', state: 'FINISHED' }),
    );
    const address = `query { backgroundWork(first: 10) { edges { node { ... on DataExport { url expiresAt done } } } } }`;
    const listed = (await server.request(address, {}, editor)).data as {
      backgroundWork: { edges: { node: { url?: string; expiresAt?: string; done?: number } }[] };
    };
    const [found] = listed.backgroundWork.edges.map(({ node }) => node).filter(({ url }) => url);
    expect(found).toMatchObject({ done: 2, expiresAt: expect.any(String) });
    const file = await (await fetch(new URL(found?.url ?? '', server.url))).text();
    expect(file).toBe(
      lines([
        { location: 'api:hall', name: 'Hall' },
        { item: 'api:lamp', name: 'lamp', place: 'api:hall' },
      ]),
    );
    expect(work.bytes).toBe(file.length);
  });

  it('are refused for what is no such file or prefix, and to others than editors', async () => {
    expect((await upload('<xml/>', {}, editor)).data?.importWorld).toMatchObject({ __typename: 'ImportFileRefused' });
    expect((await upload(lines(rows), { prefix: 'a b' }, editor)).errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect((await upload(lines(rows), {}, member)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    const denied = await server.request('mutation { exportWorld { id } }', {}, member);
    expect(denied.errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
  });

  it('fail for what is no world of Architext', async () => {
    await upload('{"rooms": []}', { format: 'ARCHITEXT' }, editor);
    const failed = await waitFor('the failure', 30_000, () => backgroundWork(database.db).findOne({ state: 'FAILED' }));
    expect(failed.failure).toContain('The file is no world of Architext');
  });
});
