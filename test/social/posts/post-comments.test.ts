/** Posts with more comments than one document should hold. */
import { expect, it } from 'vitest';
import { discussions } from '../../../src/models/comments/discussion/discussion.js';
import { moveOutgrown } from '../../../src/models/comments/move/growing.js';
import { discussionOfPost } from '../../../src/models/social/posts/post-comments.js';
import { idOfType } from '../../../src/shared/global-id.js';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { type Outcome, SocialApi } from '../social-api.js';

const database = useDatabase();
const server = useServer(database);

const PUBLISH = `mutation ($input: PostInput!) {
  publishPost(input: $input) { __typename ... on Post { id } }
}`;
const COMMENT = `mutation ($nodeId: ID!, $text: String!) {
  postComment(nodeId: $nodeId, text: $text) { __typename ... on Comment { id } ... on Refusal { message } }
}`;
const LIST = `query ($nodeId: ID!) {
  discussion(nodeId: $nodeId, order: THREADED, first: 200) { edges { node { text } } }
}`;

it('are moved into another design while people go on, also of a post that no editor sees', {
  timeout: 60_000,
}, async () => {
  const api = new SocialApi(database, server);
  const { ann, ben } = await api.members('ann', 'ben');
  const crew = await api.circle(ann, 'Crew', ben);
  const input = { type: 'STATUS', text: 'Long talks', audience: 'CIRCLES', circleIds: [crew] };
  const { publishPost } = await api.ask<{ publishPost: Outcome }>(PUBLISH, { input }, ann);
  const id = discussionOfPost(idOfType('Post', publishPost.id) ?? '');
  const designOf = async () => (await discussions(database.db).findOne({ _id: id }))?.design;
  const texts = Array.from({ length: 30 }, (_, at) => `${at} ${'漢'.repeat(9_990)}`); // 30 KB each
  for (const [at, text] of texts.entries()) {
    const { postComment } = await api.ask<{ postComment: Outcome }>(
      COMMENT,
      { nodeId: publishPost.id, text },
      at % 2 === 0 ? ann : ben,
    );
    expect(postComment).toMatchObject({ __typename: 'Comment' });
    if (at % 7 === 0 && (await moveOutgrown(database.db, server.services.commentHosts, new Date())) > 0) {
      expect(at).toBeGreaterThan(16); // 512 KiB
      server.services.work.wake();
    }
  }
  await expect.poll(designOf).toBe('ONE_EACH');
  expect(await moveOutgrown(database.db, server.services.commentHosts, new Date())).toBe(0);
  const { discussion } = await api.ask<{ discussion: { edges: { node: { text: string } }[] } }>(
    LIST,
    { nodeId: publishPost.id },
    ben,
  );
  expect(discussion.edges.map(({ node }) => node.text)).toEqual(texts);
  expect(await discussions(database.db).countDocuments({ outgrown: true })).toBe(0);
});
