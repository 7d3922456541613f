/** Comments through the API: who may write and see what, and who hears of it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { idempotency } from '../../src/database/index.js';
import { throttles } from '../../src/models/people/throttle.js';
import { fromGlobalId, toGlobalId } from '../../src/shared/global-id.js';
import { add } from '../content/nodes/node-support.js';
import { useDatabase } from '../support/database.js';
import { addSignedIn } from '../support/people.js';
import { useServer } from '../support/server.js';

const database = useDatabase();
const server = useServer(database);

const VISITOR = ''; // no token
let ann: string;
let bob: string;
let editor: string;
let annId: string;
let pages = 0;

beforeAll(async () => {
  const signedIn = async (name: string, role: 'MEMBER' | 'EDITOR') => {
    const { token, reference } = await addSignedIn(database.db, server.services.config, name, role);
    return { token, id: toGlobalId('User', reference._id) };
  };
  ({ token: ann, id: annId } = await signedIn('ann', 'MEMBER'));
  ({ token: bob } = await signedIn('bob', 'MEMBER'));
  ({ token: editor } = await signedIn('editor', 'EDITOR'));
});

interface View {
  readonly __typename: string;
  readonly id: string;
  readonly slug: string;
  readonly text: string | null;
  readonly html: string | null;
  readonly replyCount: number;
  readonly state: string;
  readonly replyTo: string;
}

const VIEW =
  'id slug url postedAt editedAt author { id name } text html depth parentId replyCount state on { id commentCount }';

async function addPage(
  commentPolicy: 'NOBODY' | 'MEMBERS' | 'EVERYBODY' = 'MEMBERS',
  isDraft = false,
): Promise<string> {
  pages += 1;
  const publishedAt = isDraft ? null : new Date('2026-01-01T00:00:00Z');
  const { _id } = await add(database.db, { type: 'PAGE', title: `Page ${pages}`, commentPolicy, publishedAt });
  return toGlobalId('ContentNode', _id);
}

async function ask<T>(query: string, variables: Readonly<Record<string, unknown>>, token: string): Promise<T> {
  const { data, errors } = await server.request<T>(query, variables, token);
  if (errors) throw new Error(JSON.stringify(errors));
  return data as T;
}

async function post(token: string, input: Readonly<Record<string, unknown>>): Promise<View> {
  const { postComment } = await ask<{ postComment: View }>(
    `mutation ($nodeId: ID!, $text: String!, $replyTo: ID, $authorName: String, $idempotencyKey: String) {
      postComment(nodeId: $nodeId, text: $text, replyTo: $replyTo, authorName: $authorName, idempotencyKey: $idempotencyKey) {
        __typename ... on Comment { ${VIEW} } ... on ThreadTooDeep { replyTo } ... on Refusal { message }
      }
    }`,
    { text: 'A **comment**', ...input },
    token,
  );
  return postComment;
}

async function discussionOf(nodeId: string, token = VISITOR): Promise<View[]> {
  const { discussion } = await ask<{ discussion: { edges: { node: View }[] } }>(
    `query ($nodeId: ID!) { discussion(nodeId: $nodeId) { edges { node { ${VIEW} } } } }`,
    { nodeId },
    token,
  );
  return discussion.edges.map(({ node }) => node);
}

const change = (token: string, mutation: string) =>
  server.request<Record<string, View>>(`mutation { ${mutation} }`, {}, token);

describe('a comment', () => {
  it('names what it is about, in the list of its discussion, too', async () => {
    const nodeId = await addPage();
    await post(ann, { nodeId });
    const about = `query ($nodeId: ID!) { node(id: $nodeId) {
      ... on Commentable { discussion { edges { node { on { __typename id } } } } }
    } }`;
    expect(await ask(about, { nodeId }, ann)).toEqual({
      node: { discussion: { edges: [{ node: { on: { __typename: 'Page', id: nodeId } } }] } },
    });
  });

  it('is posted by a member, with its address, its HTML and the name of the account', async () => {
    const nodeId = await addPage();
    const first = await post(ann, { nodeId });
    expect(first).toEqual({
      __typename: 'Comment',
      id: expect.any(String),
      slug: '1',
      url: expect.stringMatching(/^http.*\/blog\/~\/page-\d+#comment-1$/),
      postedAt: expect.any(String),
      editedAt: null,
      author: { id: annId, name: 'ann' },
      text: 'A **comment**',
      html: '<p>A <strong>comment</strong></p>\n',
      depth: 0,
      parentId: null,
      replyCount: 0,
      state: 'PUBLISHED',
      on: { id: nodeId, commentCount: 1 },
    });
    const reply = await post(bob, { nodeId, replyTo: first.id, text: 'Yes' });
    expect(reply).toMatchObject({ slug: '1/2', depth: 1, parentId: first.id });
    const all = await discussionOf(nodeId);
    expect(all.map(({ slug, replyCount }) => [slug, replyCount])).toEqual([
      ['1', 1],
      ['1/2', 0],
    ]);
    const linked = await ask(
      `query ($nodeId: ID!) { comment(nodeId: $nodeId, slug: "1/2") { id } none: comment(nodeId: $nodeId, slug: "2") { id } }`,
      { nodeId },
      VISITOR,
    );
    expect(linked).toEqual({ comment: { id: reply.id }, none: null });
  });

  it('is posted once for a key, however often it is sent', async () => {
    const nodeId = await addPage();
    const input = { nodeId, idempotencyKey: 'once' };
    const [one, other] = [await post(ann, input), await post(ann, input)];
    expect(other).toEqual(one);
    expect(await discussionOf(nodeId)).toHaveLength(1);
  });

  it('is refused where comments are closed, of a visitor where members comment, and on what nobody may see', async () => {
    const closed = await addPage('NOBODY');
    expect(await post(ann, { nodeId: closed })).toMatchObject({ __typename: 'CommentsClosed' });
    const forMembers = await addPage('MEMBERS');
    expect(await post(VISITOR, { nodeId: forMembers, authorName: 'Zoe' })).toMatchObject({
      __typename: 'CommentsClosed',
    });
    const draft = await addPage('EVERYBODY', true);
    expect(await post(ann, { nodeId: draft })).toMatchObject({ __typename: 'CommentableNotFound' });
    const elsewhere = await post(ann, { nodeId: forMembers });
    const other = await addPage();
    expect(await post(ann, { nodeId: other, replyTo: elsewhere.id })).toMatchObject({ __typename: 'CommentNotFound' });
    for (const nodeId of [closed, other]) expect(await discussionOf(nodeId)).toEqual([]);
  });

  it('says which text or name is not accepted', async () => {
    const nodeId = await addPage('EVERYBODY');
    const refusedField = async (token: string, input: object) => {
      const { errors } = await server.request(
        'mutation ($nodeId: ID!, $text: String!, $authorName: String) { postComment(nodeId: $nodeId, text: $text, authorName: $authorName) { __typename } }',
        { nodeId, text: 'Fine', ...input },
        token,
      );
      return errors?.[0]?.extensions;
    };
    for (const text of ['', '  \n ', 'x'.repeat(10_001), 'a\u0000b'])
      expect(await refusedField(ann, { text })).toMatchObject({ code: 'BAD_USER_INPUT', field: 'text' });
    for (const authorName of [undefined, '', 'a\u200bb', 'x'.repeat(101)])
      expect(await refusedField(VISITOR, { authorName })).toMatchObject({
        code: 'BAD_USER_INPUT',
        field: 'authorName',
      });
    expect(await refusedField(ann, { authorName: 'Ann' })).toMatchObject({ field: 'authorName' });
    expect(await refusedField('expired', {})).toMatchObject({ code: 'UNAUTHENTICATED' }); // not as a visitor
    expect(await discussionOf(nodeId)).toEqual([]);
  });

  it('of a visitor waits for a moderator, and is counted for the network address', async () => {
    const nodeId = await addPage('EVERYBODY');
    for (let at = 0; at < 10; at += 1)
      expect(await post(VISITOR, { nodeId, authorName: 'Zoe' })).toMatchObject({
        state: 'HELD',
        author: { id: null, name: 'Zoe' },
      });
    expect(await post(VISITOR, { nodeId, authorName: 'Zoe' })).toMatchObject({ __typename: 'CommentThrottled' });
    expect(await discussionOf(nodeId)).toEqual([]);
  });

  it('that was edited or deleted is returned to a retry as it is then, and its key keeps neither text nor account', async () => {
    const nodeId = await addPage();
    const send = () => post(ann, { nodeId, text: 'Regretted words', idempotencyKey: 'regretted' });
    const { id } = await send();
    const answers = JSON.stringify(await idempotency(database.db).find({}).toArray());
    for (const kept of ['Regretted words', fromGlobalId(annId)?.id]) expect(answers).not.toContain(kept);
    await change(ann, `editComment(id: "${id}", text: "Better words") { __typename }`);
    expect(await send()).toMatchObject({ id, text: 'Better words', editedAt: expect.any(String) });
    await change(ann, `deleteComment(id: "${id}") { __typename }`);
    expect(await send()).toMatchObject({ __typename: 'Comment', id, text: null, html: null, state: 'DELETED' });
    expect(await discussionOf(nodeId)).toEqual([]);
  });

  it('that was throttled is posted by a retry with its key once it may be', async () => {
    const nodeId = await addPage();
    const throttle = { _id: `comments-of:${fromGlobalId(annId)?.id}` };
    const until = new Date(server.services.now().getTime() + 60_000);
    await throttles(database.db).updateOne(throttle, { $set: { failures: 100, until } }, { upsert: true });
    const send = () => post(ann, { nodeId, idempotencyKey: 'throttled' });
    for (const _again of [1, 2]) expect(await send()).toMatchObject({ __typename: 'CommentThrottled' });
    await throttles(database.db).deleteOne(throttle);
    const posted = await send();
    expect(posted).toMatchObject({ __typename: 'Comment' });
    expect(await send()).toEqual(posted);
    expect(await discussionOf(nodeId)).toHaveLength(1);
  });

  it('is edited and deleted by its author, and deleted by an editor', async () => {
    const nodeId = await addPage();
    const first = await post(ann, { nodeId });
    const reply = await post(ann, { nodeId, replyTo: first.id });
    const edit = `editComment(id: "${first.id}", text: "New") { __typename ... on Comment { text editedAt } }`;
    expect((await change(bob, edit)).data).toMatchObject({ editComment: { __typename: 'CommentNotFound' } });
    expect((await change(ann, edit)).data).toMatchObject({
      editComment: { text: 'New', editedAt: expect.any(String) },
    });
    expect((await change(VISITOR, edit)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    const remove = (id: string) => `deleteComment(id: "${id}") { __typename }`;
    expect((await change(bob, remove(first.id))).data).toMatchObject({
      deleteComment: { __typename: 'CommentNotFound' },
    });
    await change(editor, remove(first.id));
    expect(await discussionOf(nodeId)).toMatchObject([
      { slug: '1', text: null, html: null, state: 'DELETED' },
      { slug: '1/2', text: 'A **comment**' },
    ]);
    await change(ann, remove(reply.id));
    expect(await discussionOf(nodeId)).toEqual([]);
  });

  it('is listed with those of its author on whatever the viewer may see', async () => {
    const [open, hidden] = [await addPage(), await addPage('MEMBERS', true)];
    await post(editor, { nodeId: open, text: 'On a page' });
    await post(editor, { nodeId: hidden, text: 'On a draft' });
    const query =
      'query ($authorId: ID!) { commentsOfAuthor(authorId: $authorId) { edges { node { text on { id } } } } }';
    const { viewer } = await ask<{ viewer: { id: string } }>('{ viewer { id } }', {}, editor);
    const textsFor = async (token: string) => {
      const found = await ask<{ commentsOfAuthor: { edges: { node: View }[] } }>(query, { authorId: viewer.id }, token);
      return found.commentsOfAuthor.edges.map(({ node }) => node.text);
    };
    expect(await textsFor(VISITOR)).toEqual(['On a page']);
    expect(await textsFor(editor)).toEqual(['On a draft', 'On a page']);
  });

  it('that was refused because comments were closed is posted by a retry once they are open', async () => {
    const nodeId = await addPage('NOBODY');
    const input = { nodeId, idempotencyKey: 'early' };
    expect(await post(ann, input)).toMatchObject({ __typename: 'CommentsClosed' });
    await change(editor, `changeCommentPolicy(nodeId: "${nodeId}", policy: MEMBERS) { id }`);
    expect(await post(ann, input)).toMatchObject({ __typename: 'Comment' });
    expect(await discussionOf(nodeId)).toHaveLength(1);
  });

  it('can be allowed or not by an editor, not by a member', async () => {
    const nodeId = await addPage('NOBODY');
    const open = `changeCommentPolicy(nodeId: "${nodeId}", policy: MEMBERS) { id commentPolicy }`;
    expect((await change(ann, open)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    expect((await change(editor, open)).data).toEqual({
      changeCommentPolicy: { id: nodeId, commentPolicy: 'MEMBERS' },
    });
    expect(await post(ann, { nodeId })).toMatchObject({ __typename: 'Comment' });
  });
});

describe('a discussion, followed', () => {
  const FOLLOW = `subscription ($nodeId: ID!, $after: String) {
    commentsChanged(nodeId: $nodeId, after: $after) { cursor reset comments { slug text state replyCount } removed commentCount }
  }`;
  interface Event {
    readonly commentsChanged: {
      readonly cursor: string;
      readonly reset: boolean;
      readonly comments: View[];
      readonly removed: string[];
      readonly commentCount: number;
    };
  }

  it.each(['ONE_EACH', 'EMBEDDED', 'HYBRID'] as const)(
    'tells every change once, and resumes, in %s',
    async (commentDesign) => {
      pages += 1;
      const node = await add(database.db, {
        type: 'PAGE',
        title: `Page ${pages}`,
        commentDesign,
        publishedAt: new Date('2026-01-01T00:00:00Z'),
      });
      const nodeId = toGlobalId('ContentNode', node._id);
      const first = await post(ann, { nodeId, text: 'One' });
      const client = server.connect();
      const events = client.iterate<Event>({ query: FOLLOW, variables: { nodeId } });
      const next = async (from = events) => (await from.next()).value?.data?.commentsChanged;
      expect(await next()).toMatchObject({ comments: [{ slug: '1', text: 'One' }], removed: [], commentCount: 1 });
      const reply = await post(bob, { nodeId, replyTo: first.id, text: 'Two' });
      const seen = [await next(), await next()];
      expect(seen.flatMap((event) => event?.comments ?? [])).toEqual(
        expect.arrayContaining([
          { slug: '1/2', text: 'Two', state: 'PUBLISHED', replyCount: 0 },
          { slug: '1', text: 'One', state: 'PUBLISHED', replyCount: 1 },
        ]),
      );
      const cursor = seen.at(-1)?.cursor;
      await events.return?.();
      await change(ann, `editComment(id: "${first.id}", text: "Changed") { __typename }`);
      await change(editor, `deleteComment(id: "${reply.id}") { __typename }`);
      const resumed = client.iterate<Event>({ query: FOLLOW, variables: { nodeId, after: cursor } });
      expect(await next(resumed)).toMatchObject({
        reset: false,
        comments: [{ slug: '1', text: 'Changed' }],
        commentCount: 2,
      });
      const last = [await next(resumed), await next(resumed)];
      expect(last.flatMap((event) => event?.removed ?? [])).toEqual([reply.id]);
      expect(last.flatMap((event) => event?.comments ?? [])).toMatchObject([{ slug: '1', replyCount: 0 }]);
      expect(last.at(-1)?.commentCount).toBe(1);
      await resumed.return?.();
    },
  );
});
