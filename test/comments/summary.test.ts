/** Summaries that a host keeps: always what everybody sees, whatever changes it. */
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { MongoClient } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { chooseSeed, makeRandom, type Random } from '../../harness/random.js';
import { defineCollection } from '../../src/database/index.js';
import { type CommentHost, type CommentSummary, SUMMARY_MAX } from '../../src/models/commentable.js';
import { commentImport, startCommentImport } from '../../src/models/comments/comment-import.js';
import { findDiscussionPage } from '../../src/models/comments/comment-list.js';
import { type Comment, type CommentDesign, commentIdOf } from '../../src/models/comments/discussion/comment.js';
import { findDiscussion, type Subject } from '../../src/models/comments/discussion/discussion.js';
import { removeDiscussion } from '../../src/models/comments/discussion-removal.js';
import { DiscussionWriter } from '../../src/models/comments/discussion-write.js';
import { moderateComments } from '../../src/models/comments/moderation.js';
import { commentMove } from '../../src/models/comments/move/comment-move.js';
import { startMove } from '../../src/models/comments/move/move-start.js';
import { deleteComment, editComment, postComment } from '../../src/models/comments/posting.js';
import { workKindWith } from '../../src/models/domain.js';
import { useDatabase } from '../support/database.js';
import { testAct } from '../support/people.js';
import { useWork } from '../system/work/work-support.js';

const database = useDatabase({ checked: false });
const { loopOf } = useWork(database);
const AT = new Date('2026-01-01T00:00:00Z');
const DESIGNS: readonly CommentDesign[] = ['ONE_EACH', 'EMBEDDED', 'HYBRID'];
const PAIRS = DESIGNS.flatMap((from) => DESIGNS.filter((to) => to !== from).map((to) => ({ from, to })));

const summaries = defineCollection<CommentSummary & { _id: string }>('test.summaries');
let calls = 0;
const subjects = new Map<string, Subject>();

const host: CommentHost = {
  type: 'Summed',
  find: async (_db, ids) => new Map(ids.flatMap((id) => (subjects.has(id) ? [[id, subjects.get(id) as Subject]] : []))),
  async *walk() {},
  summarize: async (db, session, id, summary) => {
    calls += 1;
    await summaries(db).replaceOne({ _id: id }, summary, { session, upsert: true });
  },
};
const writer = new DiscussionWriter([{ ...host, type: 'Other' }, host]);

beforeEach(() => {
  calls = 0;
});

function begin(design: CommentDesign): Subject {
  const id = `object${subjects.size}`;
  const subject: Subject = { discussion: `Summed:${id}`, policy: 'EVERYBODY', design, ownerIds: [] };
  subjects.set(id, subject);
  return subject;
}

const post = (subject: Subject, text: string, replyTo: number | null = null, isMember = true) =>
  postComment(database.db, writer, subject, {
    author: isMember ? { _id: 'ann', name: '' } : { name: 'Zoe' },
    isMember,
    text,
    replyTo: replyTo === null ? null : commentIdOf(subject.discussion, replyTo),
    now: AT,
  });

const storedOf = async ({ discussion }: Subject) => {
  const { _id: _, ...summary } = (await summaries(database.db).findOne({ _id: discussion.split(':')[1] ?? '' })) ?? {
    _id: '',
    count: 0,
    latest: [],
  };
  return summary;
};

/** Computed from the list. */
async function summaryOf({ discussion }: Subject): Promise<CommentSummary> {
  const { db } = database;
  const all: Comment[] = [];
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof findDiscussionPage>> = await findDiscussionPage(db, discussion, {
      order: 'OLDEST_FIRST',
      first: 200,
      after,
    });
    all.push(...page.edges.map(({ node }) => node));
    after = page.pageInfo.endCursor;
    if (!page.pageInfo.hasNextPage) break;
  }
  const latest = all.slice(-SUMMARY_MAX).map(({ number, path, replies, author, posted, edited, text, state }) => ({
    number,
    path,
    replies,
    author,
    posted,
    ...(edited && { edited }),
    text: state === 'HIDDEN' ? null : text,
    state: state as 'PUBLISHED',
  }));
  return { count: all.filter(({ state }) => state === 'PUBLISHED').length, latest };
}

const expectRight = async (subject: Subject) => expect(await storedOf(subject)).toEqual(await summaryOf(subject));

const KINDS = ['post', 'post', 'post', 'reply', 'reply', 'visit', 'edit', 'delete', 'hide', 'show', 'remove'] as const;
type Kind = (typeof KINDS)[number];

async function act(subject: Subject, kind: Kind, at: number, text: string): Promise<unknown> {
  const { db } = database;
  const issued = (await findDiscussion(db, subject.discussion))?.issued ?? 0;
  const number = (at % Math.max(1, issued)) + 1;
  const changer = { accountId: 'ann', isModerator: false };
  if (kind === 'reply' && issued > 0) return post(subject, text, number);
  if (kind === 'post' || kind === 'reply' || issued === 0) return post(subject, text);
  if (kind === 'visit') return post(subject, text, null, false);
  if (kind === 'edit') return editComment(db, writer, subject, { number, text, changer, now: AT });
  if (kind === 'delete') return deleteComment(db, writer, subject, { number, changer });
  const state = kind === 'hide' ? 'HIDDEN' : kind === 'show' ? 'PUBLISHED' : 'DELETED';
  const ids = [commentIdOf(subject.discussion, number)];
  return moderateComments(db, writer, testAct(), { ids, state, nameOf: () => '/page' });
}

const actAtRandom = (subject: Subject, random: Random) =>
  act(subject, random.pick(KINDS), random.below(1_000_000), `Text ${random.below(1_000_000)}`);

describe.each(DESIGNS)('the summary of a discussion in the design %s', (design) => {
  it('is what everybody sees, after each of random changes, alone and at once', async () => {
    const step = fc.array(fc.record({ kind: fc.constantFrom(...KINDS), at: fc.nat(200) }), {
      minLength: 1,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const subject = begin(design);
        for (const [round, together] of steps.entries()) {
          await Promise.all(together.map(({ kind, at }, n) => act(subject, kind, at, `Text ${round}/${n}`)));
          await expectRight(subject);
        }
      }),
      { numRuns: 12 },
    );
  });

  it('is written once for all who share a transaction, and not for what nobody sees', async () => {
    const subject = begin(design);
    await Promise.all(Array.from({ length: 60 }, (_, at) => post(subject, `Text ${at}`)));
    const turns = (await findDiscussion(database.db, subject.discussion))?.turn ?? 0;
    expect(calls).toBe(turns);
    expect(turns).toBeLessThan(5);
    expect(await storedOf(subject)).toMatchObject({ count: 60, latest: { length: SUMMARY_MAX } });
    expect(calls).toBe(turns);
    await post(subject, 'Waits', null, false);
    expect(calls).toBe(turns);
    await expectRight(subject);
  });

  it('does not have the text of a hidden comment whose replies stay', async () => {
    const subject = begin(design);
    await post(subject, 'Rude');
    await post(subject, 'Indeed', 1);
    await act(subject, 'hide', 0, '');
    expect((await storedOf(subject)).latest).toMatchObject([
      { number: 1, text: null, state: 'HIDDEN' },
      { number: 2, text: 'Indeed', state: 'PUBLISHED' },
    ]);
  });

  it('follows an import of rows, and the removal of the discussion', async () => {
    const { db } = database;
    const subject = begin(design);
    const rows = Array.from({ length: 130 }, (_, at) => ({
      id: at,
      author: 'Cleo',
      postedAt: new Date(AT.getTime() + at * 1000),
      text: `Row ${at}`,
      ...(at % 3 === 0 && at > 0 && { replyTo: at - 1 }),
    }));
    const file = rows.map((row) => JSON.stringify(row)).join('\n');
    const upload = {
      id: `import ${design}`,
      fileName: 'comments.jsonl',
      bytes: () => Readable.from([Buffer.from(file)]),
      below: subject.discussion,
      isStrict: false,
      owner: null,
    };
    await startCommentImport(db, upload, new Date());
    const kind = workKindWith(commentImport, { commentHosts: [host] });
    expect(await loopOf([kind]).run(upload.id)).toMatchObject({ state: 'FINISHED', imported: 130 });
    expect(await storedOf(subject)).toMatchObject({ count: 130 });
    await expectRight(subject);
    await removeDiscussion(db, subject.discussion, undefined, [host]);
    expect(await storedOf(subject)).toEqual({ count: 0, latest: [] });
  });
});

describe.each(PAIRS)('the summary of a discussion that is moved from $from to $to', ({ from, to }) => {
  it('is what everybody sees at any time', async () => {
    const random = makeRandom(chooseSeed(`summaries ${from} ${to}`));
    const subject = begin(from);
    await Promise.all(Array.from({ length: 310 }, (_, at) => post(subject, `Text ${at}`)));
    const outcome = await startMove(database.db, testAct(), { subject, name: '/page', to, owner: null });
    if ('__typename' in outcome) throw new Error(outcome.message);
    const rest = async () => {
      for (let n = 0; n < 5; n += 1) {
        await actAtRandom(subject, random);
        await expectRight(subject);
      }
    };
    expect(await loopOf([commentMove], { rest }).run(outcome._id)).toMatchObject({ state: 'FINISHED' });
    const before = calls;
    await expectRight(subject);
    expect(calls).toBe(before);
    await rest();
  });
});

it('costs one read, and none in the discussions of other hosts', async () => {
  const { summarize: _, ...plain } = host;
  const own = begin('HYBRID');
  const other = { ...own, discussion: 'Plain:1' };
  const both = new DiscussionWriter([{ ...plain, type: 'Plain' }, host]);
  const client = new MongoClient(database.uri, { monitorCommands: true });
  const found: string[] = [];
  client.on('commandStarted', ({ commandName, command }) => {
    if (commandName === 'find') found.push(String(command.find));
  });
  const db = client.db(database.db.databaseName);
  const posting = { author: { _id: 'ann', name: '' }, isMember: true, text: 'Text', replyTo: null, now: AT };
  for (const subject of [own, other, other]) await postComment(db, both, subject, posting);
  await client.close();
  expect(found).toEqual(['comment_pages']);
  expect(calls).toBe(1);
});
