/** What holds in the network at every moment. */
import type { ClientSession, Db } from 'mongodb';
import { inSnapshotBatches, type Visited } from '../../database/collections/snapshot-batches.js';
import { countLeft } from '../comments/discussion-removal.js';
import type { Violation } from '../domain.js';
import { type DeliveryDocument, deliveries, removalOf } from './delivery/delivery.js';
import { followerPages } from './network/follower.js';
import { type PersonDocument, people } from './network/person.js';
import { votes } from './posts/poll.js';
import { type PostDocument, posts } from './posts/post.js';
import { discussionOfPost } from './posts/post-comments.js';

type Found = Omit<Violation, 'domain'>;

/** The counts and pages of followers agree with the circles, and nobody follows somebody over a block. */
export async function* findPersonViolations(db: Db, visited: Visited): AsyncIterable<Found> {
  for await (const { documents, session } of inSnapshotBatches<PersonDocument>(db, people(db), { visited })) {
    for (const person of documents) {
      const pages = await followerPages(db).find({ user_id: person._id }, { session }).toArray();
      const followers = pages.flatMap((page) => page.followers.map(({ id }) => ({ id, page: page.number })));
      const { _id: subject, follower_count: found } = person;
      if (found !== followers.length)
        yield { invariant: 'follower_count = followers in pages', subject, expected: followers.length, found };
      yield* findStrayFollowers(db, session, person, followers);
      yield* findBlockedFollowing(person);
    }
  }
}

async function* findStrayFollowers(
  db: Db,
  session: ClientSession,
  { _id }: PersonDocument,
  followers: readonly { readonly id: string; readonly page: number }[],
): AsyncIterable<Found> {
  const entries = await people(db)
    .find(
      { _id: { $in: followers.map(({ id }) => id) } },
      { session, projection: { following: { $elemMatch: { id: _id } } } },
    )
    .toArray();
  const pageOf = new Map(entries.map((entry) => [entry._id, entry.following?.[0]?.page]));
  for (const { id, page } of followers)
    if (pageOf.get(id) !== page)
      yield {
        invariant: 'a follower has the person in a circle',
        subject: `${_id} ${id}`,
        expected: page,
        found: pageOf.get(id) ?? 0,
      };
}

function* findBlockedFollowing({ _id, following, blocked }: PersonDocument): Iterable<Found> {
  const ids = new Set(blocked.map(({ id }) => id));
  const both = following.filter(({ id, circles }) => ids.has(id) || circles.length === 0);
  if (both.length > 0)
    yield { invariant: 'nobody follows whom they have blocked', subject: _id, expected: 0, found: both.length };
}

/** The counters of polls are the numbers of votes. Deleted polls have none, and deleted posts have no comments. */
export async function* findPostViolations(db: Db, visited: Visited): AsyncIterable<Found> {
  for await (const { documents, session } of inSnapshotBatches(db, posts(db), { visited })) {
    for (const { _id, detail } of documents)
      for (const [option, { votes: found }] of (detail?.options ?? []).entries()) {
        const expected = await votes(db).countDocuments({ post_id: _id, option }, { session });
        if (expected !== found)
          yield { invariant: 'votes = documents of voters', subject: `${_id} ${option}`, expected, found };
      }
    const deleted = documents.filter(({ live }) => !live);
    if (deleted.length > 0) yield* findLeft(db, session, deleted);
  }
}

/** A courier removes votes and comments: until its delivery has ended, they may be there. */
async function* findLeft(db: Db, session: ClientSession, deleted: readonly PostDocument[]): AsyncIterable<Found> {
  const removals = deleted.map(({ _id }) => removalOf(_id));
  const open = await deliveries(db)
    .find({ _id: { $in: removals }, open: true }, { session, projection: { _id: 1 } })
    .toArray();
  const waiting = new Set(open.map(({ _id }) => _id));
  for (const { _id: subject, type } of deleted) {
    if (waiting.has(removalOf(subject))) continue;
    const found = type === 'POLL' ? await votes(db).countDocuments({ post_id: subject }, { session }) : 0;
    if (found > 0) yield { invariant: 'votes of a deleted poll', subject, expected: 0, found };
    const left = await countLeft(db, session, discussionOfPost(subject));
    if (left > 0) yield { invariant: 'comments on a deleted post', subject, expected: 0, found: left };
  }
}

/** Their pauses are ten minutes by then: a repeated failure has been going on for half an hour. */
const ATTEMPTS_MAX = 8;

/** Deliveries advance, however often they are interrupted. */
export async function* findDeliveryViolations(db: Db, visited: Visited): AsyncIterable<Found> {
  const projection = { open: 1, attempts: 1 };
  for await (const { documents } of inSnapshotBatches<DeliveryDocument>(db, deliveries(db), { projection, visited }))
    for (const { _id: subject, open, attempts: found } of documents)
      if (open && found > ATTEMPTS_MAX)
        yield { invariant: 'attempts of a delivery without a step', subject, expected: ATTEMPTS_MAX, found };
}
