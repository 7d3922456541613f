/** A reader who does not see some authors' comments: full pages without them, and a live discussion that ends when it must. */
import fc from 'fast-check';
import type { GraphQLResolveInfo } from 'graphql';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FeedEvent } from '../../src/database/index.js';
import { findDiscussionPage, findReplies } from '../../src/models/comments/comment-list.js';
import {
  type Comment,
  type CommentDesign,
  commentIdOf,
  comments,
} from '../../src/models/comments/discussion/comment.js';
import type { Subject } from '../../src/models/comments/discussion/discussion.js';
import { DiscussionWriter } from '../../src/models/comments/discussion-write.js';
import { deleteComment, postComment } from '../../src/models/comments/posting.js';
import { type Follow, guardFollow, Hub } from '../../src/realtime/index.js';
import { commentable } from '../../src/resolvers/comments/discussion.js';
import { resolvers } from '../../src/resolvers/comments/index.js';
import type { Commentables } from '../../src/resolvers/support/commentable.js';
import type { Context } from '../../src/server/context/context.js';
import { toGlobalId } from '../../src/shared/global-id.js';
import type { Connection, PageInput } from '../../src/shared/page.js';
import { counterFeed, increment, incrementFeed } from '../realtime/counters.js';
import { useDatabase } from '../support/database.js';

const database = useDatabase();
const writer = new DiscussionWriter();
const AT = new Date('2026-01-01T00:00:00Z');
const DESIGNS: readonly CommentDesign[] = ['ONE_EACH', 'EMBEDDED', 'HYBRID'];
const AUTHORS = ['ann', 'bob', 'cleo'] as const;
const ORDERS = ['OLDEST_FIRST', 'NEWEST_FIRST', 'THREADED'] as const;

let hub: Hub;
beforeAll(async () => {
  hub = await Hub.create({ db: database.db, ring: { events: 1000, bytes: 10_000_000 }, catchUpsMax: 2 });
});
afterAll(() => hub.close());

let begun = 0;
function begin(design: CommentDesign): Subject {
  begun += 1;
  return { discussion: `Toy:${begun}`, policy: 'MEMBERS', design, ownerIds: [] };
}

async function post(subject: Subject, by: string, text = 'Text', replyTo: number | null = null): Promise<Comment> {
  const posted = await postComment(database.db, writer, subject, {
    author: { _id: by, name: by },
    isMember: true,
    text,
    replyTo: replyTo === null ? null : commentIdOf(subject.discussion, replyTo),
    now: AT,
  });
  if (!('number' in posted)) throw new Error(posted.message);
  return posted;
}

type Page = Connection<{ readonly number: number; readonly author: { readonly _id?: string } }>;

/** All pages: each but the last one is full. */
async function readAll(first: number, read: (page: PageInput) => Promise<Page>): Promise<number[]> {
  const all: number[] = [];
  for (let after: string | null = null; ; ) {
    const { edges, pageInfo }: Page = await read({ first, after });
    all.push(...edges.map(({ node }) => node.number));
    if (!pageInfo.hasNextPage) return all;
    expect(edges).toHaveLength(first);
    after = pageInfo.endCursor;
  }
}

describe.each(DESIGNS)('a page without the comments of some authors, in the design %s', (design) => {
  it('is full, and all pages are the list without them', async () => {
    const { db } = database;
    const postings = fc.array(fc.record({ by: fc.nat(2), on: fc.nat(100) }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        postings,
        fc.subarray([...AUTHORS]),
        fc.integer({ min: 1, max: 9 }),
        async (all, hidden, first) => {
          const subject = begin(design);
          const numbers: number[] = [];
          for (const { by, on } of all) {
            const replyTo = numbers[on] ?? null;
            numbers.push((await post(subject, AUTHORS[by] ?? 'ann', 'Text', replyTo)).number);
          }
          const hiddenAuthors = new Set<string>(hidden);
          const { discussion } = subject;
          for (const order of ORDERS) {
            const { edges } = await findDiscussionPage(db, discussion, { order, first: 200 });
            const seen = edges.filter(({ node }) => !hiddenAuthors.has(node.author._id ?? ''));
            expect(
              await readAll(first, (page) => findDiscussionPage(db, discussion, { ...page, order, hiddenAuthors })),
            ).toEqual(seen.map(({ node }) => node.number));
            if (order !== 'THREADED') continue;
            for (const { node } of edges.slice(0, 3)) {
              const below = seen.filter((one) => one.node.path.startsWith(node.path) && one.node.path !== node.path);
              expect(await readAll(first, (page) => findReplies(db, node, { ...page, hiddenAuthors }))).toEqual(
                below.map((one) => one.node.number),
              );
            }
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it('reads so much at most, and the next page continues there', async () => {
    const { db } = database;
    const subject = begin(design);
    for (const length of [900, 200]) await Promise.all(Array.from({ length }, () => post(subject, 'bob')));
    const last = await post(subject, 'ann');
    const page = { order: 'OLDEST_FIRST', first: 1, hiddenAuthors: new Set(['bob']) } as const;
    const { edges, pageInfo } = await findDiscussionPage(db, subject.discussion, page);
    expect(edges).toEqual([]);
    expect(pageInfo).toMatchObject({ hasNextPage: true });
    const next = await findDiscussionPage(db, subject.discussion, { ...page, after: pageInfo.endCursor });
    expect(next).toMatchObject({ edges: [{ node: { number: last.number } }], pageInfo: { hasNextPage: false } });
  });
});

// ---- the API, for objects of a toy domain

const toys = new Map<string, Subject>();
/** Of the one caller. */
let hidden: ReadonlySet<string> = new Set();
const withKey = (ids: ReadonlySet<string>) => ({ has: (id: string) => ids.has(id), key: [...ids].join() });
let isVisible = true;
let lookups = 0;
let whileAsking: Promise<void> | null = null;
const commentables: Commentables = {
  find: async (context, ids) => {
    lookups += 1;
    await whileAsking;
    const found = ids.flatMap((id) => (isVisible ? (toys.get(id) ?? []) : []));
    return new Map(
      found.map((subject) => [
        subject.discussion.split(':')[1] ?? '',
        {
          subject,
          object: { __typename: 'Toy' },
          hiddenAuthors: withKey(hidden),
          guard: { follow: () => context.hub.follow(counterFeed, { id: 'relations' }) },
        },
      ]),
    );
  },
  changePolicy: async () => null,
  urlOf: async () => 'https://example.org/toy',
};
const part = resolvers.partFor?.([{ modules: [], nodes: {}, commentables: { Toy: commentables } }]);
const modules = Object.assign({}, ...(part?.modules ?? [])) as Record<string, unknown>;
const module = (name: string): Record<string, (...args: unknown[]) => Promise<unknown>> =>
  Object.assign({}, ...(part?.modules ?? []).map((one) => one[name] ?? {})) as never;
const contextOf = () =>
  ({
    db: database.db,
    hub: hub.of('reader'),
    viewer: { kind: 'person', id: 'reader', roles: ['MEMBER'], scopes: [] },
  }) as unknown as Context;
const info = {} as GraphQLResolveInfo;
const ask = <T>(field: string, args: object) => module('Query')[field]?.({}, args, contextOf(), info) as Promise<T>;

function beginToy(design: CommentDesign = 'ONE_EACH') {
  const subject = begin(design);
  const id = subject.discussion.split(':')[1] ?? '';
  toys.set(id, subject);
  return { subject, nodeId: toGlobalId('Toy', id) };
}

beforeEach(() => {
  [hidden, isVisible, lookups, whileAsking] = [new Set(), true, 0, null];
});

describe('the API', () => {
  it('leaves them out of every list and look-up, and keeps the replies of others', async () => {
    expect(modules).toBeDefined();
    const { subject, nodeId } = beginToy();
    await post(subject, 'ann', 'First');
    const unseen = await post(subject, 'bob', 'Second');
    await post(subject, 'cleo', 'Third', unseen.number);
    await post(subject, 'bob', 'Fourth', 1);
    hidden = new Set(['bob']);
    const page = await ask<Page>('discussion', { nodeId, order: 'THREADED', first: 10 });
    expect(page.edges.map(({ node }) => node.number)).toEqual([1, 3]);
    const first = page.edges[0]?.node as never;
    const replies = (await module('Comment').replies?.(first, { first: 10 }, contextOf(), info)) as Page;
    expect(replies.edges).toEqual([]);
    expect(await ask('comment', { nodeId, slug: '2' })).toBeNull();
    expect(await ask('comment', { nodeId, slug: '2/3' })).toMatchObject({ text: 'Third' });
    const node = part?.nodes.Comment;
    expect(await node?.find(contextOf(), commentIdOf(subject.discussion, 2))).toBeNull();
    expect(await node?.find(contextOf(), commentIdOf(subject.discussion, 3))).toMatchObject({ text: 'Third' });
    const fields = commentable<object>(
      () => subject,
      () => 'Toy',
      async () => hidden,
    );
    const own = await fields.discussion({}, { order: 'OLDEST_FIRST', first: 10 }, contextOf());
    expect(own.edges.map(({ node }) => node.number)).toEqual([1, 3]);
  });

  it('reads on for full pages of the comments of an author', async () => {
    const [open, closed] = [beginToy(), begin('HYBRID')]; // nobody may see the latter
    const author = 'writes everywhere';
    const seen: number[] = [];
    for (let at = 0; at < 120; at += 1) {
      const isSeen = at % 20 === 0;
      const { number } = await post(isSeen ? open.subject : closed, author);
      if (isSeen) seen.unshift(number);
    }
    const args = { authorId: toGlobalId('User', author) };
    const numbers: number[] = [];
    for (let after: string | null = null; ; ) {
      const { edges, pageInfo }: Page = await ask('commentsOfAuthor', { ...args, first: 2, after });
      numbers.push(...edges.map(({ node }) => node.number));
      if (!pageInfo.hasNextPage) break;
      expect(edges).toHaveLength(2);
      after = pageInfo.endCursor;
    }
    expect(numbers.toSorted()).toEqual(seen.toSorted());
    hidden = new Set([author]);
    expect(await ask('commentsOfAuthor', { ...args, first: 2 })).toMatchObject({ edges: [] });
  });
});

describe('the cursors of the comments of an author', () => {
  const textOf = (cursor: string | null) => Buffer.from(cursor ?? '', 'base64url').toString('latin1');
  const none = 'Toy:hidden'; // nobody may see it

  /** Comments on what the reader does not see, of which only the places are read. */
  const hide = (author: string, length: number) =>
    comments(database.db).insertMany(
      Array.from({ length }, (_, at) => ({
        _id: `${none}/${author}/${at}`,
        discussion: none,
        number: at,
        author: { _id: author, name: author },
        state: 'PUBLISHED' as const,
        posted: new Date(AT.getTime() + 1000 + at),
      })) as never,
    );

  it('tell nothing of what the reader does not see: not even that it is there', async () => {
    const { subject } = beginToy();
    const author = 'seldom seen';
    await post(subject, author);
    await hide(author, 3);
    const page = await ask<Page>('commentsOfAuthor', { authorId: toGlobalId('User', author), first: 1 });
    expect(page).toMatchObject({ edges: [{}], pageInfo: { hasNextPage: false } });
    expect(page.pageInfo.endCursor).toBe((page.edges[0] as { cursor?: string }).cursor);
    const unseen = 'never seen';
    await hide(unseen, 3);
    expect(await ask('commentsOfAuthor', { authorId: toGlobalId('User', unseen), first: 1 })).toEqual({
      edges: [],
      pageInfo: { hasNextPage: false, endCursor: null },
    });
  });

  it('tell nothing either where too many in a row are not seen, and continue there', async () => {
    const { subject } = beginToy();
    const author = 'mostly hidden';
    const { number } = await post(subject, author);
    await hide(author, 1000);
    const args = { authorId: toGlobalId('User', author), first: 1 };
    const { edges, pageInfo } = await ask<Page>('commentsOfAuthor', args);
    expect([edges, pageInfo.hasNextPage]).toEqual([[], true]);
    for (const text of [pageInfo.endCursor, textOf(pageInfo.endCursor)]) expect(text).not.toContain('hidden');
    expect(await ask('commentsOfAuthor', { ...args, after: pageInfo.endCursor })).toMatchObject({
      edges: [{ node: { number } }],
      pageInfo: { hasNextPage: false },
    });
    const damaged = `${pageInfo.endCursor?.slice(0, -4)}AAAA`;
    for (const after of [damaged, 'sealed.', 'sealed.A'])
      await expect(ask('commentsOfAuthor', { ...args, after })).rejects.toMatchObject({ code: 'BAD_CURSOR' });
    const other = { authorId: toGlobalId('User', 'somebody else'), first: 1, after: pageInfo.endCursor };
    await expect(ask('commentsOfAuthor', other)).rejects.toMatchObject({ code: 'BAD_CURSOR' });
  });
});

interface Told {
  readonly comments: readonly Comment[];
  readonly reset: boolean;
  readonly removed: readonly string[];
  readonly commentCount: number;
}

const commentsChanged = module('Subscription').commentsChanged as unknown as {
  subscribe(root: object, args: object, context: Context): Promise<Follow<unknown, unknown>>;
  resolve(event: FeedEvent<unknown, unknown>): Told;
};
async function follow(nodeId: string, after?: string) {
  const followed = await commentsChanged.subscribe({}, { nodeId, last: 10, after }, contextOf());
  const next = async () => {
    const { value, done } = await followed.next();
    if (done) throw new Error('It is over');
    const told = commentsChanged.resolve(value);
    return { ...told, cursor: value.cursor as string, texts: told.comments.map(({ text }) => text) };
  };
  return { followed, next };
}

describe.each(DESIGNS)('a live discussion in the design %s', (design) => {
  it('leaves them out, tells the count, and follows the relations of its reader', async () => {
    const { subject, nodeId } = beginToy(design);
    await post(subject, 'ann', 'First');
    await post(subject, 'bob', 'Second');
    hidden = new Set(['bob']);
    const { followed, next } = await follow(nodeId);
    const begin = await next();
    expect(begin).toMatchObject({ texts: ['First'], commentCount: 2 });
    const { number } = await post(subject, 'bob', 'Third');
    expect(await next()).toMatchObject({ texts: [], removed: [], commentCount: 3 });
    await deleteComment(database.db, writer, subject, { number, changer: { accountId: 'bob', isModerator: false } });
    expect(await next()).toMatchObject({ texts: [], removed: [], commentCount: 2 });
    hidden = new Set(['ann']);
    await increment(database.db, 'relations', 'changes');
    expect(await next()).toMatchObject({ reset: true, texts: ['Second'], commentCount: 2 });
    await post(subject, 'ann', 'Fourth');
    expect(await next()).toMatchObject({ reset: false, texts: [], commentCount: 3 });
    await post(subject, 'bob', 'Fifth');
    expect(await next()).toMatchObject({ texts: ['Fifth'], commentCount: 4 });
    await followed.return();
    hidden = new Set(['bob']);
    const resumed = await follow(nodeId, begin.cursor);
    const texts: (string | null)[] = [];
    for (let at = 0; at < 4; at += 1) texts.push(...(await resumed.next()).texts);
    expect(texts).toEqual(['Fourth']);
    await resumed.followed.return();
    hidden = new Set(); // while the client was away
    const widened = await follow(nodeId, begin.cursor);
    const all = await widened.next();
    expect(all).toMatchObject({ reset: true, texts: ['First', 'Second', 'Fourth', 'Fifth'] });
    await widened.followed.return();
    hidden = new Set(['ann']);
    const narrowed = await follow(nodeId, all.cursor);
    expect(await narrowed.next()).toMatchObject({ reset: true, texts: ['Second', 'Fifth'] });
    await narrowed.followed.return();
  });

  it('delivers nothing while it looks the object up again, and ends when that is gone', async () => {
    const { subject, nodeId } = beginToy(design);
    const { followed, next } = await follow(nodeId);
    expect(await next()).toMatchObject({ texts: [] });
    let answer = () => {};
    whileAsking = new Promise((resolve) => {
      answer = resolve;
    });
    const before = lookups;
    await increment(database.db, 'relations', 'changes');
    await post(subject, 'ann', 'First');
    const event = next();
    const outcome = await Promise.race([event, new Promise((resolve) => setTimeout(resolve, 300, 'nothing'))]);
    expect(outcome).toBe('nothing');
    expect(lookups).toBe(before + 1);
    answer();
    expect(await event).toMatchObject({ texts: ['First'] });
    isVisible = false;
    await increment(database.db, 'relations', 'changes');
    await expect(next()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(followed.ended).toBe(true);
  });
});

const AS_IT_IS = { key: '', deliver: <Event>(event: Event): Event => event };

describe('a guarded subscription', () => {
  const watch = () => hub.follow(counterFeed, { id: 'watched' });
  const open = () => hub.follow(incrementFeed, { id: 'source' });

  it('ends what it follows when it ends, from either side', async () => {
    const before = hub.health.subscribers;
    const one = await guardFollow(open, { follow: watch, ask: async () => AS_IT_IS }, hub);
    expect(hub.health.subscribers).toBe(before + 2);
    await one.return();
    expect(hub.health.subscribers).toBe(before);
    const [source, watched] = [await open(), await watch()];
    const other = await guardFollow(
      async () => source,
      {
        follow: async () => watched,
        ask: async () => AS_IT_IS,
      },
      hub,
    );
    watched.end(new Error('too much'));
    await expect(other.next()).rejects.toThrow('too much');
    expect([other.ended, source.ended]).toEqual([true, true]);
    expect(hub.health.subscribers).toBe(before);
  });

  it('follows nothing if it cannot be opened', async () => {
    const before = hub.health.subscribers;
    const failing = () => Promise.reject(new Error('not now'));
    await expect(guardFollow(failing, { follow: watch, ask: async () => AS_IT_IS }, hub)).rejects.toThrow('not now');
    expect(hub.health.subscribers).toBe(before);
  });

  it('ends with the error of its guard, also of one that is asked once', async () => {
    const ask = () => Promise.reject(new Error('gone'));
    const guarded = await guardFollow(open, { ask }, hub);
    await expect(guarded.next()).rejects.toThrow('gone');
    const broken = await guardFollow(
      open,
      {
        ask: async () => ({
          key: '',
          deliver: () => {
            throw new Error('broken');
          },
        }),
      },
      hub,
    );
    await expect(broken.next()).rejects.toThrow('broken');
  });

  it('delivers each event once, in order, while it is asked again and again', async () => {
    const guarded = await guardFollow(open, { follow: watch, ask: async () => AS_IT_IS }, hub);
    await guarded.next();
    const got: unknown[] = [];
    const reading = (async () => {
      while (got.length < 60) got.push((await guarded.next()).value);
    })();
    for (let at = 0; at < 60; at += 1) {
      await increment(database.db, 'source', `n${at}`);
      if (at % 3 === 0) await increment(database.db, 'watched', 'x');
    }
    await reading;
    const names = got.map((event) => JSON.stringify((event as { change: unknown }).change).match(/n\d+/)?.[0]);
    expect(names).toEqual(Array.from({ length: 60 }, (_, at) => `n${at}`));
    await guarded.return();
  });

  it('asks first, if the same batch of changes has an event and then one of its guard', async () => {
    const consumers: { take(event: unknown): boolean }[] = [];
    const fake = (): Follow<unknown, unknown> =>
      ({
        attach: (consumer: { take(event: unknown): boolean }) => consumers.push(consumer),
        resume: () => undefined,
        end: () => undefined,
      }) as never;
    let isGone = false;
    const guarded = await guardFollow(
      async () => fake(),
      {
        follow: async () => fake(),
        ask: async () => {
          if (isGone) throw new Error('gone');
          return AS_IT_IS;
        },
      },
      { sealed: () => '' },
    );
    const [watched, source] = consumers;
    watched?.take('now');
    source?.take('one');
    expect((await guarded.next()).value).toBe('one');
    const next = guarded.next();
    isGone = true;
    source?.take('two');
    watched?.take('changed');
    await expect(next).rejects.toThrow('gone');
  });

  it('gives a consumer events as it takes them', async () => {
    const guarded = await guardFollow(open, { follow: watch, ask: async () => AS_IT_IS }, hub);
    const taken: unknown[] = [];
    let ended = false;
    guarded.attach({
      take: (event) => {
        taken.push(event);
        return false;
      },
      end: () => {
        ended = true;
      },
    });
    const waitFor = (count: number) => expect.poll(() => taken.length, { timeout: 5000 }).toBe(count);
    await waitFor(1);
    for (let at = 0; at < 3; at += 1) await increment(database.db, 'source', 'more');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(taken).toHaveLength(1);
    for (const count of [2, 3, 4]) {
      guarded.resume();
      await waitFor(count);
    }
    guarded.end();
    expect(ended).toBe(true);
  });
});
