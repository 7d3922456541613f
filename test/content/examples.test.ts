/** The examples of content and comments in GraphiQL. */
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.js';
import { askExample, operationsOf, runExamples } from '../support/examples.js';
import { useServer } from '../support/server.js';

const database = useDatabase();
const server = useServer(database);

describe('the examples of content', () => {
  it('run as they are, in their order, and are not refused', async () => {
    const answers = await runExamples(
      server,
      'content',
      {},
      {
        CreateBlog: ({ createNode }) => ({ blogId: createNode?.id }),
        CreatePost: ({ createNode }) => ({ nodeId: createNode?.id, nonce: createNode?.nonce }),
        EditPost: ({ editNode }) => ({ nonce: editNode?.nonce }),
      },
    );
    expect(answers.CreatePost).toMatchObject({ createNode: { path: '/example-blog/high-water', state: 'DRAFT' } });
    expect(answers.EditPost).toMatchObject({ editNode: { state: 'PUBLISHED', version: 2 } });
    expect(answers.RecentPosts).toMatchObject({ recentPosts: { edges: [{ node: { title: 'High water' } }] } });
    expect(answers.NodeByPath).toMatchObject({ nodeByPath: { title: 'An example blog' } });
    expect(answers.Tagged).toMatchObject({ tagged: { edges: [{ node: { title: 'High water' } }] } });
    expect(answers.NodeChanged).toMatchObject({ nodeChanged: { reset: false, node: { version: 2 } } });
    expect(answers.DeletePost).toMatchObject({ deleteNode: { __typename: 'DeletedNode' } });
  });
});

describe('the examples of comments', () => {
  it('run as they are, in their order, and are not refused', async () => {
    const [createBlog] = operationsOf('content');
    const { createNode } = await askExample(server, createBlog as NonNullable<typeof createBlog>, {});
    const answers = await runExamples(
      server,
      'comments',
      { nodeId: createNode?.id },
      { PostComment: ({ postComment }) => ({ commentId: postComment?.id }) },
    );
    expect(answers.Reply).toMatchObject({ postComment: { __typename: 'Comment', depth: 1 } });
    expect(answers.Discussion).toMatchObject({
      discussion: { edges: [{ node: { depth: 0 } }, { node: { depth: 1 } }] },
    });
    expect(answers.CommentsChanged).toMatchObject({ commentsChanged: { commentCount: 2 } });
    expect(answers.DeleteComment).toMatchObject({ deleteComment: { __typename: 'DeletedComment' } });
  });
});
