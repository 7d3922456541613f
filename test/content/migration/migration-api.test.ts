/** Old forms and their migration through the API and on the public site, done by the server’s own thread. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { NodeDocument } from '../../../src/models/content/nodes/node.js';
import { auditTrail } from '../../../src/models/people/audit.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { useDatabase } from '../../support/database.js';
import { addPerson, beginTestSession } from '../../support/people.js';
import { type TestServer, useServer } from '../../support/server.js';
import { edit, requireStored } from '../nodes/node-support.js';
import { addRandomPosts, makeOld } from './migration-support.js';

const database = useDatabase();
/** Two, because each keeps the pages that it has rendered. */
const server = useServer(database, { PUBLIC_URL: 'https://stats.example.org/' });
const other = useServer(database, { PUBLIC_URL: 'https://stats.example.org/' });
let post: NodeDocument;
let blogId: string;

beforeAll(async () => {
  const [blog, , first] = await addRandomPosts(database.db, 60, 7);
  if (!blog || !first) throw new Error('No posts');
  post = first;
  blogId = toGlobalId('ContentNode', blog._id);
});

const FIELDS = '__typename id title excerpt summary words readingMinutes nonce version editedAt';
const queries = () => [
  `{ node(id: "${toGlobalId('ContentNode', post._id)}") { ... on BlogPost { ${FIELDS} text html
      versions { edges { cursor node { version summary words changes { field yours theirs } } } } } } }`,
  `{ nodeByPath(path: "/blog/post-3") { ${FIELDS} parent { ${FIELDS} } ancestors { ${FIELDS} } } }`,
  `{ nodeBySlug(parentId: "${blogId}", slug: "post-4") { ${FIELDS} } }`,
  `{ recentPosts(blogId: "${blogId}", first: 30) { edges { cursor node { ${FIELDS} } } pageInfo { endCursor } } }`,
  `{ nodes(filter: { type: BLOG_POST }, first: 30) { edges { cursor node { ${FIELDS} } } pageInfo { endCursor } } }`,
];
const addresses = ['/blog', '/blog/post-5', '/blog/~/page', '/blog/rss.xml', '/blog/atom.xml', '/blog/feed.json'];

/** What anybody can read, with the validators of the public pages. */
async function readAll(from: TestServer): Promise<unknown[]> {
  const answers = await Promise.all(queries().map(async (query) => (await from.request(query)).data));
  const pages = await Promise.all(
    addresses.map(async (address) => {
      const page = await fetch(from.url + address);
      return [page.status, page.headers.get('etag'), await page.text()];
    }),
  );
  return [...answers, ...pages];
}

const MIGRATE = 'mutation { migrateNodes { id state done total toForm } }';
interface Migrated {
  readonly migrateNodes: { readonly id: string; readonly state: string };
}
const oldNodes = async () => (await server.request('{ oldNodeCount }')).data;
const stateNow = async () => (await server.request('{ nodeMigration { id state done total toForm } }')).data;

describe('nodes of an old form', () => {
  it('read everywhere as if they were migrated, and are migrated without telling those who follow them', async () => {
    const before = await readAll(server);
    expect(before[0]).toMatchObject({ node: { words: post.words, summary: post.summary } });
    expect(await oldNodes()).toEqual({ oldNodeCount: 0 });
    await makeOld(database.db);
    expect(await oldNodes()).toEqual({ oldNodeCount: 62 });
    expect(await readAll(other)).toEqual(before);

    const socket = server.connect();
    const id = toGlobalId('ContentNode', post._id);
    const follow = `subscription { nodeChanged(id: "${id}") { node { ${FIELDS} } } }`;
    const events = socket.iterate<{ nodeChanged: { node: object } }>({ query: follow });
    const told = async () => (await events.next()).value?.data?.nodeChanged.node as object;
    expect(await told()).toMatchObject({ summary: post.summary, words: post.words });

    expect(await stateNow()).toEqual({ nodeMigration: null });
    const { data } = await server.request<Migrated>(MIGRATE);
    expect(data?.migrateNodes).toMatchObject({ state: 'WAITING', done: 0, total: null, toForm: 2 });
    const finished = { id: data?.migrateNodes.id, state: 'FINISHED', done: 62, total: 62, toForm: 2 };
    await expect.poll(stateNow, { timeout: 20_000 }).toEqual({ nodeMigration: finished });
    expect(await oldNodes()).toEqual({ oldNodeCount: 0 });
    expect((await server.request<Migrated>(MIGRATE)).data?.migrateNodes).toEqual(finished);
    expect(await readAll(other)).toEqual(before);

    requireStored(await edit(database.db, post, { text: 'Four words and more' }));
    expect(await told()).toMatchObject({ words: 4, version: post.version + 1 }); // the next event, not the one after a migration
    await socket.dispose();
    const entries = await auditTrail(database.db).find({ action: 'NODES_MIGRATED' }).toArray();
    expect(entries).toMatchObject([{ subject: 'form 2' }]);
  });

  it('are migrated for administrators only', async () => {
    const { config } = server.services;
    const editor = await beginTestSession(database.db, config, await addPerson(database.db, 'edith', ['EDITOR']));
    for (const request of [MIGRATE, '{ nodeMigration { id } }', '{ oldNodeCount }'])
      expect((await server.request(request, {}, editor.token)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  });
});
