/** Imports and exports of comments through the API: followed by their editor, refused to others. */
import { beforeAll, describe, expect, it } from 'vitest';
import { lines } from '../../content/import/import-support.js';
import { useDatabase } from '../../support/database.js';
import { addPerson, beginTestSession } from '../../support/people.js';
import { useServer } from '../../support/server.js';

const database = useDatabase();
const server = useServer(database);
let editor: string;
let member: string;
let nodeId: string;

beforeAll(async () => {
  const { db } = database;
  const { config } = server.services;
  editor = (await beginTestSession(db, config, await addPerson(db, 'edith', ['EDITOR']))).token;
  member = (await beginTestSession(db, config, await addPerson(db, 'mia', ['MEMBER']))).token;
  const create =
    'mutation { createNode(input: { type: PAGE, title: "Page", publishedAt: "2020-01-01T00:00:00Z" }) { ... on Page { id } } }';
  nodeId = (await server.request<{ createNode: { id: string } }>(create)).data?.createNode.id ?? '';
});

const IMPORT = `mutation ($file: Upload!, $input: ImportCommentsInput!) { importComments(file: $file, input: $input) {
  __typename ... on DataImport { id state fileName } ... on Refusal { message }
} }`;
const EXPORT = 'mutation ($nodeId: ID) { exportComments(nodeId: $nodeId) { id state } }';

async function upload(file: string, input: object, token: string) {
  const form = new FormData(); // in the order required by the multipart request specification
  form.set('operations', JSON.stringify({ query: IMPORT, variables: { file: null, input } }));
  form.set('map', JSON.stringify({ 0: ['variables.file'] }));
  form.set('0', new File([file], 'comments.jsonl'));
  const headers = { authorization: `Bearer ${token}`, 'apollo-require-preflight': 'true' };
  const response = await fetch(`${server.url}/graphql`, { method: 'POST', headers, body: form });
  return (await response.json()) as {
    data: { importComments: { __typename: string; id: string; message?: string } } | null;
    errors?: { extensions: { code: string } }[];
    extensions?: object;
  };
}

interface Followed {
  readonly workChanged: { readonly work: Readonly<Record<string, unknown>> };
}
const FOLLOW = `subscription ($id: ID!) { workChanged(id: $id) { work {
  __typename state done total failure ... on DataImport { imported rejected } ... on DataExport { url }
} } }`;

async function ended(id: string): Promise<Readonly<Record<string, unknown>>> {
  const events = server.connect(editor).iterate<Followed>({ query: FOLLOW, variables: { id } });
  for await (const { data, errors } of events) {
    if (!data) throw errors;
    const { work } = data.workChanged;
    if (['FINISHED', 'FAILED'].includes(String(work.state))) return work;
  }
  throw new Error('The subscription ended before the work');
}

const rows = [
  { id: '1', author: 'Cleo', postedAt: '2020-01-01T00:00:00.000Z', text: 'First' },
  { id: '2', replyTo: '1', author: 'Dan', postedAt: '2020-01-02T00:00:00.000Z', text: 'Second' },
];

describe('importComments', () => {
  it('imports a file in the background, which exportComments writes again', async () => {
    const { data, extensions } = await upload(lines([...rows, { id: '3' }]), { nodeId }, editor);
    expect(extensions).toEqual({ writtenAt: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(data?.importComments).toMatchObject({ __typename: 'DataImport', fileName: 'comments.jsonl' });
    const { id = '' } = data?.importComments ?? {};
    expect(await ended(id)).toMatchObject({ state: 'FINISHED', done: 3, total: 3, imported: 2, rejected: 1 });
    const rejects =
      'query ($id: ID!) { node(id: $id) { ... on DataImport { rejects { edges { node { line field reason } } } } } }';
    const node = { line: 3, field: 'postedAt', reason: 'A time is missing, or not in RFC 3339 format' };
    expect((await server.request(rejects, { id }, editor)).data).toEqual({ node: { rejects: { edges: [{ node }] } } });
    const read = `query ($nodeId: ID!) { discussion(nodeId: $nodeId) { edges { node { slug author { name } postedAt text } } } }`;
    expect((await server.request(read, { nodeId }, null)).data).toEqual({
      discussion: {
        edges: [
          { node: { slug: '1', author: { name: 'Cleo' }, postedAt: '2020-01-01T00:00:00.000Z', text: 'First' } },
          { node: { slug: '1/2', author: { name: 'Dan' }, postedAt: '2020-01-02T00:00:00.000Z', text: 'Second' } },
        ],
      },
    });
    const exported = await server.request<{ exportComments: { id: string } }>(EXPORT, { nodeId }, editor);
    const { url } = await ended(exported.data?.exportComments.id ?? '');
    expect(await (await fetch(String(url))).text()).toBe(lines(rows));
    const all = await server.request<{ exportComments: { id: string } }>(EXPORT, {}, editor);
    const { url: urlOfAll } = await ended(all.data?.exportComments.id ?? '');
    expect(await (await fetch(String(urlOfAll))).text()).toBe(lines(rows.map((row) => ({ on: 'page', ...row }))));
  });

  it('is refused for what is no such file or object, and to others than editors', async () => {
    expect((await upload('text', {}, editor)).data?.importComments).toMatchObject({ __typename: 'ImportFileRefused' });
    expect((await upload(lines(rows), { nodeId: 'none' }, editor)).data?.importComments).toMatchObject({
      __typename: 'CommentableNotFound',
    });
    expect((await upload(lines(rows), {}, member)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    expect((await server.request(EXPORT, { nodeId: 'none' }, editor)).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    expect((await server.request(EXPORT, {}, member)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  });
});
