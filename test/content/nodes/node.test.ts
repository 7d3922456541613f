/** Creating nodes and finding them again, by path, by slug and by filter. */
import { describe, expect, it } from 'vitest';
import { findNode, findNodesById, nodes, ROOT } from '../../../src/models/content/nodes/node.js';
import { createNode } from '../../../src/models/content/nodes/node-creation.js';
import { findNodes } from '../../../src/models/content/nodes/node-list.js';
import { findByPath, findPath } from '../../../src/models/content/nodes/node-path.js';
import { LimitError } from '../../../src/shared/errors.js';
import { useDatabase } from '../../support/database.js';
import { add, addBlog, addPost, ben, edit, later, violations, write } from './node-support.js';

const database = useDatabase();
const page = { type: 'PAGE', title: 'A page' } as const;

describe('creating a node', () => {
  it('stores it with its first version, as a draft unless it has a time', async () => {
    const node = await add(database.db, {
      title: ' Crème brûlée, "again"! ',
      tags: ['b', 'a', 'b'],
      text: 'One\r\nTwo',
    });
    expect(node).toMatchObject({
      slug: 'creme-brulee-again',
      title: 'Crème brûlée, "again"!',
      parent_id: ROOT,
      version: 1,
      state: 'DRAFT',
      published: null,
      tags: ['b', 'a'],
      detail: { text: 'One\nTwo' },
      author: { _id: 'ann', name: 'Ann' },
    });
    expect(await findNode(database.db, node._id)).toEqual(node);
    expect(await violations(database.db)).toEqual([]);
  });

  it.each([
    [-1, 'PUBLISHED'],
    [0, 'PUBLISHED'],
    [1, 'SCHEDULED'],
  ])('that is to be public from %i ms after now stores it as %s', async (ms, state) => {
    const node = await add(database.db, { slug: `at-${ms + 1}`, publishedAt: later(ms) });
    expect(node).toMatchObject({ state, published: later(ms) });
  });

  it('twice by the same call stores it once', async () => {
    const call = write();
    const input = { ...page, slug: 'once' };
    const [first, second] = await Promise.all([
      createNode(database.db, call, input),
      createNode(database.db, call, input),
    ]);
    expect(second).toEqual(first);
    expect(await nodes(database.db).countDocuments({ parent_id: ROOT, slug: 'once' })).toBe(1);
  });

  it('refuses a slug that is taken, suggests a free one, and changes nothing', async () => {
    await add(database.db, { slug: 'taken' });
    await add(database.db, { slug: 'taken-2' });
    const before = await nodes(database.db).countDocuments();
    expect(await createNode(database.db, write(), { ...page, slug: 'taken' })).toMatchObject({
      __typename: 'SlugTaken',
      suggestion: 'taken-3',
    });
    expect(await nodes(database.db).countDocuments()).toBe(before);
  });

  it('gives a slug to one of many that want it at once', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => createNode(database.db, write(), { ...page, slug: 'wanted' })),
    );
    expect(outcomes.filter((outcome) => '__typename' in outcome)).toHaveLength(9);
  });

  it.each([
    ['no such parent', page, 'nobody'],
    ['a post without a blog', { type: 'BLOG_POST', title: 'A post' } as const, undefined],
  ])('refuses %s', async (_case, input, parentId) => {
    expect(await createNode(database.db, write(), { ...input, parentId })).toMatchObject({
      __typename: 'ParentNotFound',
    });
  });

  it('refuses a parent that does not group nodes of this kind', async () => {
    const blog = await addBlog(database.db, 'only-posts');
    expect(await createNode(database.db, write(), { ...page, parentId: blog._id })).toMatchObject({
      __typename: 'ParentNotFound',
      message: 'A node of the type BLOG does not group nodes of the type PAGE',
    });
    expect((await findNode(database.db, blog._id))?.children).toBe(0);
  });

  it.each([
    ['an empty title', 'input.title', { title: ' ' }],
    ['a long title', 'input.title', { title: 'x'.repeat(301) }],
    ['a slug with spaces', 'input.slug', { slug: 'Not a slug' }],
    ['a slug with two hyphens', 'input.slug', { slug: 'two--hyphens' }],
    ['a long excerpt', 'input.excerpt', { excerpt: 'x'.repeat(501) }],
    ['a long text', 'input.text', { text: 'x'.repeat(200_001) }],
    ['a text with control characters', 'input.text', { text: 'a\u0000b' }],
    ['a field of another kind', 'input.videoUrl', { videoUrl: 'https://example.org/' }],
    ['a script as a video', 'input.videoUrl', { type: 'VIDEO' as const, videoUrl: 'javascript:alert(1)' }],
    ['an invisible tag', 'input.tags.1', { tags: ['seen', '\u200b'] }],
  ])('does not accept %s', async (_case, field, input) => {
    await expect(createNode(database.db, write(), { ...page, ...input })).rejects.toMatchObject({ details: { field } });
  });

  it('keeps the tree at most 8 levels deep', async () => {
    let parentId: string | undefined;
    for (let level = 1; level <= 7; level += 1)
      parentId = (await add(database.db, { type: 'FOLDER', title: 'A folder', slug: `level-${level}`, parentId }))._id;
    await expect(add(database.db, { type: 'FOLDER', title: 'Too deep', parentId })).rejects.toThrow(LimitError);
    const deepest = await add(database.db, { slug: 'level-8', parentId });
    const path = '/level-1/level-2/level-3/level-4/level-5/level-6/level-7/level-8';
    expect(await findByPath(database.db, path)).toEqual({ node: deepest, isMoved: false });
    expect(await findPath(database.db, deepest)).toBe(path);
  });
});

describe('a path', () => {
  it.each(['/nothing', '/only-posts/nothing', '/', '/a//b', `/${'a/'.repeat(8)}a`])(
    'that is %s leads nowhere',
    async (path) => {
      expect(await findByPath(database.db, path)).toBeNull();
    },
  );

  it('must start with a slash', async () => {
    await expect(findByPath(database.db, 'blog')).rejects.toThrow('path must start with /');
  });
});

describe('the list of nodes', () => {
  it('filters by parent, author, kind and state, the last edited first', async () => {
    const blog = await addBlog(database.db, 'listed');
    const [draft, scheduled, published] = [
      await addPost(database.db, blog, 'Draft', { publishedAt: null }),
      await addPost(database.db, blog, 'Scheduled', { publishedAt: later(1000) }),
      await addPost(database.db, blog, 'Published'),
    ];
    const quote = await add(
      database.db,
      { type: 'QUOTE', parentId: blog._id, title: 'A quote', source: 'Somebody' },
      { author: ben, at: later(1) },
    );
    await edit(database.db, draft, { title: 'Draft, edited' }, { at: later(2) });
    const ids = async (filter: object, first = 10) =>
      (await findNodes(database.db, filter, { first })).edges.map(({ node }) => node._id);
    const rest = [scheduled._id, published._id].sort().toReversed();
    expect(await ids({ parentId: blog._id })).toEqual([draft._id, quote._id, ...rest]);
    expect(await ids({ parentId: blog._id, state: 'SCHEDULED' })).toEqual([scheduled._id]);
    expect(await ids({ authorId: 'ben' })).toEqual([quote._id]);
    expect(await ids({ type: 'QUOTE' })).toEqual([quote._id]);
    await expect(ids({ type: 'QUOTE', authorId: 'ben' })).rejects.toThrow('filter may have one field besides state');
    await expect(ids({}, 101)).rejects.toThrow(LimitError);
  });

  it('is complete over its pages, without doubles', async () => {
    const all = await findNodes(database.db, {}, { first: 100 });
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof findNodes>> = await findNodes(database.db, {}, { first: 3, after });
      seen.push(...page.edges.map(({ node }) => node._id));
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after);
    expect(seen).toEqual(all.edges.map(({ node }) => node._id));
    expect(seen.length).toBeGreaterThan(20);
  });

  it('finds nodes by their ids', async () => {
    const { edges } = await findNodes(database.db, {}, { first: 2 });
    const ids = edges.map(({ node }) => node._id);
    expect((await findNodesById(database.db, ids)).map(({ _id }) => _id).sort()).toEqual(ids.toSorted());
  });
});

it('keeps the invariants in all of this', async () => {
  expect(await violations(database.db)).toEqual([]);
});
