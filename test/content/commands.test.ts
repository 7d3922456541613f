/** How many database commands each read of content takes: as many for a list of 15 nodes as for one. */
import type { CommandStartedEvent } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { NodeDocument } from '../../src/models/content/nodes/node.js';
import { placeAt } from '../../src/resolvers/content/site/addresses.js';
import { WHOLE } from '../../src/resolvers/content/site/discussion-find.js';
import { SiteFinder } from '../../src/resolvers/content/site/site-find.js';
import { toGlobalId } from '../../src/shared/global-id.js';
import { useDatabase } from '../support/database.js';
import { useServer } from '../support/server.js';
import { add, addBlog, addPost, edit, NOW, requireStored } from './nodes/node-support.js';
import { site } from './site/example-views.js';

const database = useDatabase();
const server = useServer(database);

const POSTS = 15;
let blog: NodeDocument;
let post: NodeDocument;

beforeAll(async () => {
  const { db } = database;
  blog = requireStored(await edit(db, await addBlog(db), { publishedAt: NOW }));
  for (let n = 0; n < POSTS; n += 1)
    post = await addPost(db, blog, `Post ${n}`, { slug: `post-${n}`, tags: ['sea', `tag ${n}`] });
  const folder = await add(db, { type: 'FOLDER', title: 'Guides', slug: 'guides', publishedAt: NOW });
  const inner = await add(db, { type: 'FOLDER', title: 'Inner', slug: 'inner', parentId: folder._id });
  await add(db, { type: 'PAGE', title: 'Knots', slug: 'knots', parentId: inner._id, publishedAt: NOW, text: 'Tie.' });
  const other = await addBlog(db, 'other');
  for (let n = 0; n < POSTS; n += 1) await addPost(db, other, `Other ${n}`);
});

/** The commands on content and assets, each with its collection. */
async function commandsOf(work: () => Promise<unknown>): Promise<string[]> {
  const commands: string[] = [];
  const listen = ({ commandName, command }: CommandStartedEvent) => {
    const collection = String(command[commandName]);
    if (collection.startsWith('cms.')) commands.push(`${commandName} ${collection}`);
  };
  database.client.on('commandStarted', listen);
  try {
    await work();
    return commands;
  } finally {
    database.client.off('commandStarted', listen);
  }
}

const [node, above] = ['find cms.nodes', 'aggregate cms.nodes'];
const FIELDS =
  '__typename id title path url tags author { name } parent { id } ancestors { title } ... on BlogPost { html }';
const list = (field: string, args: string, first: number) =>
  `{ ${field}(${args}first: ${first}) { edges { node { ${FIELDS} } } pageInfo { hasNextPage } } }`;

describe('an operation', () => {
  const ask = async (query: string, token: string | null) => {
    const { data, errors } = await server.request(query, {}, token);
    expect(errors).toBeUndefined();
    expect(Object.values(data ?? {})).not.toContain(null);
  };
  const cases: readonly [operation: string, query: (first: number) => string, commands: string[]][] = [
    [
      'node',
      () => `{ node(id: "${toGlobalId('ContentNode', post._id)}") { ... on BlogPost { ${FIELDS} } } }`,
      [node, above],
    ],
    ['nodeByPath of a root', () => '{ nodeByPath(path: "/blog") { title path } }', [node]],
    ['nodeByPath', () => `{ nodeByPath(path: "/guides/inner/knots") { ${FIELDS} } }`, [above, above]],
    [
      'nodeBySlug',
      () => `{ nodeBySlug(parentId: "${toGlobalId('ContentNode', blog._id)}", slug: "post-1") { ${FIELDS} } }`,
      [node, above],
    ],
    [
      'recentPosts',
      (first) => list('recentPosts', `blogId: "${toGlobalId('ContentNode', blog._id)}", `, first),
      [node, above],
    ],
    ['tagged', (first) => list('tagged', 'tags: ["sea"], ', first), [node, above]],
    ['tags', (first) => `{ tags(first: ${first}) { tag count } }`, ['find cms.tags']],
    [
      'nodes',
      (first) => list('nodes', `filter: { parentId: "${toGlobalId('ContentNode', blog._id)}" }, `, first),
      [node, above],
    ],
    [
      'versions',
      (first) =>
        `{ node(id: "${toGlobalId('ContentNode', post._id)}") { ... on BlogPost { versions(first: ${first}) { edges { node { version changes { field } } } } } } }`,
      [node, 'find cms.versions'],
    ],
  ];

  it.each(cases)('%s takes the same commands for one and for many', async (operation, query, commands) => {
    const token = ['nodes', 'versions'].includes(operation) ? server.token : null;
    expect(await commandsOf(() => ask(query(1), token))).toEqual(commands);
    expect(await commandsOf(() => ask(query(POSTS), token))).toEqual(commands);
  });
});

describe('a page of the public site', () => {
  const finder = () => new SiteFinder({ db: database.db, now: () => new Date(), domains: [] });

  it.each([
    ['/blog', [node, node]],
    ['/blog/post-1', [above, above]],
    ['/blog/rss.xml', [node, node]],
    ['/blog/atom.xml', [node, node]],
    ['/blog/feed.json', [node, node]],
    ['/blog/~tag/sea', [node, above]],
    ['/blog/~/guides', [node, node]],
    ['/blog/~/guides/inner/knots', [above, above]],
    ['/blog/nothing', [above, node, node, 'find cms.redirects']],
  ])('takes few commands, also to render it: %s', async (path, commands) => {
    const place = placeAt(path);
    if (!place) throw new Error(`${path} is no place`);
    const found = await commandsOf(async () => {
      const page = await finder().find(place, { view: site, version: [], homeId: blog._id }, WHOLE);
      if (page && 'render' in page) expect(await page.render()).not.toBe('');
    });
    expect(found).toEqual(commands);
  });
});
