/** The contract's rows of nodes. */
import { expect } from 'vitest';
import type { Earlier, Row } from '../../contract/row.js';

const text = expect.any(String);
const PUBLISHED = '2026-01-01T00:00:00.000Z';

const view = (fields: object) => ({
  id: text,
  url: text,
  nonce: text,
  createdAt: text,
  editedAt: text,
  excerpt: '',
  tags: [],
  author: { id: text, name: text },
  commentPolicy: 'MEMBERS',
  commentDesign: 'ONE_EACH',
  commentCount: 0,
  ...fields,
});
const post = { type: 'BLOG_POST', slug: 'hello', path: '/blog/hello', state: 'PUBLISHED', publishedAt: PUBLISHED };
const outcome = (typename: string, fields: object) => ({ ...view(fields), __typename: typename });
/** The post with its body, after `AddTags` and `RemoveTags`. */
const whole = {
  ...view({ ...post, title: 'Hello', version: 3, tags: ['news'] }),
  text: 'One',
  html: expect.stringContaining('<p>One</p>'),
};
const page = { hasNextPage: false, endCursor: text };

type Written = Readonly<Record<string, { readonly id: string; readonly nonce: string }>>;
const tellsPost = (data: Written): Earlier => {
  const [node] = Object.values(data);
  return { node_id: node?.id ?? '', node_nonce: node?.nonce ?? '' };
};
const under = ({ node_id: id, node_nonce: nonce }: Earlier) => ({ id, nonce });

export const nodeRows: readonly Row[] = [
  {
    before:
      'mutation { createNode(input: { type: BLOG, title: "A blog", slug: "blog" }) { ... on Blog { id nonce } } }',
    beforeTells: ({ createNode }: Written) => ({ blog_id: createNode?.id ?? '' }),
    operation: 'CreateNode',
    variables: ({ blog_id: parentId }: Earlier) => ({
      input: { type: 'BLOG_POST', parentId, title: 'Hello', text: 'One', publishedAt: PUBLISHED },
      idempotencyKey: 'hello',
    }),
    expected: { createNode: outcome('BlogPost', { ...post, title: 'Hello', version: 1 }) },
    tells: tellsPost,
  },
  {
    operation: 'EditNode',
    variables: (earlier: Earlier) => ({ ...under(earlier), changes: { title: 'Hello again' }, idempotencyKey: 'edit' }),
    expected: { editNode: outcome('BlogPost', { ...post, title: 'Hello again', version: 2 }) },
    tells: tellsPost,
  },
  {
    operation: 'NodeVersions',
    variables: ({ node_id: id }: Earlier) => ({ id }),
    expected: {
      node: {
        id: text,
        nonce: text,
        versions: {
          edges: [
            expect.objectContaining({
              node: expect.objectContaining({
                version: 2,
                title: 'Hello again',
                changes: [{ field: 'title', yours: 'Hello again', theirs: 'Hello' }],
              }),
            }),
            expect.objectContaining({ node: expect.objectContaining({ version: 1, text: 'One', changes: [] }) }),
          ],
          pageInfo: page,
        },
      },
    },
  },
  {
    operation: 'RestoreVersion',
    variables: (earlier: Earlier) => ({ ...under(earlier), version: 1 }),
    expected: { restoreVersion: outcome('BlogPost', { ...post, title: 'Hello', version: 3 }) },
    tells: tellsPost,
  },
  {
    operation: 'AddTags',
    variables: ({ node_id: id }: Earlier) => ({ id, tags: ['news', 'more'] }),
    expected: { addTags: { id: text, nonce: text, version: 3, tags: ['news', 'more'] } },
  },
  {
    operation: 'RemoveTags',
    variables: ({ node_id: id }: Earlier) => ({ id, tags: ['more'] }),
    expected: { removeTags: { id: text, nonce: text, version: 3, tags: ['news'] } },
  },
  { operation: 'Tags', variables: {}, expected: { tags: [{ tag: 'news', count: 1 }] } },
  {
    operation: 'Tagged',
    variables: { tags: ['news'] },
    expected: {
      tagged: { edges: [{ node: view({ ...post, title: 'Hello', version: 3, tags: ['news'] }) }], pageInfo: page },
    },
  },
  {
    operation: 'NodeBySlug',
    variables: ({ blog_id: parentId }: Earlier) => ({ parentId, slug: 'hello' }),
    expected: { nodeBySlug: view({ ...post, title: 'Hello', version: 3, tags: ['news'] }) },
  },
  {
    operation: 'Nodes',
    variables: ({ blog_id: parentId }: Earlier) => ({ filter: { parentId } }),
    expected: {
      nodes: {
        edges: [
          {
            node: {
              ...view({ ...post, title: 'Hello', version: 3, tags: ['news'] }),
              parent: { id: text, path: '/blog' },
            },
          },
        ],
        pageInfo: page,
      },
    },
  },
  {
    operation: 'RecentPostsChanged',
    variables: ({ blog_id: blogId }: Earlier) => ({ blogId }),
    expected: {
      recentPostsChanged: {
        cursor: text,
        reset: false,
        posts: [view({ ...post, title: 'Hello', version: 3, tags: ['news'] })],
        removed: [],
      },
    },
  },
  {
    operation: 'NodeByPath',
    variables: { path: '/blog/hello' },
    expected: { nodeByPath: { ...whole, ancestors: [{ title: 'A blog', path: '/blog' }] } },
  },
  {
    operation: 'RecentPosts',
    variables: ({ blog_id: blogId }: Earlier) => ({ blogId }),
    expected: { recentPosts: { edges: [{ cursor: text, node: whole }], pageInfo: page } },
  },
  {
    operation: 'PopularPosts',
    variables: ({ blog_id: blogId }: Earlier) => ({
      blogId,
      range: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' },
    }),
    expected: {
      recentPosts: {
        edges: [
          {
            node: {
              id: text,
              title: 'Hello',
              path: '/blog/hello',
              hits: { total: 0, points: [{ at: '2026-01-01T00:00:00.000Z', count: 0 }] },
            },
          },
        ],
      },
    },
  },
  {
    operation: 'NodeChanged',
    variables: ({ node_id: id }: Earlier) => ({ id }),
    expected: { nodeChanged: { cursor: text, reset: false, node: whole } },
  },
  {
    operation: 'MoveNode',
    variables: (earlier: Earlier) => ({ ...under(earlier), slug: 'moved' }),
    expected: {
      moveNode: outcome('BlogPost', {
        ...post,
        slug: 'moved',
        path: '/blog/moved',
        title: 'Hello',
        version: 4,
        tags: ['news'],
      }),
    },
    tells: tellsPost,
  },
  {
    operation: 'DeleteNode',
    variables: under,
    expected: { deleteNode: { __typename: 'DeletedNode', id: text, restorableUntil: text } },
  },
  {
    operation: 'RestoreNode',
    variables: ({ node_id: id }: Earlier) => ({ id }),
    expected: {
      restoreNode: outcome('BlogPost', {
        ...post,
        slug: 'moved',
        path: '/blog/moved',
        state: 'DRAFT',
        publishedAt: null,
        title: 'Hello',
        version: 6,
        tags: ['news'],
      }),
    },
  },
];
