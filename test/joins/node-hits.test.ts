/** `hits` of nodes: what analytics counted for their pages on the public site. */
import type { GraphQLObjectType } from 'graphql';
import type { CommandStartedEvent } from 'mongodb';
import { beforeAll, expect, it } from 'vitest';
import type { NodeDocument } from '../../src/models/content/nodes/node.js';
import { createApiKey } from '../../src/models/people/api-key.js';
import { makeSchema } from '../../src/server/operations/schema.js';
import { toGlobalId } from '../../src/shared/global-id.js';
import { add, addBlog, addPost, NOW } from '../content/nodes/node-support.js';
import { useDatabase } from '../support/database.js';
import { addPerson, beginTestSession, testAct } from '../support/people.js';
import { useServer } from '../support/server.js';

const database = useDatabase();
const server = useServer(database);

const RANGE = '{ from: "2026-03-01T00:00:00Z", to: "2026-03-03T00:00:00Z" }';
let blog: NodeDocument;
let post: NodeDocument;
let ada: string;
let adaId: string;
let ben: string;
let reader: string;

beforeAll(async () => {
  const { db } = database;
  const signIn = async (name: string) => {
    const user = await addPerson(db, name, ['AUTHOR']);
    return { user, token: (await beginTestSession(db, server.services.config, user)).token };
  };
  const author = await signIn('ada');
  ada = author.token;
  adaId = author.user._id;
  ben = (await signIn('ben')).token;
  reader = (await createApiKey(db, testAct(), { name: 'reader', scopes: ['HITS_READ'] })).key;
  blog = await addBlog(db);
  for (let n = 0; n < 10; n += 1)
    post = await addPost(
      db,
      blog,
      `Post ${n}`,
      { slug: `post-${n}` },
      { author: { _id: author.user._id, name: 'Ada' } },
    );
  await add(db, { title: 'Elsewhere', slug: 'elsewhere', publishedAt: NOW });
  const site = new URL(server.url).host;
  const hit = (page: string, at: string) => ({ site, page, at });
  const { errors } = await server.request('mutation ($hits: [HitInput!]!) { recordHits(hits: $hits) { recorded } }', {
    hits: [
      hit('/blog/post-9', '2026-03-01T10:00:00Z'),
      hit('/blog/post-9', '2026-03-02T10:00:00Z'),
      hit('/blog/post-9', '2026-03-02T11:00:00Z'),
      hit('/blog/post-3', '2026-03-02T11:00:00Z'),
      hit('/blog/post-9', '2026-03-03T00:00:00Z'), // after the range
      hit('/blog/~/elsewhere', '2026-03-02T11:00:00Z'),
    ],
  });
  expect(errors).toBeUndefined();
});

it('are the chart of the page, also below `/blog/~`', async () => {
  const query = (path: string) =>
    `{ nodeByPath(path: "${path}") { hits(range: ${RANGE}) { unit total points { at count } } } }`;
  expect((await server.request(query('/blog/post-9'))).data).toEqual({
    nodeByPath: {
      hits: {
        unit: 'DAY',
        total: 3,
        points: [
          { at: '2026-03-01T00:00:00.000Z', count: 1 },
          { at: '2026-03-02T00:00:00.000Z', count: 2 },
        ],
      },
    },
  });
  expect((await server.request(query('/elsewhere'))).data).toMatchObject({ nodeByPath: { hits: { total: 1 } } });
});

it('are read for a whole list by one command', async () => {
  const commands: string[] = [];
  const listen = ({ commandName, command }: CommandStartedEvent) => {
    if (String(command[commandName]).startsWith('hits.')) commands.push(`${commandName} ${command[commandName]}`);
  };
  database.client.on('commandStarted', listen);
  const { data } = await server.request<{
    recentPosts: { edges: { node: { slug: string; hits: { total: number } } }[] };
  }>(
    `{ recentPosts(blogId: "${toGlobalId('ContentNode', blog._id)}", first: 10) { edges { node { slug hits(range: ${RANGE}) { total } } } } }`,
  );
  database.client.off('commandStarted', listen);
  const totals = data?.recentPosts.edges.map(({ node }) => [node.slug, node.hits.total] as const) ?? [];
  expect(Object.fromEntries(totals)).toMatchObject({ 'post-9': 3, 'post-3': 1, 'post-0': 0 });
  expect(commands).toEqual(['find hits.monthly']);
});

it('are for the author of the node, editors, and programs that read hits', async () => {
  const ask = async (token: string | null) => {
    const { data, errors } = await server.request<{ nodeByPath: { hits: { total: number } | null } }>(
      `{ nodeByPath(path: "/blog/${post.slug}") { hits(range: ${RANGE}) { total } } }`,
      {},
      token,
    );
    return errors?.[0]?.extensions.code ?? data?.nodeByPath.hits?.total;
  };
  expect(await ask(server.token)).toBe(3);
  expect(await ask(ada)).toBe(3);
  expect(await ask(reader)).toBe(3);
  expect(await ask(ben)).toBeUndefined(); // null, so that the others of a list are answered
  expect(await ask(null)).toBe('UNAUTHENTICATED');
});

it('are null in a list where the viewer may not read them', async () => {
  const { db } = database;
  const own = await addBlog(db, 'both');
  await addPost(db, own, 'Of nobody', { slug: 'one' });
  await addPost(db, own, 'Of Ada', { slug: 'two' }, { author: { _id: adaId, name: 'Ada' } });
  const { data, errors } = await server.request(
    `{ recentPosts(blogId: "${toGlobalId('ContentNode', own._id)}") { edges { node { slug hits(range: ${RANGE}) { total } } } } }`,
    {},
    ada,
  );
  expect(errors).toBeUndefined();
  const edges = [{ node: { slug: 'one', hits: null } }, { node: { slug: 'two', hits: { total: 0 } } }];
  expect(data).toEqual({ recentPosts: { edges: expect.arrayContaining(edges) } });
});

it.each([
  [['comments', 'people', 'system', 'content', 'analytics'], true],
  [['comments', 'people', 'system', 'content'], false],
])('are part of the API of %j: %s', (domains, isThere) => {
  const type = makeSchema(domains).getType('BlogPost') as GraphQLObjectType;
  expect('hits' in type.getFields()).toBe(isThere);
});
