/** The advice on designs: which one it prefers, and that its costs are those that the database has. */
import { BSON, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { findDiscussionPage } from '../../src/models/comments/comment-list.js';
import { commentPages } from '../../src/models/comments/designs/comment-page.js';
import { type CommentDesign, commentIdOf, comments } from '../../src/models/comments/discussion/comment.js';
import { discussions, existing, type Subject } from '../../src/models/comments/discussion/discussion.js';
import { DiscussionWriter } from '../../src/models/comments/discussion-write.js';
import { adviseOnDesign } from '../../src/models/comments/move/design-advice.js';
import { postComment } from '../../src/models/comments/posting.js';
import { DAY_MS } from '../../src/shared/time.js';
import { useDatabase } from '../support/database.js';

const database = useDatabase();
const writer = new DiscussionWriter();
const AT = new Date('2026-01-01T00:00:00Z');
const LATER = new Date(AT.getTime() + 31 * DAY_MS);
const ALL: readonly CommentDesign[] = ['ONE_EACH', 'EMBEDDED', 'HYBRID'];

let begun = 0;
/** Comments of different lengths. @param replying the share that replies to the first comment */
async function discuss(
  design: CommentDesign,
  count: number,
  replying = 0,
  given: Partial<Subject> = {},
): Promise<Subject> {
  begun += 1;
  const subject: Subject = { discussion: `Test:advice${begun}`, policy: 'MEMBERS', design, ownerIds: [], ...given };
  const post = (at: number) =>
    postComment(database.db, writer, subject, {
      author: { _id: 'ann', name: '' },
      isMember: true,
      text: `Comment ${at} `.repeat(1 + (at % 30)),
      replyTo: at > 0 && at % 100 < replying * 100 ? `${subject.discussion}/1` : null,
      now: AT,
    });
  if (count > 0) await post(0);
  await Promise.all(Array.from({ length: Math.max(0, count - 1) }, (_, at) => post(at + 1)));
  return subject;
}

const adviceOn = async (subject: Subject, now = AT) =>
  Object.fromEntries((await adviseOnDesign(database.db, subject, now)).map((one) => [one.design, one]));

async function recommendedFor(subject: Subject, now = AT): Promise<CommentDesign[]> {
  const advice = await adviseOnDesign(database.db, subject, now);
  return advice.filter(({ isRecommended }) => isRecommended).map(({ design }) => design);
}

describe('the recommended design', () => {
  it('is ONE_EACH as long as nobody has commented, and then every design is free', async () => {
    const subject = await discuss('ONE_EACH', 0);
    expect(await recommendedFor(subject)).toEqual(['ONE_EACH']);
    for (const one of await adviseOnDesign(database.db, subject, AT))
      expect(one).toMatchObject({ isPossible: true, documents: 0, bytesWrittenForAComment: 0 });
  });

  it('is EMBEDDED for a short discussion that has become quiet, but ONE_EACH while people comment', async () => {
    const subject = await discuss('ONE_EACH', 20, 0.5);
    expect(await recommendedFor(subject)).toEqual(['ONE_EACH']);
    expect(await recommendedFor(subject, LATER)).toEqual(['EMBEDDED']);
  });

  it('is never one that the object cannot have', async () => {
    const subject = await discuss('HYBRID', 20, 0, { designs: ['ONE_EACH', 'HYBRID'] });
    expect(await recommendedFor(subject, LATER)).toEqual(['ONE_EACH']);
    const { EMBEDDED } = await adviceOn(subject, LATER);
    expect(EMBEDDED).toMatchObject({ isPossible: false, note: expect.stringContaining('ONE_EACH, HYBRID') });
  });

  it('is HYBRID for a long discussion with hardly any replies, and ONE_EACH for one in threads', async () => {
    expect(await recommendedFor(await discuss('EMBEDDED', 600, 0.02))).toEqual(['HYBRID']);
    expect(await recommendedFor(await discuss('EMBEDDED', 600, 0.5))).toEqual(['ONE_EACH']);
  });

  it('is ONE_EACH for a discussion beyond what the others hold', async () => {
    const subject = await discuss('ONE_EACH', 30);
    await discussions(database.db).updateOne({ _id: subject.discussion }, { $set: { issued: 6000 } });
    expect(await recommendedFor(subject)).toEqual(['ONE_EACH']);
    const { EMBEDDED, HYBRID } = await adviceOn(subject);
    expect(EMBEDDED).toMatchObject({ isPossible: false, note: expect.stringContaining('at most 2000') });
    expect(HYBRID).toMatchObject({ isPossible: false, note: expect.stringContaining('at most 5000') });
    // One that has grown in it keeps it.
    await discussions(database.db).updateOne(
      { _id: subject.discussion },
      { $set: { design: 'HYBRID', page: { number: 60, count: 100 } } },
    );
    expect((await adviceOn(subject)).HYBRID).toMatchObject({
      isPossible: true,
      note: expect.stringContaining('by time'),
    });
  });
});

describe.each(ALL.flatMap((from) => [0, 0.5].map((replying) => ({ from, replying }))))(
  'for 250 comments in $from of which $replying reply, the advice',
  ({ from, replying }) => {
    it('has the documents and bytes that each design has, and what a page reads and a comment writes', async () => {
      const advice = await adviceOn(await discuss(from, 250, replying));
      for (const design of ALL) {
        const subject = await discuss(design, 250, replying);
        const [of, { documents, bytes }] = [advice[design], await storedFor(subject)];
        const order = replying > 0 ? 'THREADED' : 'OLDEST_FIRST';
        const read = await documentsReadBy(() =>
          findDiscussionPage(database.db, subject.discussion, { order, first: 50 }),
        );
        expect({ design, documents: of?.documents, read: of?.documentsReadForAPage }).toEqual({
          design,
          documents,
          read,
        });
        expect(Math.abs((of?.bytes ?? 0) / bytes - 1)).toBeLessThan(0.03);
        expect(Math.abs((of?.bytesWrittenForAComment ?? 0) / (await bytesWrittenFor(subject)) - 1)).toBeLessThan(0.1);
      }
    });
  },
);

async function storedFor({ discussion }: Subject): Promise<{ documents: number; bytes: number }> {
  const size = [{ $group: { _id: null, documents: { $sum: 1 }, bytes: { $sum: { $bsonSize: '$$ROOT' } } } }];
  const total = { documents: 0, bytes: 0 };
  for (const found of [
    discussions(database.db).aggregate<Document>([{ $match: { _id: discussion } }, ...size]),
    comments(database.db).aggregate<Document>([{ $match: { discussion } }, ...size]),
    commentPages(database.db).aggregate<Document>([{ $match: { discussion } }, ...size]),
  ]) {
    const { documents, bytes } = (await found.next()) ?? { documents: 0, bytes: 0 };
    total.documents += documents;
    total.bytes += bytes;
  }
  return total;
}

/** The documents that a comment of the usual length creates and changes. */
async function bytesWrittenFor({ discussion }: Subject): Promise<number> {
  const { db } = database;
  const stored = await discussions(db).findOne({ _id: discussion });
  const text = 'x'.repeat(Math.round((stored?.bytes ?? 0) / (stored?.issued ?? 1)));
  const author = { _id: 'ann', name: '' };
  const posted = await postComment(
    db,
    writer,
    { ...existing(discussion), policy: 'MEMBERS' },
    { author, isMember: true, text, replyTo: null, now: AT },
  );
  expect(posted).toMatchObject({ number: 251 });
  const written = [
    await discussions(db).findOne({ _id: discussion }),
    await comments(db).findOne({ _id: commentIdOf(discussion, 251) }),
    await commentPages(db).findOne({ discussion, last: 251 }),
  ];
  return written.reduce((sum, document) => sum + (document ? BSON.calculateObjectSize(document) : 0), 0);
}

/** As the profiler of the database counts them. */
async function documentsReadBy(work: () => Promise<unknown>): Promise<number> {
  const { db } = database;
  await db.command({ profile: 2 });
  await work();
  await db.command({ profile: 0 });
  const entries = await db.collection('system.profile').find().toArray();
  await db.collection('system.profile').drop();
  return entries.reduce((sum, { docsExamined }) => sum + (docsExamined ?? 0), 0);
}
