/** Reports of posts through the API: once of each person, read and dismissed by editors only. */
import { beforeAll, expect, it } from 'vitest';
import { posts } from '../../../src/models/social/posts/post.js';
import { idOfType } from '../../../src/shared/global-id.js';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { type Edges, type Member, SocialApi } from '../social-api.js';

const database = useDatabase();
const server = useServer(database);
let api: SocialApi;
let ann: Member;
let ben: Member;
let cid: Member;
let editor: Member;

beforeAll(async () => {
  api = new SocialApi(database, server);
  ({ ann, ben, cid } = await api.members('ann', 'ben', 'cid'));
  editor = await api.account('editor', 'EDITOR');
  for (let at = 0; at < 30; at += 1) await api.post(cid, `Never reported ${at}`);
});

const REPORT = 'mutation ($id: ID!, $reason: String!) { reportPost(id: $id, reason: $reason) { reported } }';
const DISMISS = 'mutation ($id: ID!) { dismissReports(id: $id) { reported } }';
const REPORTED = `query ($first: Int, $after: String) { reportedPosts(first: $first, after: $after) {
  edges { cursor node { id text reports { by { id name } at reason } } } pageInfo { hasNextPage endCursor }
} }`;
const REPORTS = 'query ($id: ID!) { post(id: $id) { reports { by { id } reason } } }';

interface Reported {
  readonly id: string;
  readonly text: string;
  readonly reports: readonly object[];
}

const report = async (id: string, reason: string, by: Member) =>
  (await api.ask<{ reportPost: { reported: boolean } }>(REPORT, { id, reason }, by)).reportPost.reported;
const reported = async (first = 20, after: string | null = null) =>
  (await api.ask<{ reportedPosts: Edges<Reported> }>(REPORTED, { first, after }, editor)).reportedPosts;
const reportsOf = async (id: string, by: Member | null) =>
  (await api.ask<{ post: { reports: unknown } }>(REPORTS, { id }, by)).post.reports;
const dismiss = (id: string) => api.ask(DISMISS, { id }, editor);
const stored = (id: string) => posts(database.db).findOne({ _id: idOfType('Post', id) ?? '' });

it('a post is reported once by each person, and only editors see by whom', async () => {
  const id = await api.post(ann, 'Rude');
  expect(await report(id, ' Too rude ', ben)).toBe(true);
  expect(await report(id, 'Once more', ben)).toBe(true);
  expect(await report(id, 'Indeed', cid)).toBe(true);
  const expected = [
    { by: { id: cid.id }, reason: 'Indeed' },
    { by: { id: ben.id }, reason: 'Too rude' },
  ];
  expect(await reportsOf(id, editor)).toEqual(expected);
  for (const by of [ann, ben, cid, null]) expect(await reportsOf(id, by)).toBeNull();
  expect((await reported()).edges.map(({ node }) => node)).toMatchObject([{ id, text: 'Rude', reports: expected }]);
  await dismiss(id);
});

it('reports at the same time by one person count once', async () => {
  const id = await api.post(ann, 'Rude at once');
  await Promise.all(Array.from({ length: 5 }, (_, at) => report(id, `Reason ${at}`, ben)));
  expect(await reportsOf(id, editor)).toHaveLength(1);
  await dismiss(id);
});

it('a post that the reporter does not see is not reported, and nothing changes', async () => {
  const id = await api.post(ann, 'Hidden', { audience: 'MY_CIRCLES' });
  const before = await stored(id);
  expect(await report(id, 'Unseen', ben)).toBe(false);
  expect(await report('none', 'Unseen', ben)).toBe(false);
  for (const reason of [' ', 'r'.repeat(501), 'a\u202eb'])
    expect(await api.failure(REPORT, { id, reason }, ann)).toMatchObject({ code: 'BAD_USER_INPUT', field: 'reason' });
  expect(await api.failure(REPORT, { id, reason: 'A' }, null)).toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(await stored(id)).toEqual(before);
});

it('reported posts are listed for editors only, the oldest report first, page by page', async () => {
  const ids: string[] = [];
  for (let at = 0; at < 5; at += 1) ids.push(await api.post(ann, `Reported ${at}`));
  const order = [3, 0, 4, 1, 2].map((at) => ids[at] as string);
  for (const id of order) await report(id, 'First', ben);
  await report(order[0] as string, 'Later', cid); // keeps its place
  const listed: string[] = [];
  for (let after: string | null = null; ; ) {
    const { edges, pageInfo }: Edges<Reported> = await reported(2, after);
    listed.push(...edges.map(({ node }) => node.id));
    if (!pageInfo.hasNextPage) break;
    after = pageInfo.endCursor;
  }
  expect(listed).toEqual(order);
  for (const by of [ann, ben]) {
    expect(await api.failure(REPORTED, {}, by)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await api.failure(DISMISS, { id: order[0] }, by)).toMatchObject({ code: 'FORBIDDEN' });
  }
  expect(await api.failure(REPORTED, {}, null)).toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(await reportsOf(order[0] as string, editor)).toHaveLength(2);
  for (const id of ids) await dismiss(id);
});

it('the discussion of a reported post is closed to an editor who does not see it, and reports have names', async () => {
  const hidden = await api.post(ann, 'For circles', { audience: 'MY_CIRCLES', onWallOf: ben.id });
  const seen = await api.post(ann, 'For all');
  const comment = 'mutation ($id: ID!) { postComment(nodeId: $id, text: "A comment") { __typename } }';
  for (const id of [hidden, seen])
    expect(await api.ask(comment, { id }, ben)).toEqual({ postComment: { __typename: 'Comment' } });
  await report(hidden, 'Rude', ben);
  await report(seen, 'Rude', await api.account('outside'));
  const query = `{ reportedPosts(first: 20) { edges { node {
    id latestComments { text } discussion(first: 5) { edges { node { text } } } reports { by { name } }
  } } } }`;
  const texts = [{ text: 'A comment' }];
  const nodes = (await api.ask<{ reportedPosts: Edges<object> }>(query, {}, editor)).reportedPosts.edges;
  expect(nodes.map(({ node }) => node)).toEqual([
    {
      id: hidden,
      latestComments: [],
      discussion: { edges: [] },
      reports: [{ by: { name: expect.stringMatching(/ben/i) } }],
    },
    {
      id: seen,
      latestComments: texts,
      discussion: { edges: texts.map((node) => ({ node })) },
      reports: [{ by: { name: expect.stringMatching(/outside/i) } }],
    },
  ]);
  for (const id of [hidden, seen]) await dismiss(id);
});

it('the replies to a reported comment are closed to an editor who does not see the post', async () => {
  const hidden = await api.post(ann, 'For circles', { audience: 'MY_CIRCLES', onWallOf: ben.id });
  const seen = await api.post(ann, 'For all');
  const reply =
    'mutation ($on: ID!, $to: ID!) { postComment(nodeId: $on, text: "A reply", replyTo: $to) { __typename } }';
  for (const on of [hidden, seen]) {
    const { id } = await api.comment(ben, on, 'A comment');
    expect(await api.ask(reply, { on, to: id }, ann)).toEqual({ postComment: { __typename: 'Comment' } });
    await api.ask('mutation ($id: ID!) { reportComment(id: $id, reason: "Rude") { reported } }', { id }, ann);
  }
  const comment = 'on { __typename } replies(first: 5) { edges { node { text } } }';
  const expected = [
    { on: null, replies: { edges: [] } },
    { on: { __typename: 'Post' }, replies: { edges: [{ node: { text: 'A reply' } }] } },
  ];
  const query = `{ commentsToModerate(first: 20) { edges { node { ${comment} } } } }`;
  const { commentsToModerate } = await api.ask<{ commentsToModerate: Edges<object> }>(query, {}, editor);
  expect(commentsToModerate.edges.map(({ node }) => node)).toEqual(expect.arrayContaining(expected));
});

it('a reported post is closed for comments to an editor who does not see it', async () => {
  const hidden = await api.post(ann, 'For circles', { audience: 'MY_CIRCLES', onWallOf: ben.id });
  const seen = await api.post(ann, 'For all');
  for (const id of [hidden, seen]) await report(id, 'Rude', ben);
  const query = '{ reportedPosts(first: 20) { edges { node { id commentPolicy } } } }';
  const policies = async (by: Member) => {
    type Answer = { readonly reportedPosts: Edges<{ readonly id: string; readonly commentPolicy: string }> };
    const { edges } = (await api.ask<Answer>(query, {}, by)).reportedPosts;
    return edges.map(({ node: { id, commentPolicy } }) => [id, commentPolicy]);
  };
  const joined = await api.member('joined-editor', 'ADMIN');
  expect(await policies(joined)).toEqual([
    [hidden, 'NOBODY'],
    [seen, 'MEMBERS'],
  ]);
  expect(await policies(editor)).toEqual([
    [hidden, 'NOBODY'],
    [seen, 'NOBODY'], // has not joined the network
  ]);
  for (const id of [hidden, seen]) await dismiss(id);
});

it('dismissed reports are gone, the post stays, and the audit trail has one entry', async () => {
  const id = await api.post(ann, 'Harmless');
  await report(id, 'A mistake', ben);
  expect(await dismiss(id)).toEqual({ dismissReports: { reported: false } });
  expect(await dismiss(id)).toEqual({ dismissReports: { reported: false } });
  expect((await reported()).edges).toEqual([]);
  expect(await reportsOf(id, editor)).toEqual([]);
  const entries = await database.db
    .collection('audit')
    .find({ action: 'POST_REPORTS_DISMISSED', subject: idOfType('Post', id) })
    .toArray();
  expect(entries).toHaveLength(1);
  expect(await report(id, 'Once more', ben)).toBe(true); // and may be reported again
  expect(await reportsOf(id, editor)).toHaveLength(1);
});

it('an editor removes a reported post, which is then listed no more', async () => {
  const id = await api.post(ann, 'Deleted');
  await report(id, 'Bad', ben);
  expect(await api.remove(editor, id)).toBe('DeletedPost');
  expect((await reported()).edges.map(({ node }) => node.id)).not.toContain(id);
  expect(await api.ask('query ($id: ID!) { post(id: $id) { id } }', { id }, ann)).toEqual({ post: null });
});
