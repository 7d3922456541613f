/** One suite for all storage designs: each gives the answers of a plain array. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCommentBySlug, findDiscussionPage, findReplies } from '../../src/models/comments/comment-list.js';
import { findCommentsOfAuthor } from '../../src/models/comments/comments-of-author.js';
import {
  type Comment,
  type CommentDesign,
  type CommentOrder,
  commentIdOf,
  slugOf,
} from '../../src/models/comments/discussion/comment.js';
import { discussions, findDiscussion, type Subject } from '../../src/models/comments/discussion/discussion.js';
import { DiscussionWriter } from '../../src/models/comments/discussion-write.js';
import { deleteComment, editComment, postComment } from '../../src/models/comments/posting.js';
import type { Connection } from '../../src/shared/page.js';
import { useDatabase } from '../support/database.js';
import { Truth, viewOf } from './truth.js';

const designs: readonly CommentDesign[] = ['ONE_EACH', 'EMBEDDED', 'HYBRID'];
const ACCOUNTS = ['ann', 'bob'] as const;
const AT = new Date('2026-01-01T00:00:00Z');

const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('post' as const), by: fc.nat(1), on: fc.nat(200) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('edit' as const), by: fc.nat(1), on: fc.nat(200) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), by: fc.nat(1), on: fc.nat(200) }) },
);

describe.each(designs)('a discussion in the design %s', (design) => {
  const database = useDatabase();
  const writer = new DiscussionWriter();
  let begun = 0;
  const begin = (): Subject => {
    begun += 1;
    return { discussion: `Test:${design}${begun}`, policy: 'MEMBERS', design, ownerIds: [] };
  };
  const post = (subject: Subject, by: string, text: string, replyTo: string | null = null, call?: string) =>
    postComment(database.db, writer, subject, {
      author: { _id: by, name: '' },
      isMember: true,
      text,
      replyTo,
      call,
      now: AT,
    });

  async function readAll(read: (after: string | null) => ReturnType<typeof findReplies>): Promise<object[]> {
    const all: object[] = [];
    for (let after: string | null = null; ; ) {
      const { edges, pageInfo }: Awaited<ReturnType<typeof findReplies>> = await read(after);
      all.push(...edges.map(({ node }) => viewOf(node)));
      if (!pageInfo.hasNextPage) return all;
      after = pageInfo.endCursor;
    }
  }

  it('equals an array after random posts, replies, edits and deletions, in every order and page by page', async () => {
    const { db } = database;
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 30 }), fc.integer({ min: 1, max: 7 }), async (actions, first) => {
        const truth = new Truth();
        const subject = begin();
        for (const [at, { kind, by, on }] of actions.entries()) {
          const author = ACCOUNTS[by] ?? 'ann';
          const target = truth.all[on % (truth.all.length + 1)] ?? null;
          const id = target && commentIdOf(subject.discussion, target.number);
          const changer = { accountId: author, isModerator: false };
          if (kind === 'post') {
            const outcome = await post(subject, author, `Text ${at}`, id);
            if (target && target.state !== 'PUBLISHED')
              expect(outcome).toMatchObject({ __typename: 'CommentNotFound' });
            else if (target && target.path.length === 20)
              expect(outcome).toMatchObject({ __typename: 'ThreadTooDeep' });
            else {
              expect(outcome).toMatchObject({ number: truth.all.length + 1 });
              truth.post(author, `Text ${at}`, target);
            }
          } else if (target) {
            const { number } = target;
            const allowed = target.author === author;
            if (kind === 'edit') {
              const outcome = await editComment(db, writer, subject, { number, text: `New ${at}`, changer, now: AT });
              if (!allowed || target.state === 'DELETED')
                expect(outcome).toMatchObject({ __typename: 'CommentNotFound' });
              else target.text = `New ${at}`;
            } else {
              const outcome = await deleteComment(db, writer, subject, { number, changer });
              if (!allowed) expect(outcome).toMatchObject({ __typename: 'CommentNotFound' });
              else Object.assign(target, { text: null, state: 'DELETED' });
            }
          }
        }
        for (const order of ['OLDEST_FIRST', 'NEWEST_FIRST', 'THREADED'] as const)
          expect(await readAll((after) => findDiscussionPage(db, subject.discussion, { order, first, after }))).toEqual(
            truth.list(order).map((comment) => truth.view(comment)),
          );
        for (const comment of truth.all) {
          const slug = slugOf(comment.path.map((number) => number.toString(36).padStart(6, '0')).join(''));
          const found = await findCommentBySlug(db, subject.discussion, slug);
          expect(found && viewOf(found)).toEqual(truth.view(comment));
          if (found)
            expect(await readAll((after) => findReplies(db, found, { first, after }))).toEqual(
              truth.list('THREADED', comment).map((reply) => truth.view(reply)),
            );
        }
        const count = truth.all.filter(({ state }) => state === 'PUBLISHED').length;
        expect((await findDiscussion(db, subject.discussion))?.count ?? 0).toBe(count);
      }),
      { numRuns: 25 },
    );
  });

  it('keeps every comment of many writers at once, on pages that are full but for the last', async () => {
    const { db } = database;
    const subject = begin();
    const others = new DiscussionWriter(); // another process
    const posted = await Promise.all(
      Array.from({ length: 260 }, (_, at) =>
        postComment(db, at % 2 === 0 ? writer : others, subject, {
          author: { _id: `crowd ${design}`, name: '' },
          isMember: true,
          text: `Text ${at}`,
          replyTo: null,
          now: AT,
        }),
      ),
    );
    const numbers = posted.map((outcome) => ('number' in outcome ? outcome.number : 0));
    expect(numbers.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 260 }, (_, at) => at + 1));
    const listed = await readAll((after) =>
      findDiscussionPage(db, subject.discussion, { order: 'OLDEST_FIRST', first: 200, after }),
    );
    expect(listed).toHaveLength(260);
    expect(await findDiscussion(db, subject.discussion)).toMatchObject({ count: 260, issued: 260 });
    const own: number[] = [];
    for (let after: string | null = null; ; ) {
      const page: Connection<Comment> = await findCommentsOfAuthor(
        db,
        `crowd ${design}`,
        { first: 100, after },
        async (some) => some,
      );
      own.push(...page.edges.map(({ node }) => node.number));
      after = page.pageInfo.endCursor;
      if (!page.pageInfo.hasNextPage) break;
    }
    expect(own.toSorted((one, other) => one - other)).toEqual(numbers.toSorted((one, other) => one - other));
  });

  it('lets another process take its turns beside 64 writers that never pause', async () => {
    const subject = begin();
    const others = new DiscussionWriter();
    let edits = 0;
    let isDone = false;
    const crowd = Array.from({ length: 64 }, async (_, at) => {
      const accountId = `crowd ${at}`;
      const { number } = (await post(subject, accountId, 'Text')) as Comment;
      for (let turn = 0; !isDone; turn += 1) {
        const changer = { accountId, isModerator: false };
        await editComment(database.db, writer, subject, { number, text: `Text ${turn}`, changer, now: AT });
        edits += 1;
      }
    });
    const numbers: number[] = [];
    // Until both have had several turns. Chance decides how they alternate; without turns for some four seconds, either is refused.
    while (numbers.length < 10 || edits < 64) {
      const outcome = await postComment(database.db, others, subject, {
        author: { _id: 'another process', name: '' },
        isMember: true,
        text: `Text ${numbers.length}`,
        replyTo: null,
        now: AT,
      });
      numbers.push((outcome as Comment).number);
    }
    isDone = true;
    await Promise.all(crowd);
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(await findDiscussion(database.db, subject.discussion)).toMatchObject({ issued: 64 + numbers.length });
  });

  it('posts once for a keyed call that is retried', async () => {
    const subject = begin();
    const [one, other] = [
      await post(subject, 'ann', 'Once', null, `call ${design}`),
      await post(subject, 'ann', 'Once', null, `call ${design}`),
    ];
    expect(other).toMatchObject({ number: (one as Comment).number, text: 'Once' });
    expect(await findDiscussion(database.db, subject.discussion)).toMatchObject({ count: 1 });
  });

  it('posts once for a keyed call that comes twice at the same time, among others', async () => {
    const subject = begin();
    const posted = await Promise.all([
      post(subject, 'ann', 'First'), // the others wait for it, and share the next transaction
      ...[1, 2].map(() => post(subject, 'ann', 'Once', null, `double call ${design}`)),
      post(subject, 'ann', 'Another', null, `other call ${design}`),
    ]);
    expect(posted.map((outcome) => 'number' in outcome && outcome.number)).toEqual([1, 2, 2, 3]);
    expect(await findDiscussion(database.db, subject.discussion)).toMatchObject({ turn: 2, count: 3 });
  });

  it('takes threads of 20 levels, and says where a deeper reply can go', async () => {
    const subject = begin();
    let id: string | null = null;
    for (let depth = 0; depth < 20; depth += 1) {
      const { number } = (await post(subject, 'ann', `At ${depth}`, id)) as Comment;
      id = commentIdOf(subject.discussion, number);
    }
    expect(await post(subject, 'ann', 'Too deep', id)).toMatchObject({
      __typename: 'ThreadTooDeep',
      replyTo: commentIdOf(subject.discussion, 19),
    });
    expect(await findDiscussion(database.db, subject.discussion)).toMatchObject({ issued: 20 });
  });
});

describe('a discussion in the design EMBEDDED that is full', () => {
  const database = useDatabase();
  const writer = new DiscussionWriter();
  const subjectOf = (name: string): Subject => ({
    discussion: `Test:${name}`,
    policy: 'MEMBERS',
    design: 'EMBEDDED',
    ownerIds: [],
  });
  const post = (subject: Subject, text: string) =>
    postComment(database.db, writer, subject, {
      author: { _id: 'ann', name: '' },
      isMember: true,
      text,
      replyTo: null,
      now: AT,
    });
  const stored = ({ discussion }: Subject) => discussions(database.db).findOne({ _id: discussion });

  it('refuses the 2,001st comment, and changes nothing', async () => {
    const subject = subjectOf('many');
    for (let round = 0; round < 4; round += 1)
      await Promise.all(Array.from({ length: 500 }, (_, at) => post(subject, `Text ${at}`)));
    const before = await stored(subject);
    expect(before).toMatchObject({ count: 2000, issued: 2000 });
    expect(await post(subject, 'One more')).toMatchObject({ __typename: 'DiscussionFull', commentCount: 2000 });
    expect(await stored(subject)).toEqual({ ...before, turn: (before?.turn ?? 0) + 1 });
  });

  it('refuses a text beyond a megabyte, also as an edit, and takes a shorter one', async () => {
    const subject = subjectOf('long');
    const text = 'é'.repeat(10_000); // 20,000 bytes
    const posted = await Promise.all(Array.from({ length: 52 }, () => post(subject, text)));
    expect(posted.filter((outcome) => 'number' in outcome)).toHaveLength(52);
    expect(await post(subject, text)).toMatchObject({ __typename: 'DiscussionFull', commentCount: 52 });
    const changer = { accountId: 'ann', isModerator: false };
    const edit = (number: number, changed: string) =>
      editComment(database.db, writer, subject, { number, text: changed, changer, now: AT });
    expect(await post(subject, 'x'.repeat(1024 * 1024 - 52 * 20_000))).toMatchObject({ number: 53 });
    const before = await stored(subject);
    expect(before).toMatchObject({ bytes: 1024 * 1024, issued: 53 });
    expect(await edit(53, 'x'.repeat(9000))).toMatchObject({ __typename: 'DiscussionFull' });
    expect(await stored(subject)).toEqual({ ...before, turn: (before?.turn ?? 0) + 1 });
    expect(await edit(1, 'Short')).toMatchObject({ text: 'Short' });
    expect(await edit(53, 'x'.repeat(9000))).toMatchObject({ number: 53 });
  });
});

describe('a discussion in the design HYBRID that is too long for threads', () => {
  const database = useDatabase();

  it('says so, and shows itself by time', async () => {
    const { db } = database;
    const subject: Subject = { discussion: 'Test:endless', policy: 'MEMBERS', design: 'HYBRID', ownerIds: [] };
    const author = { _id: 'ann', name: '' };
    const post = { author, isMember: true, text: 'Text', replyTo: null, now: AT };
    await postComment(db, new DiscussionWriter(), subject, post);
    await discussions(db).updateOne({ _id: subject.discussion }, { $set: { issued: 5000 } });
    await postComment(db, new DiscussionWriter(), subject, post);
    const read = (order: CommentOrder) => findDiscussionPage(db, subject.discussion, { order, first: 10, after: null });
    await expect(read('THREADED')).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('up to 5000 comments: an editor can move it to ONE_EACH'),
    });
    const { edges } = await read('NEWEST_FIRST');
    expect(edges.map(({ node }) => node.number)).toEqual([5001, 1]);
  });
});
