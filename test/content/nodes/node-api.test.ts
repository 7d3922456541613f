/** Nodes through the API: who may do what, and what visitors see. */
import { randomUUID } from 'node:crypto';
import type { GraphQLInputObjectType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { nodes } from '../../../src/models/content/nodes/node.js';
import { createApiKey } from '../../../src/models/people/api-key.js';
import { makeSchema } from '../../../src/server/operations/schema.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { DAY_MS } from '../../../src/shared/time.js';
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
    const trash = 'trash { deletedAt restorableUntil formerPath }';
    expect(await ask(`{ answer: node(id: "${node.id}") { ... on Page { ${trash} } } }`)).toEqual({ trash: null });
    const deleted = (await ask(deletion)) as { restorableUntil: string };
    expect(deleted).toMatchObject({ __typename: 'DeletedNode', id: node.id });
    expect(await ask('{ answer: nodeByPath(path: "/after") { id } }')).toBeNull();
    const { restorableUntil } = deleted;
    expect(await ask(`{ answer: node(id: "${node.id}") { ... on Page { state ${trash} } } }`)).toEqual({
      state: 'DELETED',
      trash: {
        deletedAt: new Date(Date.parse(restorableUntil) - 30 * DAY_MS).toISOString(),
        restorableUntil,
        formerPath: '/after',
      },
    });
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

describe('an input that is wrong', () => {
  const NO_PICTURE = toGlobalId('Asset', 'none');
  /** Of which types, and what is wrong. Fields of other kinds are refused anyway: these have the field. */
  const wrong: readonly [type: string, field: string, value: unknown][] = [
    ['PAGE', 'title', ' '],
    ['PAGE', 'title', 'x'.repeat(301)],
    ['PAGE', 'excerpt', 'x'.repeat(501)],
    ['PAGE', 'publishedAt', '9999-06-01T00:00:00Z'],
    ['PAGE', 'publishedAt', 'tomorrow'],
    ['PAGE', 'text', 'a\u0000b'],
    ['PAGE', 'text', 'x'.repeat(200_001)],
    ['PAGE', 'text', `![](asset:${NO_PICTURE})`],
    ['PAGE', 'videoUrl', 'https://example.org/'],
    ['BLOG', 'description', 'x'.repeat(5001)],
    ['VIDEO', 'videoUrl', 'javascript:alert(1)'],
    ['QUOTE', 'source', 'x'.repeat(501)],
    ['IMAGE', 'imageId', 'nonsense'],
    ['IMAGE', 'imageId', NO_PICTURE],
  ];
  const wrongAtFirst: typeof wrong = [
    ['PAGE', 'slug', 'Not a slug'],
    ['PAGE', 'tags', ['\u200b']],
    ['PAGE', 'tags', Array.from({ length: 51 }, (_, at) => `tag ${at}`)],
  ];
  /** Any value of these is one of their type, or leads to a refusal. */
  const UNCHECKED = ['type', 'parentId', 'commentPolicy', 'commentDesign'];

  const minimal = async (type: string) => ({
    type,
    title: `A node ${randomUUID()}`,
    ...(type === 'VIDEO' && { videoUrl: 'https://example.org/video' }),
    ...(['VIDEO', 'QUOTE', 'IMAGE'].includes(type) && { parentId: (await blogOnce()).id }),
  });
  let blog: Promise<Node> | undefined;
  const blogOnce = () => {
    blog ??= create({ type: 'BLOG', title: 'A blog for wrong posts' }).then(({ node }) => node);
    return blog;
  };
  const fieldsOf = async (query: string, variables: Record<string, unknown>) => {
    const { errors } = await server.request(query, variables, tokens.editor);
    return (errors ?? []).map(({ extensions }) => extensions.field);
  };
  const isOneTag = (field: string, value: unknown) => field === 'tags' && Array.isArray(value) && value.length === 1;
  const count = () => nodes(database.db).countDocuments();

  it('is named by its argument in each field of a new node, and nothing is created', async () => {
    const rows = [...wrong, ...wrongAtFirst];
    const type = makeSchema().getType('CreateNodeInput') as GraphQLInputObjectType;
    expect(new Set([...rows.map(([, field]) => field), ...UNCHECKED])).toEqual(new Set(Object.keys(type.getFields())));
    for (const [kind, field, value] of rows) {
      const v = { ...(await minimal(kind)), [field]: value };
      const before = await count();
      const query = 'mutation($v: CreateNodeInput!) { createNode(input: $v) { __typename } }';
      expect(await fieldsOf(query, { v })).toEqual([`input.${isOneTag(field, value) ? 'tags.0' : field}`]);
      expect(await count()).toBe(before);
    }
  });

  it('is named by its argument in each field of a change, and nothing is changed', async () => {
    const type = makeSchema().getType('NodeChanges') as GraphQLInputObjectType;
    expect(new Set(wrong.map(([, field]) => field))).toEqual(new Set(Object.keys(type.getFields())));
    const query =
      'mutation($i: ID!, $n: String!, $v: NodeChanges!) { editNode(id: $i, nonce: $n, changes: $v) { __typename } }';
    for (const [kind, field, value] of [...wrong, ['PAGE', 'title', null] as const]) {
      const { node } = await create(await minimal(kind));
      const before = await nodes(database.db).findOne({ nonce: node.nonce });
      expect(await fieldsOf(query, { i: node.id, n: node.nonce, v: { [field]: value } })).toEqual([`changes.${field}`]);
      expect(await nodes(database.db).findOne({ nonce: node.nonce })).toEqual(before);
    }
  });

  it.each([
    ['nonce', 'editNode(id: $id, nonce: "of nobody", changes: { title: "Other" })'],
    ['nonce', 'moveNode(id: $id, nonce: "of nobody", slug: "other")'],
    ['nonce', 'deleteNode(id: $id, nonce: "of nobody")'],
    ['nonce', 'restoreVersion(id: $id, nonce: "of nobody", version: 1)'],
    ['slug', 'moveNode(id: $id, nonce: "any", slug: "Not a slug")'],
    ['slug', 'restoreNode(id: $id, slug: "Not a slug")'],
    ['tags', 'addTags(id: $id, tags: [])'],
    ['tags.1', 'addTags(id: $id, tags: ["ok", " "])'],
    ['tags', 'removeTags(id: $id, tags: [])'],
    ['idempotencyKey', 'createNode(idempotencyKey: "", input: { type: PAGE, title: "x" })'],
    ['idempotencyKey', 'editNode(idempotencyKey: "", id: $id, nonce: "any", changes: {})'],
    ['idempotencyKey', 'moveNode(idempotencyKey: "", id: $id, nonce: "any")'],
    ['idempotencyKey', 'deleteNode(idempotencyKey: "", id: $id, nonce: "any")'],
    ['idempotencyKey', 'restoreVersion(idempotencyKey: "", id: $id, nonce: "any", version: 1)'],
  ])('is named by its argument: %s of %s', async (field, call) => {
    const { node } = await create(await minimal('PAGE'));
    const before = await nodes(database.db).find().sort({ _id: 1 }).toArray();
    expect(
      await fieldsOf(`mutation${call.includes('$id') ? '($id: ID!)' : ''} { ${call} { __typename } }`, { id: node.id }),
    ).toEqual([field]);
    expect(await nodes(database.db).find().sort({ _id: 1 }).toArray()).toEqual(before);
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
