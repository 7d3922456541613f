/** The posts of a blog: published ones, newest first, each at its time. */
import { expect, it } from 'vitest';
import { findRecentPosts } from '../../../src/models/content/posts/post.js';
import { LimitError } from '../../../src/shared/errors.js';
import { useDatabase } from '../../support/database.js';
import { addBlog, addPost, later, NOW } from '../nodes/node-support.js';

const database = useDatabase();

it('lists the published posts of a blog, newest first, page by page, without those of the future', async () => {
  const [blog, other] = [await addBlog(database.db), await addBlog(database.db, 'other')];
  for (let n = 0; n < 60; n += 1) await addPost(database.db, other, `Other ${n}`);
  for (let n = 0; n < 5; n += 1) await addPost(database.db, blog, `Post ${n}`, { publishedAt: later(-n * 1000) });
  await addPost(database.db, blog, 'Draft', { publishedAt: null });
  await addPost(database.db, blog, 'Future', { publishedAt: later(1) });
  const titles = async (first: number, after: string | null, now = NOW) => {
    const { edges, pageInfo } = await findRecentPosts(database.db, blog._id, { first, after }, now);
    return { titles: edges.map(({ node }) => node.title), ...pageInfo };
  };
  const page = await titles(3, null);
  expect(page.titles).toEqual(['Post 0', 'Post 1', 'Post 2']);
  expect(await titles(3, page.endCursor)).toMatchObject({ titles: ['Post 3', 'Post 4'], hasNextPage: false });
  expect((await titles(1, null, later(1))).titles).toEqual(['Future']);
  await expect(titles(101, null)).rejects.toThrow(LimitError);
});
