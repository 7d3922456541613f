/** Imports and exports of content through the API, done by the server’s own thread. */
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { UserDocument } from '../../../src/models/people/user.js';
import { backgroundWork } from '../../../src/models/system/work/background-work.js';
import { DAY_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { addPerson, beginTestSession } from '../../support/people.js';
import { useServer } from '../../support/server.js';
import { lines } from './import-support.js';

const database = useDatabase();
const server = useServer(database);
let edith: UserDocument;
let editor: string;
let member: string;
let blog: string;

beforeAll(async () => {
  const { db } = database;
  const { config } = server.services;
  edith = await addPerson(db, 'edith', ['EDITOR']);
  editor = (await beginTestSession(db, config, edith)).token;
  member = (await beginTestSession(db, config, await addPerson(db, 'mia', ['MEMBER']))).token;
  const create = 'mutation { createNode(input: { type: BLOG, title: "Blog" }) { ... on Blog { id } } }';
  blog = (await server.request<{ createNode: { id: string } }>(create)).data?.createNode.id ?? '';
});

const IMPORT = `mutation ($file: Upload!, $input: ImportContentInput!) { importContent(file: $file, input: $input) {
  __typename ... on DataImport { id state fileName } ... on Refusal { message }
} }`;
const EXPORT = 'mutation ($parentId: ID!) { exportContent(parentId: $parentId) { id state url bytes expiresAt } }';

async function upload(file: string | Uint8Array<ArrayBuffer>, input: object, token: string) {
  const form = new FormData(); // in the order required by the multipart request specification
  form.set('operations', JSON.stringify({ query: IMPORT, variables: { file: null, input } }));
  form.set('map', JSON.stringify({ 0: ['variables.file'] }));
  form.set('0', new File([file], 'posts.jsonl'));
  const headers = { authorization: `Bearer ${token}`, 'apollo-require-preflight': 'true' };
  const response = await fetch(`${server.url}/graphql`, { method: 'POST', headers, body: form });
  return (await response.json()) as {
    data: { importContent: { __typename: string; id: string; message?: string } } | null;
    errors?: { extensions: { code: string } }[];
    extensions?: object;
  };
}

interface Followed {
  readonly workChanged: { readonly cursor: string; readonly work: Readonly<Record<string, unknown>> };
}
const FOLLOW = `subscription ($id: ID!) { workChanged(id: $id) { cursor work {
  __typename state done total failure ... on DataImport { imported skipped rejected } ... on DataExport { url bytes expiresAt }
} } }`;

/** @param since `writtenAt` of the mutation that started it: a state that was followed before may begin with an earlier one */
async function ended(id: string, since: unknown = ''): Promise<Readonly<Record<string, unknown>>> {
  const events = server.connect(editor).iterate<Followed>({ query: FOLLOW, variables: { id } });
  for await (const { data, errors } of events) {
    if (!data) throw errors;
    const { cursor, work } = data.workChanged;
    if (cursor >= String(since) && ['FINISHED', 'FAILED', 'UNDONE'].includes(String(work.state))) return work;
  }
  throw new Error('The subscription ended before the work');
}

const file = lines([{ title: 'One', publishedAt: '2020-01-01T00:00:00Z', body: 'First' }, { title: 'Two' }, {}]);

describe('importContent', () => {
  it('takes gzip, and names the field of a rejected row', async () => {
    const packed = new Uint8Array(
      gzipSync(lines([{ title: 'Packed' }, { path: 'x', title: 'x', publishedAt: 'now' }])),
    );
    const { data } = await upload(packed, { parentId: blog, format: 'JSON_LINES', asDrafts: true }, editor);
    const id = data?.importContent.id ?? '';
    expect(await ended(id)).toMatchObject({ state: 'FINISHED', imported: 1, rejected: 1 });
    const rejects =
      'query ($id: ID!) { node(id: $id) { ... on DataImport { rejects { edges { node { line field reason } } } } } }';
    const row = { line: 2, field: 'publishedAt', reason: 'A time is not in RFC 3339 format' };
    expect((await server.request(rejects, { id }, editor)).data).toEqual({
      node: { rejects: { edges: [{ node: row }] } },
    });
    const undo = 'mutation ($id: ID!) { undoImport(id: $id) { __typename } }';
    const { extensions } = await server.request(undo, { id }, editor);
    expect(await ended(id, extensions?.writtenAt)).toMatchObject({
      state: 'UNDONE',
      done: 1,
      total: 2,
      imported: 0,
      rejected: 1,
    });
  });

  it('imports a file in the background, which its editor follows and undoes', async () => {
    const { data, extensions } = await upload(file, { parentId: blog, format: 'JSON_LINES' }, editor);
    expect(extensions).toEqual({ writtenAt: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(data?.importContent).toMatchObject({ __typename: 'DataImport', state: 'WAITING', fileName: 'posts.jsonl' });
    const id = data?.importContent.id ?? '';
    expect(await ended(id)).toMatchObject({ state: 'FINISHED', done: 3, total: 3, imported: 2, rejected: 1 });
    const posts = 'query ($id: ID!) { recentPosts(blogId: $id) { edges { node { title author { name } } } } }';
    const shown = { edges: [{ node: { title: 'One', author: { name: 'edith' } } }] };
    expect((await server.request(posts, { id: blog }, null)).data).toEqual({ recentPosts: shown });
    const undo = 'mutation ($id: ID!) { undoImport(id: $id) { __typename ... on DataImport { state } } }';
    const undone = await server.request(undo, { id }, editor);
    expect(undone.data).toEqual({ undoImport: { __typename: 'DataImport', state: 'UNDOING' } });
    expect(await ended(id, undone.extensions?.writtenAt)).toMatchObject({ state: 'UNDONE', imported: 0, rejected: 1 });
    expect((await server.request(posts, { id: blog }, null)).data).toEqual({ recentPosts: { edges: [] } });
  });

  it('is refused for what is no such file, and to others than editors', async () => {
    const input = { parentId: blog, format: 'FEED' };
    expect((await upload(file, input, editor)).data?.importContent).toEqual({
      __typename: 'ImportFileRefused',
      message: 'The file is no feed: it does not start with an XML element',
    });
    expect((await upload(file, { ...input, parentId: 'none' }, editor)).data?.importContent).toMatchObject({
      __typename: 'ParentNotFound',
    });
    expect((await upload(file, input, member)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  });
});

describe('exportContent', () => {
  it('writes a file that its editor can download for a day', async () => {
    const imported = await upload(file, { parentId: blog, format: 'JSON_LINES' }, editor);
    await ended(imported.data?.importContent.id ?? '');
    const { data } = await server.request<{ exportContent: { id: string } }>(EXPORT, { parentId: blog }, editor);
    expect(data?.exportContent).toMatchObject({ state: 'WAITING', url: null, bytes: null, expiresAt: null });
    const id = data?.exportContent.id ?? '';
    const done = await ended(id);
    expect(done).toMatchObject({ __typename: 'DataExport', state: 'FINISHED', done: 2, total: 2 });

    const response = await fetch(String(done.url));
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/jsonl; charset=utf-8',
      'content-length': String(done.bytes),
      'content-disposition': 'attachment; filename="blog.jsonl"',
      'cache-control': 'private, no-store',
    });
    expect(text.split('\n').map((line) => line && JSON.parse(line).title)).toEqual(['One', 'Two', '']);

    const url = 'query ($id: ID!) { node(id: $id) { ... on DataExport { url } } }';
    expect((await server.request(url, { id }, editor)).data).toEqual({ node: { url: done.url } });
    expect((await server.request(url, { id })).data).toEqual({ node: { url: null } }); // an administrator
    expect((await server.request(url, { id }, member)).data).toEqual({ node: null });
    for (const wrong of [
      String(done.url).slice(0, -1),
      String(done.url).replace(/\?.*/, ''),
      `${server.url}/exports/none?key=x`,
    ])
      expect((await fetch(wrong)).status).toBe(404);

    await backgroundWork(database.db).updateOne(
      { owner: edith._id, type: 'DataExport' },
      { $set: { finished_at: new Date(Date.now() - DAY_MS - 60_000) } }, // the database's clock may be behind this one
    );
    expect((await fetch(String(done.url))).status).toBe(404);
    expect((await server.request(url, { id }, editor)).data).toEqual({ node: { url: null } });
  });

  it('fails without such a node, and for others than editors', async () => {
    expect((await server.request(EXPORT, { parentId: 'none' }, editor)).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    expect((await server.request(EXPORT, { parentId: blog }, member)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  });
});
