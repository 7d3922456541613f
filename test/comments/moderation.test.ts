/** Reports, the queue of moderators, and their decisions, in every design. */
import { beforeAll, describe, expect, it } from 'vitest';
import { commentCases } from '../../src/models/comments/comment-case.js';
import type { CommentDesign } from '../../src/models/comments/discussion/comment.js';
import { auditTrail } from '../../src/models/people/audit.js';
import { toGlobalId } from '../../src/shared/global-id.js';
import { add } from '../content/nodes/node-support.js';
import { useDatabase } from '../support/database.js';
import { addPerson, beginTestSession } from '../support/people.js';
import { useServer } from '../support/server.js';

const database = useDatabase();
const server = useServer(database);
const VISITOR = ''; // no token

let ann: string;
let bob: string;
let bobId: string;
let pages = 0;

beforeAll(async () => {
  const signedIn = async (name: string) => {
    const user = await addPerson(database.db, name, ['MEMBER']);
    const { token } = await beginTestSession(database.db, server.services.config, user);
    return { token, id: toGlobalId('User', user._id) };
  };
  ({ token: ann } = await signedIn('ann'));
  ({ token: bob, id: bobId } = await signedIn('bob'));
});

async function ask<T>(query: string, variables: Readonly<Record<string, unknown>>, token = server.token): Promise<T> {
  const { data, errors } = await server.request<T>(query, variables, token);
  if (errors) throw new Error(JSON.stringify(errors));
  return data as T;
}

async function addPage(commentDesign: CommentDesign): Promise<string> {
  pages += 1;
  const { _id } = await add(database.db, {
    type: 'PAGE',
    title: `Page ${pages}`,
    commentPolicy: 'EVERYBODY',
    commentDesign,
    publishedAt: new Date('2026-01-01T00:00:00Z'),
  });
  return toGlobalId('ContentNode', _id);
}

const POST = `mutation ($nodeId: ID!, $text: String!, $replyTo: ID, $authorName: String) {
  postComment(nodeId: $nodeId, text: $text, replyTo: $replyTo, authorName: $authorName) { ... on Comment { id } }
}`;
async function post(nodeId: string, text: string, token = ann, more: object = {}): Promise<string> {
  const authorName = token === VISITOR ? 'Zoe' : undefined;
  const { postComment } = await ask<{ postComment: { id: string } }>(
    POST,
    { nodeId, text, authorName, ...more },
    token,
  );
  return postComment.id;
}

const report = (id: string, reason: string, token: string) =>
  ask(
    'mutation ($id: ID!, $reason: String!) { reportComment(id: $id, reason: $reason) { reported } }',
    { id, reason },
    token,
  );

interface Queued {
  readonly text: string;
  readonly reports: readonly { readonly by: { readonly name: string }; readonly reason: string }[];
}
async function queue(): Promise<Queued[]> {
  const { commentsToModerate } = await ask<{ commentsToModerate: { edges: { node: Queued }[] } }>(
    '{ commentsToModerate { edges { node { text reports { by { id name } reason } } } } }',
    {},
  );
  return commentsToModerate.edges.map(({ node }) => node);
}

const moderate = (ids: readonly string[], state: string) =>
  ask(
    `mutation ($ids: [ID!]!, $state: CommentState!) {
      moderateComments(ids: $ids, state: $state) { moderated rejected { index code } }
    }`,
    { ids, state },
  );

const shown = (nodeId: string, token = VISITOR) =>
  ask<{ node: { commentCount: number; discussion: { edges: { node: object }[] } } }>(
    `query ($id: ID!) { node(id: $id) { ... on Page {
      commentCount discussion { edges { node { text state replyCount } } }
    } } }`,
    { id: nodeId },
    token,
  ).then(({ node }) => ({ count: node.commentCount, comments: node.discussion.edges.map((edge) => edge.node) }));

describe.each(['ONE_EACH', 'EMBEDDED', 'HYBRID'] as const)('moderation in the design %s', (design) => {
  it('lets a held comment through, hides it, and shows it again, with exact counts', async () => {
    const nodeId = await addPage(design);
    const held = await post(nodeId, `Held ${design}`, VISITOR);
    expect(await queue()).toEqual([{ text: `Held ${design}`, reports: [] }]);
    expect(await shown(nodeId)).toEqual({ count: 0, comments: [] });

    expect(await moderate([held], 'PUBLISHED')).toEqual({ moderateComments: { moderated: 1, rejected: [] } });
    expect(await queue()).toEqual([]);
    expect(await shown(nodeId)).toMatchObject({ count: 1, comments: [{ text: `Held ${design}` }] });

    await post(nodeId, 'A reply', bob, { replyTo: held });
    await moderate([held], 'HIDDEN');
    expect(await shown(nodeId)).toEqual({
      count: 1,
      comments: [
        { text: null, state: 'HIDDEN', replyCount: 1 },
        { text: 'A reply', state: 'PUBLISHED', replyCount: 0 },
      ],
    });
    expect((await shown(nodeId, server.token)).comments).toMatchObject([{ text: `Held ${design}` }, {}]);
    await moderate([held], 'PUBLISHED');
    expect(await shown(nodeId)).toMatchObject({ count: 2, comments: [{ text: `Held ${design}` }, {}] });
  });

  it('queues a reported comment once, with each account that reports it, until somebody decides', async () => {
    const nodeId = await addPage(design);
    const id = await post(nodeId, `Reported ${design}`);
    await report(id, 'Rude', bob);
    await report(id, 'Rude again', bob);
    await report(id, '$where is this?', ann);
    expect(await queue()).toEqual([
      {
        text: `Reported ${design}`,
        reports: [
          { by: { id: expect.any(String), name: 'ann' }, reason: '$where is this?' },
          { by: { id: bobId, name: 'bob' }, reason: 'Rude' },
        ],
      },
    ]);
    await moderate([id], 'PUBLISHED'); // it stays as it is, and nobody has to decide any more
    expect(await queue()).toEqual([]);
    await report(id, 'Still rude', bob);
    await moderate([id], 'DELETED');
    expect(await queue()).toEqual([]);
    expect(await shown(nodeId)).toEqual({ count: 0, comments: [] });
    expect(await report(id, 'Gone', bob)).toEqual({ reportComment: { reported: false } });
  });

  it('decides about many at once, and names those that it could not', async () => {
    const nodeId = await addPage(design);
    const ids = [await post(nodeId, 'One'), await post(nodeId, 'Two'), await post(nodeId, 'Three')];
    await moderate(ids.slice(0, 1), 'DELETED');
    const foreign = [toGlobalId('Comment', 'ContentNode:none/1'), 'damaged'];
    expect(await moderate([...ids, ...foreign], 'HIDDEN')).toEqual({
      moderateComments: {
        moderated: 2,
        rejected: [
          { index: 0, code: 'CONFLICT' },
          { index: 3, code: 'NOT_FOUND' },
          { index: 4, code: 'BAD_USER_INPUT' },
        ],
      },
    });
    expect(await shown(nodeId)).toEqual({ count: 0, comments: [] });
    const entries = await auditTrail(database.db)
      .find({ action: 'COMMENTS_MODERATED' })
      .sort({ at: -1 })
      .limit(1)
      .toArray();
    expect(entries).toMatchObject([{ detail: '2 HIDDEN' }]);
  });
});

it('is for editors', async () => {
  const { errors } = await server.request('{ commentsToModerate { edges { node { id } } } }', {}, ann);
  expect(errors?.[0]?.extensions.code).toBe('FORBIDDEN');
});

it('is followed live: the queue, then each comment that comes, is edited, or goes', async () => {
  await commentCases(database.db).deleteMany({});
  const nodeId = await addPage('HYBRID');
  const first = await post(nodeId, 'First', VISITOR);
  interface Event {
    readonly commentsToModerateChanged: {
      readonly comments: object[];
      readonly removed: string[];
      readonly waiting: number;
    };
  }
  const events = server.connect().iterate<Event>({
    query: 'subscription { commentsToModerateChanged { comments { id text } removed waiting } }',
  });
  const next = async () => (await events.next()).value?.data?.commentsToModerateChanged;
  expect(await next()).toEqual({ comments: [{ id: first, text: 'First' }], removed: [], waiting: 1 });
  const second = await post(nodeId, 'Second', VISITOR);
  expect(await next()).toEqual({ comments: [{ id: second, text: 'Second' }], removed: [], waiting: 2 });
  await moderate([first], 'PUBLISHED');
  expect(await next()).toEqual({ comments: [], removed: [first], waiting: 1 });
  const reported = await post(nodeId, 'Rude');
  await report(reported, 'Rude', bob);
  expect(await next()).toEqual({ comments: [{ id: reported, text: 'Rude' }], removed: [], waiting: 2 });
  const edit = 'mutation ($id: ID!) { editComment(id: $id, text: "Polite") { ... on Comment { text } } }';
  expect(await ask(edit, { id: reported }, ann)).toEqual({ editComment: { text: 'Polite' } });
  expect(await next()).toEqual({ comments: [{ id: reported, text: 'Polite' }], removed: [], waiting: 2 });
  await events.return?.();
});
