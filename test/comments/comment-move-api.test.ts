/** The move of a discussion in the API: who may start it, what it tells, and what those who follow the discussion are told. */
import { beforeAll, describe, expect, it } from 'vitest';
import { commentIdOf, partsOfId } from '../../src/models/comments/discussion/comment.js';
import { discussionOf, existing, type Subject } from '../../src/models/comments/discussion/discussion.js';
import { DiscussionWriter } from '../../src/models/comments/discussion-write.js';
import { editComment, postComment } from '../../src/models/comments/posting.js';
import { auditTrail } from '../../src/models/people/audit.js';
import { idOfType, toGlobalId } from '../../src/shared/global-id.js';
import { add } from '../content/nodes/node-support.js';
import { useDatabase } from '../support/database.js';
import { addPerson, beginTestSession } from '../support/people.js';
import { useServer } from '../support/server.js';

const database = useDatabase();
const server = useServer(database);
let member: string;
let pages = 0;

beforeAll(async () => {
  const ann = await addPerson(database.db, 'ann', ['MEMBER']);
  ({ token: member } = await beginTestSession(database.db, server.services.config, ann));
});

async function ask<T>(query: string, variables: Readonly<Record<string, unknown>>, token = server.token): Promise<T> {
  const { data, errors } = await server.request<T>(query, variables, token);
  if (errors) throw new Error(JSON.stringify(errors));
  return data as T;
}

async function addPage(): Promise<string> {
  pages += 1;
  const { _id } = await add(database.db, {
    type: 'PAGE',
    title: `Page ${pages}`,
    slug: `page-${pages}`,
    commentDesign: 'ONE_EACH',
    publishedAt: new Date('2026-01-01T00:00:00Z'),
  });
  return toGlobalId('ContentNode', _id);
}

const MOVE = `mutation ($nodeId: ID!, $design: CommentDesign!) {
  changeCommentDesign(nodeId: $nodeId, design: $design) {
    __typename ... on CommentMove { id from to total } ... on CommentMoveBusy { message move { id } } ... on Refusal { message }
  }
}`;
const WORK = 'subscription ($id: ID!) { workChanged(id: $id) { work { state failure } } }';
const FOLLOW = `subscription ($nodeId: ID!) {
  commentsChanged(nodeId: $nodeId, last: 200) { reset comments { id slug text } removed commentCount }
}`;

interface View {
  readonly id: string;
  readonly slug: string;
  readonly text: string;
}
interface Event {
  readonly commentsChanged: {
    readonly reset: boolean;
    readonly comments: readonly View[];
    readonly removed: readonly string[];
    readonly commentCount: number;
  };
}
interface Moved {
  readonly changeCommentDesign: { readonly __typename: string; readonly id: string };
}

/** By the model: an account posts at most 100 comments an hour. */
const writer = new DiscussionWriter();
const subjectOf = (nodeId: string): Subject => ({
  ...existing(discussionOf('ContentNode', idOfType('ContentNode', nodeId) ?? '')),
  policy: 'MEMBERS',
});

async function post(nodeId: string, text: string): Promise<string> {
  const comment = { author: { _id: 'ann', name: '' }, isMember: true, text, replyTo: null, now: new Date() };
  const posted = await postComment(database.db, writer, subjectOf(nodeId), comment);
  if ('__typename' in posted) throw new Error(posted.message);
  return toGlobalId('Comment', commentIdOf(posted.discussion, posted.number));
}

async function edit(nodeId: string, id: string, text: string): Promise<void> {
  const { number = 0 } = partsOfId(idOfType('Comment', id) ?? '') ?? {};
  const changer = { accountId: 'ann', isModerator: false };
  const edited = await editComment(database.db, writer, subjectOf(nodeId), { number, text, changer, now: new Date() });
  expect(edited).toMatchObject({ number, text });
}

async function move(nodeId: string, design: string): Promise<void> {
  const { changeCommentDesign: started } = await ask<Moved>(MOVE, { nodeId, design });
  expect(started).toMatchObject({ __typename: 'CommentMove', to: design });
  const events = server.connect().iterate<{ workChanged: { work: { state: string; failure: string | null } } }>({
    query: WORK,
    variables: { id: started.id },
  });
  for await (const { data } of events) {
    const work = data?.workChanged.work;
    expect(work?.failure ?? null).toBeNull();
    if (work?.state === 'FINISHED') return;
  }
}

describe('a discussion that is moved', () => {
  it('tells those who follow it every comment and every edit once, in a circle through all designs', async () => {
    const nodeId = await addPage();
    const posted = new Map<string, string>(); // by id: the last text
    for (let n = 0; n < 20; n += 1) posted.set(await post(nodeId, `Before ${n}`), `Before ${n}`);
    const told: string[] = [];
    const followed = new Map<string, View>();
    const events = server.connect().iterate<Event>({ query: FOLLOW, variables: { nodeId } });
    const first = (await events.next()).value?.data?.commentsChanged;
    for (const view of first?.comments ?? []) followed.set(view.id, view);
    expect([...followed.keys()]).toEqual([...posted.keys()]);

    let isOver = false;
    const expected: string[] = [];
    const writing = (async () => {
      for (let n = 0; !isOver; n += 1) {
        const id = await post(nodeId, `During ${n}`);
        const edited = [...posted.keys()][n % posted.size] ?? id;
        posted.set(id, `During ${n}`);
        await edit(nodeId, edited, `Edited ${n}`);
        posted.set(edited, `Edited ${n}`);
        expected.push(`${id} During ${n}`, `${edited} Edited ${n}`);
      }
    })();
    for (const design of ['EMBEDDED', 'HYBRID', 'ONE_EACH']) await move(nodeId, design);
    isOver = true;
    await writing;
    const last = await post(nodeId, 'The end');
    for await (const { data } of events) {
      const { reset, comments = [], removed, commentCount } = data?.commentsChanged ?? {};
      expect([reset, removed]).toEqual([false, []]);
      for (const view of comments) {
        told.push(`${view.id} ${view.text}`);
        followed.set(view.id, view);
      }
      if (comments.some(({ id }) => id === last)) {
        expect(commentCount).toBe(followed.size);
        break;
      }
    }
    expect(told).toEqual([...expected, `${last} The end`]);
    const fresh = server.connect().iterate<Event>({ query: FOLLOW, variables: { nodeId } });
    const snapshot = (await fresh.next()).value?.data?.commentsChanged;
    await fresh.return?.();
    expect(snapshot?.comments).toEqual([...followed.values()].slice(-200));
  });

  it('can be moved by editors, who see the move and why there is no second one, and the audit trail names both designs', async () => {
    const nodeId = await addPage();
    await post(nodeId, 'A comment');
    const refused = await server.request(MOVE, { nodeId, design: 'HYBRID' }, member);
    expect(refused.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    expect(await ask(MOVE, { nodeId, design: 'ONE_EACH' })).toEqual({
      changeCommentDesign: {
        __typename: 'CommentDesignNotPossible',
        message: 'The discussion has the design ONE_EACH already',
      },
    });
    expect(await ask(MOVE, { nodeId: toGlobalId('ContentNode', 'none'), design: 'HYBRID' })).toMatchObject({
      changeCommentDesign: { __typename: 'CommentableNotFound' },
    });
    const underWay = 'query ($nodeId: ID!) { commentMove(nodeId: $nodeId) { id from to } }';
    expect(await ask(underWay, { nodeId })).toEqual({ commentMove: null });
    await move(nodeId, 'HYBRID');
    expect(await ask(underWay, { nodeId })).toEqual({ commentMove: null });
    const node = 'query ($nodeId: ID!) { node(id: $nodeId) { ... on Page { commentDesign commentCount } } }';
    expect(await ask(node, { nodeId })).toEqual({ node: { commentDesign: 'HYBRID', commentCount: 1 } });
    const noted = await auditTrail(database.db).find({ action: 'COMMENT_DESIGN_CHANGED' }).sort({ at: -1 }).toArray();
    expect(noted[0]).toMatchObject({ subject: `/blog/~/page-${pages}`, detail: 'ONE_EACH to HYBRID' });
  });
});
