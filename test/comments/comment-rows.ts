/** The contract's rows of comments. */
import { expect } from 'vitest';
import type { Earlier, Row } from '../contract/row.js';

const text = expect.any(String);
const first = {
  id: text,
  slug: '1',
  url: expect.stringMatching(/#comment-1$/),
  postedAt: text,
  editedAt: null,
  author: { id: text, name: text },
  text: 'The first',
  html: '<p>The first</p>\n',
  depth: 0,
  parentId: null,
  replyCount: 0,
  state: 'PUBLISHED',
};
const second = { ...first, slug: '2', url: expect.stringMatching(/#comment-2$/), text: 'The second', html: text };
const reported = { ...first, editedAt: text, text: 'Edited', html: text };
const report = { at: text, by: { name: text }, reason: 'Rude' };
const page = { hasNextPage: false, endCursor: text };
const on = ({ commented: nodeId }: Earlier) => ({ nodeId });

export const commentRows: readonly Row[] = [
  {
    before: `mutation { createNode(input: { type: PAGE, title: "Commented", publishedAt: "2026-01-01T00:00:00Z" }) {
      ... on Page { id author { id } }
    } }`,
    beforeTells: ({ createNode: { id, author } }: { createNode: { id: string; author: { id: string } } }) => ({
      commented: id,
      commenter: author.id,
    }),
    operation: 'PostComment',
    variables: (earlier: Earlier) => ({ ...on(earlier), text: 'The first', idempotencyKey: 'first' }),
    expected: { postComment: { __typename: 'Comment', ...first } },
    tells: ({ postComment: { id } }: { postComment: { id: string } }) => ({ comment: id }),
  },
  {
    operation: 'EditComment',
    variables: ({ comment: id }: Earlier) => ({ id, text: 'Edited' }),
    expected: { editComment: { __typename: 'Comment', ...first, editedAt: text, text: 'Edited', html: text } },
  },
  {
    operation: 'CommentsChanged',
    variables: on,
    expected: {
      commentsChanged: {
        cursor: text,
        reset: false,
        comments: [{ ...first, editedAt: text, text: 'Edited', html: text }],
        removed: [],
        commentCount: 1,
      },
    },
    afterwards: {
      operation: 'PostComment',
      variables: (earlier: Earlier) => ({ ...on(earlier), text: 'The second' }),
      expected: { commentsChanged: { cursor: text, reset: false, comments: [second], removed: [], commentCount: 2 } },
    },
  },
  {
    operation: 'Discussion',
    variables: (earlier: Earlier) => ({ ...on(earlier), order: 'NEWEST_FIRST', first: 1 }),
    expected: {
      discussion: { edges: [{ cursor: text, node: second }], pageInfo: { hasNextPage: true, endCursor: text } },
    },
  },
  {
    operation: 'CommentBySlug',
    variables: (earlier: Earlier) => ({ ...on(earlier), slug: '2' }),
    expected: { comment: { ...second, replies: { edges: [], pageInfo: { hasNextPage: false, endCursor: null } } } },
  },
  {
    operation: 'ReportComment',
    variables: ({ comment: id }: Earlier) => ({ id, reason: 'Rude' }),
    expected: { reportComment: { reported: true } },
  },
  {
    operation: 'CommentsToModerate',
    variables: {},
    expected: {
      commentsToModerate: {
        edges: [{ node: { ...reported, reports: [report], on: { id: text, title: 'Commented', path: '/commented' } } }],
        pageInfo: page,
      },
    },
  },
  {
    operation: 'CommentsToModerateChanged',
    variables: {},
    expected: {
      commentsToModerateChanged: { cursor: text, reset: false, comments: [reported], removed: [], waiting: 1 },
    },
    afterwards: {
      operation: 'ModerateComments',
      variables: ({ comment: id }: Earlier) => ({ ids: [id], state: 'HIDDEN' }),
      expected: {
        commentsToModerateChanged: { cursor: text, reset: false, comments: [], removed: [text], waiting: 0 },
      },
    },
  },
  {
    operation: 'ModerateComments',
    variables: ({ comment: id }: Earlier) => ({ ids: [id], state: 'PUBLISHED' }),
    expected: { moderateComments: { moderated: 1, rejected: [] } },
  },
  {
    operation: 'DeleteComment',
    variables: ({ comment: id }: Earlier) => ({ id }),
    expected: { deleteComment: { __typename: 'DeletedComment', id: text } },
  },
  {
    operation: 'CommentsOfAuthor',
    variables: ({ commenter: authorId }: Earlier) => ({ authorId }),
    expected: {
      commentsOfAuthor: {
        edges: [{ node: { ...second, on: { id: text, title: 'Commented', path: '/commented' } } }],
        pageInfo: page,
      },
    },
  },
  {
    operation: 'ChangeCommentPolicy',
    variables: (earlier: Earlier) => ({ ...on(earlier), policy: 'EVERYBODY' }),
    expected: { changeCommentPolicy: { id: text, commentPolicy: 'EVERYBODY' } },
  },
  {
    operation: 'ExplainDiscussion',
    variables: on,
    expected: {
      explainDiscussion: {
        stages: expect.arrayContaining(['IXSCAN']),
        indexName: 'discussion_1_path_1',
        keysExamined: 1,
        documentsExamined: 1,
        returned: 1,
        milliseconds: expect.any(Number),
      },
    },
  },
  {
    operation: 'CommentDesignAdvice',
    variables: on,
    expected: {
      commentDesignAdvice: (['ONE_EACH', 'EMBEDDED', 'HYBRID'] as const).map((design) => ({
        design,
        isRecommended: design === 'ONE_EACH',
        isPossible: true,
        note: text,
        documents: design === 'HYBRID' ? 4 : 3,
        bytes: expect.any(Number),
        documentsReadForAPage: design === 'ONE_EACH' ? 2 : expect.any(Number),
        bytesReadForAPage: expect.any(Number),
        bytesWrittenForAComment: expect.any(Number),
      })),
    },
  },
  {
    operation: 'ChangeCommentDesign',
    variables: (earlier: Earlier) => ({ ...on(earlier), design: 'HYBRID' }),
    expected: {
      changeCommentDesign: {
        __typename: 'CommentMove',
        id: text,
        state: 'WAITING',
        done: 0,
        total: 2,
        from: 'ONE_EACH',
        to: 'HYBRID',
      },
    },
  },
  {
    operation: 'CommentShardAdvice',
    variables: { sample: 1000, shards: 4 },
    expected: {
      shardAdvice: [
        '{_id: "hashed"}',
        '{discussion: 1, number: 1}',
        '{discussion: 1, path: 1}',
        '{"author._id": 1, posted: 1}',
      ].map((key) => ({
        key,
        isRecommended: expect.any(Boolean),
        note: text,
        hottestShardShare: expect.any(Number),
        queries: [
          'the first page of a discussion',
          'a comment by its id',
          'the comments of an author',
          'a post is stored',
        ].map((name) => ({ name, shardsAsked: expect.any(Number) })),
      })),
    },
  },
];
