/** Nodes through the API: who may do what, and what visitors see. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createApiKey } from '../../../src/models/people/api-key.js';
import { useDatabase } from '../../support/database.js';
import { addPerson, beginTestSession, testAct } from '../../support/people.js';
import { useServer } from '../../support/server.js';

const database = useDatabase();
const server = useServer(database);

interface Token {
  editor: string;
  member: string;
  writer: string;
  reader: string;
}
const tokens: Token = { editor: '', member: '', writer: '', reader: '' };

beforeAll(async () => {
  const { config } = server.services;
  for (const [name, role] of [
    ['editor', 'EDITOR'],
    ['member', 'MEMBER'],
  ] as const)
    tokens[name] = (await beginTestSession(database.db, config, await addPerson(database.db, name, [role]))).token;
  const key = async (scope: 'CONTENT_READ' | 'CONTENT_WRITE') =>
    (await createApiKey(database.db, testAct(), { name: `key of ${scope}`, scopes: [scope] })).key;
  tokens.writer = await key('CONTENT_WRITE');
  tokens.reader = await key('CONTENT_READ');
});

interface Node {
  readonly __typename: string;
  readonly id: string;
  readonly nonce: string;
}
const NODE = '__typename ... on ContentNode { id nonce }';
const create = async (input: object, token: string | null = tokens.editor, key?: string) => {
  const query = `mutation ($input: CreateNodeInput!, $key: String) {
    createNode(input: $input, idempotencyKey: $key) { ${NODE} ... on Refusal { message } ... on SlugTaken { suggestion } }
  }`;
  const { data, errors } = await server.request<{ createNode: Node }>(query, { input, key }, token);
  return { node: data?.createNode as Node, code: errors?.[0]?.extensions.code };
};
/** @returns the value of the field `answer` */
const ask = async (query: string, token: string | null = tokens.editor) => {
  const { data, errors } = await server.request<{ answer: unknown }>(query, {}, token);
  expect(errors).toBeUndefined();
  return data?.answer;
};

describe('content is written', () => {
  it.each([
    ['a visitor', 'UNAUTHENTICATED', () => null],
    ['a member', 'FORBIDDEN', () => tokens.member],
    ['a program that may only read', 'FORBIDDEN', () => tokens.reader],
  ])('not by %s', async (_who, code, token) => {
    expect((await create({ type: 'PAGE', title: 'Refused' }, token())).code).toBe(code);
    expect(await database.db.collection('cms.nodes').countDocuments({ title: 'Refused' })).toBe(0);
  });

  it('by programs under the name of their key', async () => {
    const { node } = await create({ type: 'PAGE', title: 'By a program' }, tokens.writer);
    expect(await ask(`{ answer: node(id: "${node.id}") { ... on Page { author { id name } } } }`)).toEqual({
      author: { id: null, name: 'key of CONTENT_WRITE' },
    });
  });

  it('once per idempotency key', async () => {
    const first = await create({ type: 'PAGE', title: 'Once' }, tokens.editor, 'a key');
    expect(await create({ type: 'PAGE', title: 'Once' }, tokens.editor, 'a key')).toEqual(first);
    expect((await create({ type: 'PAGE', title: 'Twice' }, tokens.editor, 'a key')).code).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    );
    expect(await create({ type: 'PAGE', title: 'Once' })).toMatchObject({
      node: { __typename: 'SlugTaken', suggestion: 'once-2' },
    });
  });

  it('under the nonce that was loaded, and told what differs otherwise', async () => {
    const { node } = await create({ type: 'PAGE', title: 'Edited', text: 'One\nTwo' });
    const edit = (changes: string, key: string) =>
      ask(`mutation { answer: editNode(id: "${node.id}", nonce: "${node.nonce}", changes: ${changes}, idempotencyKey: "${key}") {
        __typename ... on Page { version text }
        ... on EditConflict { theirs { version nonce } differences { field base yours theirs merged } }
      } }`);
    const mine = { __typename: 'Page', version: 2, text: 'Eins\nTwo' };
    expect(await edit('{ text: "Eins\\nTwo" }', 'mine')).toEqual(mine);
    expect(await edit('{ text: "Eins\\nTwo" }', 'mine')).toEqual(mine);
    expect(await edit('{ title: "Other" }', 'theirs')).toMatchObject({
      __typename: 'EditConflict',
      theirs: { version: 2 },
      differences: [
        { field: 'title', base: 'Edited', yours: 'Other', theirs: 'Edited', merged: 'Other' },
        { field: 'text', base: 'One\nTwo', yours: 'One\nTwo', theirs: 'Eins\nTwo', merged: 'Eins\nTwo' },
      ],
    });
  });

  it('moved, deleted and restored, with former paths', async () => {
    const { node } = await create({ type: 'PAGE', title: 'Before', publishedAt: '2026-01-01T00:00:00Z' });
    const moved = (await ask(
      `mutation { answer: moveNode(id: "${node.id}", nonce: "${node.nonce}", slug: "after") { ${NODE} } }`,
    )) as Node;
    expect(await ask('{ answer: nodeByPath(path: "/before") { id path } }', null)).toEqual({
      id: node.id,
      path: '/after',
    });
    const deletion = `mutation { answer: deleteNode(id: "${node.id}", nonce: "${moved.nonce}") {
      __typename ... on DeletedNode { id restorableUntil } } }`;
    expect(await ask(deletion)).toMatchObject({ __typename: 'DeletedNode', id: node.id });
    expect(await ask('{ answer: nodeByPath(path: "/after") { id } }')).toBeNull();
    expect(await ask(`{ answer: node(id: "${node.id}") { ... on Page { state } } }`)).toEqual({ state: 'DELETED' });
    expect(await ask(`mutation { answer: restoreNode(id: "${node.id}") { ... on Page { state path } } }`)).toEqual({
      state: 'DRAFT',
      path: '/after',
    });
  });
});

describe('what is not public', () => {
  it.each([
    ['a visitor', () => null, false],
    ['a member', () => tokens.member, false],
    ['an editor', () => tokens.editor, true],
    ['a program that reads content', () => tokens.reader, true],
    ['a program that only writes it', () => tokens.writer, false],
  ])('is there for %s or not, wherever it is asked for', async (who, token, sees) => {
    const slug = `draft-${who.replaceAll(' ', '-')}`;
    const { node } = await create({ type: 'PAGE', title: 'A draft', slug });
    const found = sees ? { id: node.id } : null;
    expect(await ask(`{ answer: node(id: "${node.id}") { id } }`, token())).toEqual(found);
    expect(await ask(`{ answer: nodeByPath(path: "/${slug}") { id } }`, token())).toEqual(found);
    expect(await ask(`{ answer: nodeBySlug(slug: "${slug}") { id } }`, token())).toEqual(found);
  });

  it('above a public node is left out for visitors, who still get its path', async () => {
    const { node: blog } = await create({ type: 'BLOG', title: 'Hidden blog' });
    await create({ type: 'BLOG_POST', title: 'Post', parentId: blog.id, publishedAt: '2026-01-01T00:00:00Z' });
    const post = '{ answer: nodeByPath(path: "/hidden-blog/post") { path parent { id } ancestors { id } } }';
    expect(await ask(post, null)).toEqual({ path: '/hidden-blog/post', parent: null, ancestors: [] });
    expect(await ask(post)).toEqual({
      path: '/hidden-blog/post',
      parent: { id: blog.id },
      ancestors: [{ id: blog.id }],
    });
  });

  it('are the versions and the list of nodes', async () => {
    const { node } = await create({
      type: 'PAGE',
      title: 'Versions',
      slug: 'versions',
      publishedAt: '2026-01-01T00:00:00Z',
    });
    const list = `{ node(id: "${node.id}") { ... on Page { versions { edges { node { version changes { field } } } } } } }`;
    expect((await server.request(list, {}, null)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    expect((await server.request(list, {}, tokens.reader)).data).toEqual({
      node: { versions: { edges: [{ node: { version: 1, changes: [] } }] } },
    });
    expect(
      (await server.request('{ nodes { edges { cursor } } }', {}, tokens.member)).errors?.[0]?.extensions.code,
    ).toBe('FORBIDDEN');
  });
});

describe('live', () => {
  const next = async <T>(events: AsyncIterator<{ data?: unknown }>, field: string): Promise<T> => {
    const { value } = await events.next();
    if (!value?.data) throw new Error('The subscription has ended');
    return (value.data as Record<string, T>)[field] as T;
  };

  it('a node is told to editors at every change, and to visitors from its publication on; both resume by cursor', async () => {
    const { node } = await create({ type: 'PAGE', title: 'Followed' });
    const follow = (after = '') =>
      `subscription { nodeChanged(id: "${node.id}"${after}) { cursor reset node { title path state } } }`;
    interface Event {
      cursor: string;
      node: unknown;
    }
    const editor = server.connect(tokens.editor).iterate({ query: follow() });
    const visitor = server.connect(null).iterate({ query: follow() });
    const view = (title: string, state: string) => ({ title, state, path: '/followed' });
    const first = await next<Event>(editor, 'nodeChanged');
    expect(first.node).toEqual(view('Followed', 'DRAFT'));
    expect((await next<Event>(visitor, 'nodeChanged')).node).toBeNull();
    const edit = (nonce: string, changes: string) =>
      ask(`mutation { answer: editNode(id: "${node.id}", nonce: "${nonce}", changes: ${changes}) { ${NODE} } }`);
    const { nonce } = (await edit(node.nonce, '{ title: "Draft" }')) as Node;
    expect((await next<Event>(editor, 'nodeChanged')).node).toEqual(view('Draft', 'DRAFT'));
    await edit(nonce, '{ publishedAt: "2026-01-01T00:00:00Z" }');
    expect((await next<Event>(editor, 'nodeChanged')).node).toEqual(view('Draft', 'PUBLISHED'));
    expect((await next<Event>(visitor, 'nodeChanged')).node).toEqual(view('Draft', 'PUBLISHED'));
    const resumed = server.connect(tokens.editor).iterate({ query: follow(`, after: "${first.cursor}"`) });
    expect(await next<Event>(resumed, 'nodeChanged')).toMatchObject({ reset: false, node: view('Draft', 'PUBLISHED') });
  });
});
