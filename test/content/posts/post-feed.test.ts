/** The newest posts, followed live: what a client gathers equals the list, through edits, moves, deletions and schedules. */
import type { Db } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { findNode, type NodeDocument } from '../../../src/models/content/nodes/node.js';
import { moveNode } from '../../../src/models/content/nodes/node-move.js';
import { deleteNode } from '../../../src/models/content/nodes/node-trash.js';
import { announceScheduled } from '../../../src/models/content/posts/announcement.js';
import { findRecentPosts } from '../../../src/models/content/posts/post.js';
import { type PostsChange, postFeed } from '../../../src/models/content/posts/post-feed.js';
import { addTags } from '../../../src/models/content/tags/node-tags.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { DAY_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { useServer } from '../../support/server.js';
import { addBlog, addPost as addPostAt, edit, requireStored, write } from '../nodes/node-support.js';

const database = useDatabase({ checked: false });
const server = useServer(database);
/** The feed reads at the database's time. */
const ago = (ms: number) => new Date(Date.now() - ms);
const FIRST = 5;
/** Written now: what is dated before is published. */
const addPost = (db: Db, blog: NodeDocument, title: string, input: { publishedAt: Date }) =>
  addPostAt(db, blog, title, input, { at: new Date() });

interface Event {
  readonly cursor: string;
  readonly reset: boolean;
  readonly posts: readonly { readonly id: string; readonly title: string; readonly publishedAt: string }[];
  readonly removed: readonly string[];
}

/** Follows a blog through the API, as a visitor. */
class Client {
  readonly posts = new Map<string, { id: string; title: string; publishedAt: string }>();
  cursor = '';
  readonly #events: AsyncIterator<{ data?: unknown }>;

  constructor(blog: NodeDocument, after?: Client) {
    for (const [id, post] of after?.posts ?? []) this.posts.set(id, post);
    const cursor = after ? `, after: "${after.cursor}"` : '';
    const query = `subscription { recentPostsChanged(blogId: "${toGlobalId('ContentNode', blog._id)}", first: ${FIRST}${cursor}) {
      cursor reset posts { id title publishedAt } removed } }`;
    this.#events = server.connect(null).iterate({ query });
  }

  async next(): Promise<{ posts: string[]; removed: number }> {
    const { value } = await this.#events.next();
    if (!value?.data) throw new Error('The subscription has ended');
    const { cursor, reset, posts, removed } = (value.data as { recentPostsChanged: Event }).recentPostsChanged;
    if (reset) this.posts.clear();
    for (const post of posts) this.posts.set(post.id, post);
    for (const id of removed) this.posts.delete(id);
    this.cursor = cursor;
    return { posts: posts.map(({ title }) => title), removed: removed.length };
  }

  /** Newest first. */
  get titles(): string[] {
    const newest = [...this.posts.values()].sort((one, other) => (one.publishedAt < other.publishedAt ? 1 : -1));
    return newest.map(({ title }) => title);
  }
}

const expected = async (blog: NodeDocument) =>
  (await findRecentPosts(database.db, blog._id, { first: FIRST }, new Date())).edges.map(({ node }) => node.title);
const present = async ({ _id }: NodeDocument) => (await findNode(database.db, _id)) as NodeDocument;
const remove = async (post: NodeDocument) => {
  const { _id: id, nonce } = await present(post);
  requireStored(await deleteNode(database.db, write({ at: new Date() }), testAct(), { id, nonce }));
};

describe('a client', () => {
  it('gets the newest posts first, then each change, and what it makes the list lose', async () => {
    const blog = await addBlog(database.db, 'followed');
    const posts: NodeDocument[] = [];
    for (let n = 0; n < 7; n += 1)
      posts.push(await addPost(database.db, blog, `Post ${n}`, { publishedAt: ago((20 - n) * 1000) }));
    const client = new Client(blog);
    expect(await client.next()).toEqual({ posts: ['Post 6', 'Post 5', 'Post 4', 'Post 3', 'Post 2'], removed: 0 });

    const newest = await addPost(database.db, blog, 'Newest', { publishedAt: ago(10) });
    expect(await client.next()).toEqual({ posts: ['Newest'], removed: 1 });
    requireStored(await edit(database.db, newest, { title: 'Newest, edited' }, { at: new Date() }));
    expect(await client.next()).toEqual({ posts: ['Newest, edited'], removed: 0 });
    await addTags(database.db, newest._id, ['tag'], write({ at: new Date() }));
    expect(await client.next()).toEqual({ posts: ['Newest, edited'], removed: 0 });
    await remove(newest);
    expect(await client.next()).toEqual({ posts: ['Post 2'], removed: 1 });

    const other = await addBlog(database.db, 'elsewhere');
    const { _id: id, nonce } = posts[5] as NodeDocument;
    requireStored(await moveNode(database.db, write({ at: new Date() }), { id, nonce, parentId: other._id }));
    expect(await client.next()).toEqual({ posts: ['Post 1'], removed: 1 });
    expect(client.titles).toEqual(await expected(blog));
  });

  it('gets a scheduled post with its announcement', async () => {
    const blog = await addBlog(database.db, 'scheduled');
    const client = new Client(blog);
    expect(await client.next()).toEqual({ posts: [], removed: 0 });
    await addPost(database.db, blog, 'Due', { publishedAt: ago(-2000) });
    await addPost(database.db, blog, 'Far away', { publishedAt: ago(-DAY_MS) });
    expect(await announceScheduled(database.db, ago(-3000))).toBe(1);
    expect(await client.next()).toEqual({ posts: ['Due'], removed: 0 });
  });

  it('that resumes gets what it has missed, also what was taken back and what took its place', async () => {
    const blog = await addBlog(database.db, 'resumed');
    const posts: NodeDocument[] = [];
    for (let n = 0; n < 8; n += 1)
      posts.push(await addPost(database.db, blog, `Post ${n}`, { publishedAt: ago((20 - n) * 1000) }));
    const client = new Client(blog);
    await client.next();
    const resuming = new Client(blog, client);
    await remove(posts[7] as NodeDocument);
    await remove(posts[4] as NodeDocument);
    await addPost(database.db, blog, 'New', { publishedAt: ago(1) });
    const last = new Client(blog, client);
    while (last.titles.join() !== (await expected(blog)).join()) await last.next();
    while (resuming.titles.join() !== (await expected(blog)).join()) await resuming.next();
    expect(last.titles).toEqual(['New', 'Post 6', 'Post 5', 'Post 3', 'Post 2']);
  });
});

describe('the state of the feed', () => {
  let blog: NodeDocument;
  beforeAll(async () => {
    blog = await addBlog(database.db, 'random');
  });

  it('after 40 random changes equals a fresh snapshot', async () => {
    const follow = await server.services.hub.of('test').follow(postFeed, { blogId: blog._id, first: FIRST }, {});
    const state = new Map<string, NodeDocument>();
    const take = ({ posts, removed }: PostsChange) => {
      for (const post of posts) state.set(post._id, post);
      for (const id of removed) state.delete(id);
    };
    const first = (await follow.next()).value;
    if (first?.kind === 'snapshot') take(first.view);
    const posts: NodeDocument[] = [];
    for (let n = 0; n < 40; n += 1) {
      const post = posts[(n * 7) % Math.max(1, posts.length)];
      if (!post || n % 3 === 0)
        posts.push(await addPost(database.db, blog, `Post ${n}`, { publishedAt: ago(((n * 37) % 100) * 1000 + 1000) }));
      else if (n % 11 === 0) {
        posts.splice(posts.indexOf(post), 1);
        await remove(post);
      } else
        requireStored(
          await edit(
            database.db,
            await present(post),
            n % 4 === 0
              ? { publishedAt: null }
              : { publishedAt: ago(((n * 53) % 90) * 1000 + 1000), title: `Edited ${n}` },
            { at: new Date() },
          ),
        );
    }
    const wanted = await findRecentPosts(database.db, blog._id, { first: FIRST }, new Date());
    const fresh = wanted.edges.map(({ node }) => `${node._id} ${node.nonce}`).sort();
    const held = () => [...state.values()].map(({ _id, nonce }) => `${_id} ${nonce}`).sort();
    while (held().join() !== fresh.join()) {
      const event = (await follow.next()).value;
      if (event?.kind === 'change') take(event.change);
    }
    expect(held()).toEqual(fresh);
    await follow.return?.();
  });
});
