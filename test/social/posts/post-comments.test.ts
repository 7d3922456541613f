/** Posts with more comments than one document should hold, and comments on posts that are deleted meanwhile. */
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { commentCases } from '../../../src/models/comments/comment-case.js';
import { commentPages } from '../../../src/models/comments/designs/comment-page.js';
import { type CommentDesign, comments } from '../../../src/models/comments/discussion/comment.js';
import { discussions } from '../../../src/models/comments/discussion/discussion.js';
import { reportComment } from '../../../src/models/comments/moderation.js';
import { moveOutgrown } from '../../../src/models/comments/move/growing.js';
import { postComment } from '../../../src/models/comments/posting.js';
import { people } from '../../../src/models/social/network/person.js';
import { HIDDEN_MAX } from '../../../src/models/social/network/relation.js';
import { findPost, type PostDocument } from '../../../src/models/social/posts/post.js';
import { discussionOfPost, subjectOfPost } from '../../../src/models/social/posts/post-comments.js';
import { idOfType } from '../../../src/shared/global-id.js';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { type Member, type Outcome, SocialApi } from '../social-api.js';

const database = useDatabase();
const server = useServer(database);
let api: SocialApi;

beforeAll(() => {
  api = new SocialApi(database, server);
});

const PUBLISH = `mutation ($input: PostInput!) {
  publishPost(input: $input) { __typename ... on Post { id } }
}`;
const COMMENT = `mutation ($nodeId: ID!, $text: String!) {
  postComment(nodeId: $nodeId, text: $text) { __typename ... on Comment { id } ... on Refusal { message } }
}`;
const LIST = `query ($nodeId: ID!) {
  discussion(nodeId: $nodeId, order: THREADED, first: 200) { edges { node { text } } }
}`;

it('are moved into another design while people go on, also of a post that no editor sees', async () => {
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

it('show no replies over a block, below the latest ones either', async () => {
  const { ann, ben } = await api.members('ann', 'ben');
  const dan = await api.member('dan');
  const post = await api.post(ann, 'For all');
  const { id: to } = await api.comment(dan, post, 'By Dan');
  const reply =
    'mutation ($on: ID!, $to: ID!) { postComment(nodeId: $on, text: "By Ben", replyTo: $to) { __typename } }';
  await api.ask(reply, { on: post, to }, ben);
  const query = `query ($id: ID!) { post(id: $id) {
    latestComments { text replies(first: 5) { edges { node { text } } } }
  } }`;
  const read = async () => JSON.stringify(await api.ask(query, { id: post }, dan));
  expect(await read()).toContain('By Ben');
  await api.block(ben, dan);
  expect(await read()).not.toContain('By Ben');
  expect(await read()).toContain('By Dan');
});

it('show none of others but of whom the reader follows, where more people block the reader than are read', async () => {
  const { ann, ben } = await api.members('ann', 'ben');
  const { dan } = await api.members('dan');
  const post = await api.post(ann, 'For all');
  await api.circle(dan, 'Friends', ben);
  const stored = await people(database.db).findOne({ _id: ann.account });
  if (!stored) throw new Error('Ann is not there');
  const crowd = Array.from({ length: HIDDEN_MAX }, (_, at) => ({
    ...stored,
    _id: `crowd-${at}`,
    blocked: [{ id: dan.account, at: stored.joined }],
  }));
  await people(database.db).insertMany(crowd);
  const { cid } = await api.members('cid'); // the last one, whom a read of the others would not find
  const guests = await api.post(cid, 'On a wall', { audience: 'PUBLIC', onWallOf: dan.id });

  const query = `query ($id: ID!) { post(id: $id) {
    commentPolicy latestComments { text } discussion(order: OLDEST_FIRST, first: 10) { edges { node { text } } }
  } }`;
  type Read = { post: { latestComments: Text[]; discussion: { edges: { node: Text }[] } } };
  type Text = { readonly text: string };
  const read = async () => {
    const { latestComments, discussion } = (await api.ask<Read>(query, { id: post }, dan)).post;
    const texts = discussion.edges.map(({ node }) => node.text);
    expect(latestComments.map(({ text }) => text)).toEqual(texts.slice(-3));
    return texts;
  };
  const live = api.follow<{ reset: boolean; comments: Text[]; commentCount: number }>(
    dan,
    'subscription ($id: ID!) { commentsChanged(nodeId: $id) { reset commentCount comments { text } } }',
    { id: post },
  );
  const told = async (count: number) =>
    (await live.until(({ commentCount }) => commentCount === count)).comments.map(({ text }) => text);
  for (const [at, by] of [ann, ben, cid, dan].entries()) await api.comment(by, post, `By ${at}`);
  expect(await read()).toEqual(['By 0', 'By 1', 'By 2', 'By 3']); // as many as are read
  await api.block(cid, dan);
  expect(await read()).toEqual(['By 1', 'By 3']);
  const { comments } = await live.until(({ reset }) => reset);
  expect(comments.map(({ text }) => text)).toEqual(['By 1', 'By 3']);
  await api.comment(cid, post, 'By the one who blocks');
  expect(await told(5)).toEqual([]);
  await api.comment(ben, post, 'By whom Dan follows');
  expect(await told(6)).toEqual(['By whom Dan follows']);
  expect(await read()).toEqual(['By 1', 'By 3', 'By whom Dan follows']);
  await live.close();

  const policyOf = async (id: string) => (await api.ask(query, { id }, dan)).post;
  expect(await policyOf(guests)).toMatchObject({ commentPolicy: 'NOBODY' });
  const open = await api.post(ann, 'From Ann', { audience: 'PUBLIC', onWallOf: dan.id });
  expect(await policyOf(open)).toMatchObject({ commentPolicy: 'MEMBERS' });
  await people(database.db).deleteMany({ _id: /^crowd-/ });
});

it('are in an export of all comments for administrators only', async () => {
  const { ann, ben } = await api.members('ann', 'ben');
  const post = await api.post(ann, 'For circles', { audience: 'MY_CIRCLES', onWallOf: ben.id });
  await api.comment(ben, post, 'Between the two');
  const exported = async (by: Member): Promise<string> => {
    const { exportComments } = await api.ask<{ exportComments: { id: string } }>(
      'mutation { exportComments { id } }',
      {},
      by,
    );
    const read = 'query ($id: ID!) { node(id: $id) { ... on DataExport { state url } } }';
    type Found = { node: { state: string; url: string } };
    const find = async () => (await api.ask<Found>(read, { id: exportComments.id }, by)).node;
    await expect.poll(find).toMatchObject({ state: 'FINISHED' });
    return (await fetch((await find()).url)).text();
  };
  expect(await exported(await api.account('editor', 'EDITOR'))).not.toContain('Between the two');
  expect(await exported(await api.account('administrator', 'ADMIN'))).toContain('Between the two');
});

const DESIGNS: readonly CommentDesign[] = ['ONE_EACH', 'EMBEDDED', 'HYBRID'];
/** How many documents there are of the discussion of a post. */
async function countLeft(id: string): Promise<number> {
  const { db } = database;
  const discussion = discussionOfPost(idOfType('Post', id) ?? '');
  const belongs = { _id: { $gte: `${discussion}/`, $lt: `${discussion}0` } };
  const counts = await Promise.all([
    discussions(db).countDocuments({ _id: discussion }),
    comments(db).countDocuments(belongs),
    commentPages(db).countDocuments(belongs),
    commentCases(db).countDocuments(belongs),
  ]);
  return counts.reduce((sum, count) => sum + count);
}

it.each(DESIGNS)(
  'leave nothing of comments that are posted, or reported, while they are deleted, in the design %s',
  async (design) => {
    const { db } = database;
    const { discussionWriter: writer } = server.services;
    const { ann, ben } = await api.members('ann', 'ben');
    const ids: string[] = [];
    const answers = new Set<unknown>();
    for (let at = 0; at < 15; at += 1) {
      const id = await api.post(ann, `Short-lived ${at}`);
      ids.push(id);
      const post = (await findPost(db, idOfType('Post', id) ?? '')) as PostDocument;
      const subject = { ...subjectOfPost(post), design };
      const comment = async (text: string) => {
        const author = { _id: ben.account, name: '' };
        const posting = { author, isMember: true, text, replyTo: null, now: new Date() };
        const outcome = await postComment(db, writer, subject, posting);
        answers.add('number' in outcome ? 'Comment' : outcome.__typename);
      };
      const report = (by: string) =>
        reportComment(db, writer, subject, {
          number: 1,
          by,
          reason: 'Rude',
          now: new Date(),
          hiddenAuthors: undefined,
        });
      if (at % 3 > 0) await comment('Early'); // otherwise the first comment is one of the late ones
      await Promise.all([
        delay(at % 5).then(() => api.remove(ann, id)),
        ...[0, 4, 8, 12, 16, 20, 26, 32, 50, 100].map((ms) => delay(ms).then(() => comment(`Late ${ms}`))),
        ...[2, 10, 18, 60].map((ms) => delay(ms).then(() => report(`reporter ${ms}`))),
      ]);
    }
    await api.delivered();
    for (const id of ids) expect(await countLeft(id)).toBe(0);
    expect([...answers].sort()).toEqual(['Comment', 'CommentableNotFound']);
  },
);

it('of somebody over a block takes no replies, and is not reported, by whoever does not see it', async () => {
  const { ann, one, other } = await api.members('ann', 'one', 'other');
  const id = await api.post(ann, 'Talk');
  const comment = await api.comment(one, id, 'First');
  await api.block(one, other);
  const REPLY = `mutation ($nodeId: ID!, $replyTo: ID!) {
    postComment(nodeId: $nodeId, text: "Reply", replyTo: $replyTo) { __typename }
  }`;
  const REPORT = 'mutation ($id: ID!) { reportComment(id: $id, reason: "Look") { reported } }';
  const variables = { nodeId: id, replyTo: comment.id };
  expect(await api.ask(REPLY, variables, other)).toEqual({ postComment: { __typename: 'CommentNotFound' } });
  expect(await api.ask(REPORT, { id: comment.id }, other)).toEqual({ reportComment: { reported: false } });
  expect(await api.ask(REPLY, variables, ann)).toEqual({ postComment: { __typename: 'Comment' } });
  expect(await api.ask('query ($id: ID!) { post(id: $id) { commentCount } }', { id }, ann)).toEqual({
    post: { commentCount: 2 },
  });
  await api.unblock(one, other);
  expect(await api.ask(REPLY, variables, other)).toEqual({ postComment: { __typename: 'Comment' } });
  await api.delivered();
});

it('are neither added nor changed by somebody who was blocked while others had their turn', async () => {
  const { ann, ben, zoe } = await api.members('ann', 'ben', 'zoe');
  const { publishPost } = await api.ask<{ publishPost: Outcome }>(
    PUBLISH,
    { input: { type: 'STATUS', text: 'Open', audience: 'PUBLIC' } },
    ann,
  );
  const { id: before } = await api.comment(zoe, publishPost.id ?? '', 'Before');
  const post = (await findPost(database.db, idOfType('Post', publishPost.id) ?? '')) as PostDocument;
  let goOn: () => void = () => undefined;
  const held = new Promise<null>((resolve) => {
    goOn = () => resolve(null);
  });
  const others = server.services.discussionWriter.write(database.db, subjectOfPost(post), [], () => held);
  const adding = api.comment(zoe, publishPost.id ?? '', 'After');
  const EDIT = 'mutation ($id: ID!) { editComment(id: $id, text: "After") { __typename } }';
  const changing = api.ask<{ editComment: Outcome }>(EDIT, { id: before }, zoe);
  await delay(300); // both have looked at the post, and wait
  await api.block(ann, zoe);
  goOn();
  await others;
  expect((await adding).__typename).toBe('CommentableNotFound');
  expect((await changing).editComment.__typename).toBe('CommentNotFound');
  const { discussion } = await api.ask<{ discussion: { edges: { node: { text: string } }[] } }>(
    LIST,
    { nodeId: publishPost.id },
    ben,
  );
  expect(discussion.edges.map(({ node }) => node.text)).toEqual(['Before']);
});
