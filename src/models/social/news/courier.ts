/**
 * Carries out deliveries, one step of one delivery after the other, the one that has waited longest first: a post with ten thousand
 * readers takes ten steps, and between any two of them others have their turn. Every process has a courier. A step is taken under a
 * lease; its result is recorded with the fencing token, so of two couriers only the later one advances, and what the earlier one did
 * besides is done again without effect.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Db, Filter } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { removeDiscussion } from '../../comments/discussion-removal.js';
import { type DeliveryDocument, deliveries, type PairDelivery, type PostDelivery } from '../delivery/delivery.js';
import { findPerson } from '../network/person.js';
import { findPost } from '../posts/post.js';
import { discussionOfPost } from '../posts/post-comments.js';
import { compareNews } from './comparison.js';
import { countReaders, findNextReaders } from './fan-out.js';
import { addReferences, findHolders, removePost } from './news-page.js';

const LEASE_MS = 10_000;
/** A delivery that kills its courier each time must not do so forever. */
const ATTEMPTS_MAX = 20;
const UNTIL_NOTICED_MS = 500;
const REFERENCES_AT_ONCE = 50;
/** The rest after so many, as a share of the time they took: others have half of the database's time. */
const REST_SHARE = 1;
const REST_MAX_MS = 100;

/** What a step has done. */
interface Step {
  readonly position: object | null;
  readonly done: number;
  readonly total?: number;
  /** Before the next step. */
  readonly waitMs?: number;
}

/** Carries out what is due. @param isStopped asked after each step @returns how many steps it took */
export async function carryOut(db: Db, isStopped: () => boolean = () => false): Promise<number> {
  for (let steps = 0; ; steps += 1) {
    if (isStopped()) return steps;
    const taken = await takeDue(db);
    if (!taken) return steps;
    failpoint('social.delivery-taken');
    await takeStep(db, taken);
  }
}

/** Whether nothing is on its way. */
export const isQueueEmpty = async (db: Db): Promise<boolean> =>
  (await deliveries(db).findOne({ open: true }, { projection: { _id: 1 } })) === null;

/** Takes the lease of the one that has been due longest. */
async function takeDue(db: Db): Promise<DeliveryDocument | null> {
  const isDue = { open: true as const, $expr: { $lte: ['$due', '$$NOW'] } };
  for (;;) {
    const next = await deliveries(db).findOne(isDue, { sort: { due: 1 }, projection: { _id: 1 } });
    if (!next) return null;
    failpoint('social.delivery-due');
    const taken = await takeLease(db, { ...isDue, _id: next._id });
    if (taken) return taken; // otherwise another courier was quicker
  }
}

function takeLease(db: Db, filter: Filter<DeliveryDocument>): Promise<DeliveryDocument | null> {
  return deliveries(db).findOneAndUpdate(
    filter, // guard: nobody else has its lease, by the database's clock
    [
      {
        $set: {
          due: { $add: ['$$NOW', LEASE_MS] },
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

async function takeStep(db: Db, taken: DeliveryDocument): Promise<void> {
  if (taken.attempts > ATTEMPTS_MAX) return end(db, taken, 'It was interrupted too often without any progress');
  const step = await stepOf(db, taken);
  failpoint('social.delivery-stepped');
  if (step.position === null) return end(db, taken, null, step);
  const { position, done, total, waitMs = 0 } = step;
  await deliveries(db).updateOne(
    { _id: taken._id, token: taken.token }, // guard: no later courier, and the relation has not changed since
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
    ],
  );
}

function stepOf(db: Db, taken: DeliveryDocument): Promise<Step> {
  if (taken.kind === 'POST') return deliver(db, taken);
  return taken.kind === 'PAIR' ? compare(db, taken) : remove(db, taken.post_id);
}

async function end(db: Db, { _id, token, kind }: DeliveryDocument, failure: string | null, step?: Step): Promise<void> {
  const held = { _id, token }; // guard: no later courier, and the relation has not changed since
  if (kind !== 'POST' && failure === null) {
    await deliveries(db).deleteOne(held);
    return;
  }
  await deliveries(db).updateOne(held, [
    {
      $set: {
        state: failure === null ? 'FINISHED' : 'FAILED',
        finished: '$$NOW',
        done: { $add: ['$done', step?.done ?? 0] },
        ...(failure !== null && { failure: { $literal: failure } }),
        ...(step?.total !== undefined && { total: step.total }),
      },
    },
    { $unset: ['open', 'position'] },
  ]);
}

async function deliver(db: Db, { _id, author_id, way, position, total }: PostDelivery): Promise<Step> {
  const [post, author] = await Promise.all([findPost(db, _id), findPerson(db, author_id)]);
  if (!post?.live || !author) return { position: null, done: 0 };
  const all = total ?? countReaders(author, post);
  if (way === 'READ') return { position: null, done: all, total: all };
  const { ids, next } = await findNextReaders(db, post, position);
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
    if (missing.length > REFERENCES_AT_ONCE)
      await delay(Math.min(REST_MAX_MS, (performance.now() - begin) * REST_SHARE));
  }
  const done = ids.filter((id) => id !== author_id).length;
  return { position: next ?? null, done, total: all };
}

/** A deleted post whose delivery was under way is removed after that has noticed: by a last look. */
async function remove(db: Db, post: string): Promise<Step> {
  const open = await deliveries(db).findOne({ _id: post, open: true }, { projection: { _id: 1 } });
  const removed = await removePost(db, post);
  if (removed > 0) return { position: {}, done: removed };
  if (open) return { position: {}, done: 0, waitMs: UNTIL_NOTICED_MS };
  await removeDiscussion(db, discussionOfPost(post)); // nobody can comment on it any more
  return { position: null, done: 0 };
}

async function compare(db: Db, { reader_id, author_id, position }: PairDelivery): Promise<Step> {
  const after = position ? { posted: position.at, _id: position.id } : null;
  const { last, wrong } = await compareNews(db, { reader: reader_id, author: author_id }, after);
  return { position: last && { at: last.posted, id: last._id }, done: wrong };
}
