/** Discussions of any length, in the form in which the model stores them. Deterministic for a given length. */
import { isDeepStrictEqual } from 'node:util';
import type { Db } from 'mongodb';
import { makeRandom, type Random } from '../../harness/random.js';
import { commitConcernOf, inTransaction } from '../../src/database/index.js';
import { commentPages } from '../../src/models/comments/designs/comment-page.js';
import { designs } from '../../src/models/comments/designs/index.js';
import {
  type Comment,
  type CommentDesign,
  commentIdOf,
  comments,
  DEPTH_MAX,
  depthOf,
  parentOf,
  pathOf,
} from '../../src/models/comments/discussion/comment.js';
import { type Discussion, discussions, type Subject } from '../../src/models/comments/discussion/discussion.js';
import { DiscussionWriter } from '../../src/models/comments/discussion-write.js';
import { postComment } from '../../src/models/comments/posting.js';
import { MINUTE_MS } from '../../src/shared/time.js';

const BEGIN = Date.parse('2026-01-01T00:00:00Z');
const AUTHORS = 40;
/** Each tells the one before. */
const SENTENCE = 'The tide went out at noon, and the instruments stayed where they were until somebody read them. ';
const TEXT = SENTENCE.repeat(20);
const TEXT_MIN = 50;
const TEXT_MAX = 1500;
/** Replies go to one of so many latest comments of their thread. */
const RECENT = 30;
/** Comments that one transaction writes. */
const BATCH = 1000;

/** Who wrote a quarter of all comments of a discussion. */
export const regularOf = (discussion: string): string => `regular-of-${discussion}`;

export const subjectOf = (discussion: string, design: CommentDesign): Subject => ({
  discussion,
  design,
  policy: 'MEMBERS',
  ownerIds: [],
});

/**
 * A quarter of the comments begin a thread, a quarter are below the first comment, and the others reply to recent ones. Three in four
 * texts have less than 700 characters: otherwise 2,000 of them would not fit into EMBEDDED.
 */
export function makeComments(discussion: string, size: number): Comment[] {
  const random = makeRandom(size);
  const all: Comment[] = [];
  const [first, others]: [number[], number[]] = [[], []];
  for (let number = 1; number <= size; number += 1) {
    const thread = number === 1 || random.below(4) === 0 ? first : others;
    const begins = thread === others && random.below(3) === 0;
    const parent = begins ? undefined : pickParent(all, thread, random);
    all.push(makeComment(discussion, number, parent, random));
    thread.push(number);
    if (thread.length > RECENT) thread.shift();
    // As if each had been posted by a transaction of its own.
    if (parent) Object.assign(parent, { replies: parent.replies + 1, children: parent.children + 1 });
    if (parent) Object.assign(parent, { revision: number, count: number });
  }
  return all;
}

function pickParent(all: readonly Comment[], thread: readonly number[], random: Random): Comment | undefined {
  const parent = all[(thread[random.below(thread.length)] ?? 0) - 1];
  return parent && depthOf(parent.path) < DEPTH_MAX - 1 ? parent : all[0];
}

function makeComment(discussion: string, number: number, parent: Comment | undefined, random: Random): Comment {
  const length = TEXT_MIN + Math.floor((TEXT_MAX - TEXT_MIN) * (random.below(1000) / 1000) ** 3);
  const author = random.below(4) === 0 ? regularOf(discussion) : `author-${random.below(AUTHORS)}`;
  return {
    discussion,
    number,
    path: pathOf(number, parent?.path),
    author: { _id: author, name: '' },
    posted: new Date(BEGIN + number * MINUTE_MS),
    text: TEXT.slice(0, length).trim(),
    state: 'PUBLISHED',
    shown: true,
    was_shown: true,
    replies: 0,
    children: 0,
    revision: number,
    count: number,
  };
}

/** Stores a discussion by the functions of its design, a thousand comments at once. */
export async function fillDiscussion(db: Db, discussion: string, design: CommentDesign, size: number): Promise<void> {
  const all = makeComments(discussion, size);
  const stored: Discussion = {
    _id: discussion,
    design,
    generation: 1,
    turn: size,
    issued: size,
    count: size,
    bytes: all.reduce((sum, { text }) => sum + Buffer.byteLength(text ?? ''), 0),
    last_posted: all.at(-1)?.posted ?? new Date(0),
  };
  await discussions(db).insertOne({ ...stored, ...(design === 'EMBEDDED' && { comments: [] }) });
  for (let start = 0; start < size; start += BATCH)
    await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
      const some = all.slice(start, start + BATCH);
      Object.assign(stored, await designs[design].write(db, session, stored, some, []));
    });
  if (stored.page) await discussions(db).updateOne({ _id: discussion }, { $set: { page: stored.page } });
}

/** Checks that a filled discussion equals one whose comments were posted one after the other. @throws Error it does not */
export async function requireAsPosted(db: Db, design: CommentDesign, size: number): Promise<void> {
  const [filled, posted] = [`Test:filled-${design}`, `Test:posted-${design}`];
  await fillDiscussion(db, filled, design, size);
  for (const comment of makeComments(posted, size)) {
    const parent = parentOf(comment.path);
    await postComment(db, new DiscussionWriter(), subjectOf(posted, design), {
      author: { _id: comment.author._id ?? '', name: '' },
      isMember: true,
      text: comment.text ?? '',
      replyTo: parent === null ? null : commentIdOf(posted, parent),
      now: comment.posted,
    });
  }
  const [one, other] = [await storedIn(db, filled), await storedIn(db, posted)];
  if (!isDeepStrictEqual(one, other)) throw new Error(`${design} is not filled as the model writes it`);
}

/** All documents of a discussion, without its id. */
async function storedIn(db: Db, discussion: string): Promise<unknown> {
  const found = [
    await discussions(db).find({ _id: discussion }).toArray(),
    await commentPages(db).find({ discussion }).sort({ page: 1 }).toArray(),
    await comments(db).find({ discussion }).sort({ number: 1 }).toArray(),
  ];
  return JSON.parse(JSON.stringify(found).replaceAll(discussion, ''));
}
