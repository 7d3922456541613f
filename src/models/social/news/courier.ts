/**
 * Carries out deliveries, one step of one delivery after the other, the one that has waited longest first: a post with ten thousand
 * readers takes ten steps, and between any two of them others have their turn. Imported posts have every tenth step, and all when no other
 * is due. Every process has a courier. A step is taken under a lease; its result is recorded with the fencing token, so of two couriers only the later one
 * advances.
 *
 * What the earlier one writes besides must do no harm, however late it comes. References that are added grant nothing, and whoever adds
 * some looks again afterwards whether they still belong there. Removed are only references to deleted posts, which stay deleted, and
 * what a comparison removes in the transaction that records its step (`comparison.ts`).
 *
 * A delivery that fails, or kills its courier, stays open, and is tried again after pauses that double up to ten minutes.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Db, Filter } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { removeDiscussion } from '../../comments/discussion-removal.js';
import {
  type DeliveryDocument,
  deliveries,
  deliverPairs,
  deliverRemoval,
  type PostDelivery,
  PRIORITY,
} from '../delivery/delivery.js';
import { findPerson } from '../network/person.js';
import { forgetGone, forgetPost } from '../posts/about.js';
import { votes } from '../posts/poll.js';
import { findPost } from '../posts/post.js';
import { discussionOfPost } from '../posts/post-comments.js';
import { compareNext } from './comparison.js';
import { countReaders, findNextReaders } from './fan-out.js';
import { addReferences, findHolders, removePost } from './news-page.js';

const LEASE_MS = 10_000;
/** After an attempt without a step, the lease is twice as long: it is the pause before the next one, too. */
const LEASE_MAX_MS = 600_000;
const LEASE_GROWTH = 2;
const DOUBLINGS_MAX = 10; // keeps the power small
const FAILURE = 'It could not be written into the news. It is tried again, with growing pauses';
const UNTIL_NOTICED_MS = 500;
const REFERENCES_AT_ONCE = 25;
/** So many steps have one in which what was imported comes first: however much members do, an import ends. */
const IMPORT_TURN = 10;
/**
 * The rest after so many, as a share of the time they took, of a courier that keeps up. With as much rest as work, others waited up to
 * twice as long as without.
 */
const REST_SHARE = 2;
const REST_MAX_MS = 100;
/** A courier that is so late with a delivery does not rest: more is posted than it could ever deliver. */
const LATE_MS = 30_000;

/** What a step has done. */
interface Step {
  readonly position: object | null;
  readonly done: number;
  readonly total?: number;
  /** Before the next step. */
  readonly waitMs?: number;
}

const rethrow = (error: unknown): void => {
  throw error;
};

/**
 * Carries out what is due.
 * @param isStopped asked after each step @param onFault told of each step that fails; the others go on
 * @returns how many steps it took
 */
export async function carryOut(
  db: Db,
  isStopped: () => boolean = () => false,
  onFault: (error: unknown) => void = rethrow,
): Promise<number> {
  for (let steps = 0; ; steps += 1) {
    if (isStopped()) return steps;
    const taken = await takeDue(db, (steps + 1) % IMPORT_TURN === 0);
    if (!taken) return steps;
    failpoint('social.delivery-taken');
    try {
      await takeStep(db, taken.delivery, restShare(taken.delivery, taken.lateMs));
    } catch (error) {
      await noteFailure(db, taken.delivery);
      onFault(error);
    }
  }
}

/** What was imported waits for members, so it is late as a rule, and in no hurry. */
export const restShare = ({ priority }: Pick<DeliveryDocument, 'priority'>, lateMs: number): number =>
  priority === PRIORITY.IMPORTED ? REST_SHARE : REST_SHARE * Math.max(0, 1 - lateMs / LATE_MS);

/** The end of its lease is when it is tried again. @throws if the database is away, which ends the round */
async function noteFailure(db: Db, { _id, token }: DeliveryDocument): Promise<void> {
  await deliveries(db).updateOne(
    { _id, token }, // guard: no later courier
    { $set: { state: 'WAITING', failure: FAILURE } },
  );
}

/** Whether nothing is on its way. */
export const isQueueEmpty = async (db: Db): Promise<boolean> =>
  (await deliveries(db).findOne({ open: true }, { projection: { _id: 1 } })) === null;

interface Taken {
  readonly delivery: DeliveryDocument;
  /** How long its step has been due, by the database's clock. */
  readonly lateMs: number;
}

/** Takes the lease of the one that has been due longest, of members before what was imported, or the other way around. */
export async function takeDue(db: Db, isImportTurn: boolean): Promise<Taken | null> {
  const isDue = { open: true as const, $expr: { $lte: ['$due', '$$NOW'] } };
  const imported = { ...isDue, priority: PRIORITY.IMPORTED };
  const find = (filter: Filter<DeliveryDocument>) =>
    deliveries(db).findOne<Pick<DeliveryDocument, '_id'> & Pick<Taken, 'lateMs'>>(filter, {
      sort: { priority: 1, due: 1 },
      projection: { _id: 1, lateMs: { $subtract: ['$$NOW', '$due'] } },
    });
  for (;;) {
    const next = (isImportTurn ? await find(imported) : null) ?? (await find(isDue));
    if (!next) return null;
    failpoint('social.delivery-due');
    const delivery = await takeLease(db, { ...isDue, _id: next._id });
    if (delivery) return { delivery, lateMs: next.lateMs }; // otherwise another courier was quicker
  }
}

function takeLease(db: Db, filter: Filter<DeliveryDocument>): Promise<DeliveryDocument | null> {
  const doublings = { $pow: [LEASE_GROWTH, { $min: [DOUBLINGS_MAX, '$attempts'] }] };
  return deliveries(db).findOneAndUpdate(
    filter, // guard: nobody else has its lease, by the database's clock
    [
      {
        $set: {
          due: { $add: ['$$NOW', { $min: [LEASE_MAX_MS, { $multiply: [LEASE_MS, doublings] }] }] },
          token: { $add: ['$token', 1] },
          attempts: { $add: ['$attempts', 1] },
          state: 'RUNNING',
          started: { $ifNull: ['$started', '$$NOW'] },
        },
      },
    ],
    { returnDocument: 'after' },
  );
}

async function takeStep(db: Db, taken: DeliveryDocument, share: number): Promise<void> {
  if (taken.kind === 'PAIR') {
    await compareNext(db, taken);
    return;
  }
  const step = await (taken.kind === 'POST' ? deliver(db, taken, share) : remove(db, taken.post_id));
  failpoint('social.delivery-stepped');
  if (step.position === null) return end(db, taken, step);
  const { position, done, total, waitMs = 0 } = step;
  await deliveries(db).updateOne(
    { _id: taken._id, token: taken.token }, // guard: no later courier
    [
      {
        $set: {
          position: { $literal: position },
          due: { $add: ['$$NOW', waitMs] },
          attempts: 0,
          done: { $add: ['$done', done] },
          ...(total !== undefined && { total }),
        },
      },
      { $unset: 'failure' },
    ],
  );
}

async function end(db: Db, { _id, token, kind }: DeliveryDocument, { done, total }: Step): Promise<void> {
  const held = { _id, token }; // guard: no later courier, and nobody has begun it again
  if (kind !== 'POST') {
    await deliveries(db).deleteOne(held);
    return;
  }
  await deliveries(db).updateOne(held, [
    {
      $set: {
        state: 'FINISHED',
        finished: '$$NOW',
        done: { $add: ['$done', done] },
        ...(total !== undefined && { total }),
      },
    },
    { $unset: ['open', 'position', 'failure'] },
  ]);
}

async function deliver(db: Db, delivery: PostDelivery, share: number): Promise<Step> {
  const { _id, author_id, way, position, total } = delivery;
  const [post, author] = await Promise.all([findPost(db, _id), findPerson(db, author_id)]);
  if (!post?.live || !author) return { position: null, done: 0 };
  if (!position) await forgetGone(db, post);
  failpoint('social.object-asked');
  const all = total ?? countReaders(author, post);
  if (way === 'READ') return { position: null, done: all, total: all };
  const { ids, next } = await findNextReaders(db, author, post, position);
  // Some may have it: after an interruption of this step, or because they have begun to follow the author meanwhile.
  const holders = await findHolders(db, _id, ids);
  const reference = { id: _id, at: post.posted, by: author_id };
  const missing = ids.filter((id) => !holders.has(id));
  for (let at = 0; at < missing.length; at += REFERENCES_AT_ONCE) {
    const some = missing.slice(at, at + REFERENCES_AT_ONCE);
    const begin = performance.now();
    await addReferences(
      db,
      some.map((reader) => ({ reader, post: reference })),
    );
    failpoint('social.references-added');
    if (missing.length > REFERENCES_AT_ONCE) await delay(Math.min(REST_MAX_MS, (performance.now() - begin) * share));
  }
  if (missing.length > 0) await lookAgain(db, delivery, missing);
  const done = ids.filter((id) => id !== author_id).length;
  return { position: next ?? null, done, total: all };
}

/**
 * Whether what was added still belongs there: this courier may have been slow. If the post was deleted meanwhile, its removal may have
 * ended, so it begins again; readers who have left, perhaps with their account, are compared with the author.
 */
async function lookAgain(db: Db, { _id, author_id, position, created }: PostDelivery, readers: readonly string[]) {
  const [post, author] = await Promise.all([findPost(db, _id), findPerson(db, author_id)]);
  if (!post?.live) return deliverRemoval(db, undefined, _id, created);
  const still = new Set(author ? (await findNextReaders(db, author, post, position)).ids : []);
  const left = readers.filter((reader) => !still.has(reader));
  await deliverPairs(
    db,
    undefined,
    left.map((reader) => ({ reader, author: author_id })),
    created,
  );
}

/** A deleted post whose delivery was under way is removed after that has noticed: by a last look. */
async function remove(db: Db, post: string): Promise<Step> {
  await forgetPost(db, post);
  const open = await deliveries(db).findOne({ _id: post, open: true }, { projection: { _id: 1 } });
  const removed = await removePost(db, post);
  if (removed > 0) return { position: {}, done: removed };
  if (open) return { position: {}, done: 0, waitMs: UNTIL_NOTICED_MS };
  // Nobody can vote any more.
  await votes(db).deleteMany({ post_id: post });
  failpoint('social.votes-removed');
  await removeDiscussion(db, discussionOfPost(post));
  return { position: null, done: 0 };
}
