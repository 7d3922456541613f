/** Deliveries that wait: behind a backlog of imported posts, and after attempts that fail. */
import type { Collection, Db } from 'mongodb';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { visitOnly } from '../../../src/database/collections/snapshot-batches.js';
import { commitConcernOf, inTransaction } from '../../../src/database/index.js';
import { deliverImported, deliveries, PRIORITY } from '../../../src/models/social/delivery/delivery.js';
import { findDeliveryViolations } from '../../../src/models/social/invariants.js';
import { carryOut, restShare, takeDue } from '../../../src/models/social/news/courier.js';
import { findNews } from '../../../src/models/social/news/news.js';
import { newsPages } from '../../../src/models/social/news/news-page.js';
import { newPostId, type PostDocument, posts } from '../../../src/models/social/posts/post.js';
import { useDatabase } from '../../support/database.js';
import { idsOf, Network } from '../social-support.js';

const database = useDatabase();
let network: Network;

beforeAll(async () => {
  network = new Network(database.db);
  await network.join('ann', 'ben', 'cid', 'dan', 'imported');
  await network.follow('ann', 'ben');
  await network.follow('cid', 'ann');
  await network.follow('dan', 'ben');
});

beforeEach(() => network.deliver());

const newsOf = async (reader: string) => idsOf(await findNews(database.db, reader, { first: 20 }));
const holdersOf = async (post: string) =>
  (await newsPages(database.db).find({ 'posts.id': post }).toArray()).map(({ user_id }) => user_id).sort();

describe('a backlog of imported posts', () => {
  const BACKLOG = 1010;

  beforeEach(async () => {
    const some = Array.from({ length: BACKLOG }, (): PostDocument => {
      const posted = network.now();
      return {
        _id: newPostId('imported', 'imported', posted),
        author_id: 'imported',
        wall_id: 'imported',
        type: 'STATUS',
        text: 'Imported',
        audience: 'MY_CIRCLES',
        circle_ids: [],
        posted,
        way: 'WRITE',
        live: true,
      };
    });
    await posts(database.db).insertMany(some);
    await inTransaction(database.db, commitConcernOf.MAJORITY, async (session) => {
      await deliverImported(database.db, session, some, network.now());
    });
  });

  it('lets what members post come first, and shows it before it is delivered', async () => {
    const open = await network.post('ben');
    const meant = await network.post('cid', { audience: 'MY_CIRCLES' });
    const own = await network.post('ann');
    const hidden = await network.post('dan', { audience: 'MY_CIRCLES' });
    const expected = [own, meant, open].map(({ _id }) => _id);
    expect((await newsOf('ann')).slice(0, 3)).toEqual(expected);
    expect(await newsOf('ann')).not.toContain(hidden._id);
    let steps = 0;
    const isDone = () => {
      steps += 1;
      return steps > 4; // one for each of them
    };
    await carryOut(database.db, isDone);
    expect(await holdersOf(open._id)).toEqual(['ann', 'ben', 'dan']);
    expect(await holdersOf(meant._id)).toEqual(['ann', 'cid']);
    expect((await newsOf('ann')).slice(0, 3)).toEqual(expected);
    await network.deliver();
    expect((await newsOf('ann')).slice(0, 3)).toEqual(expected);
    // So that the plans of its queries are judged with others in the collection.
    await network.post('imported');
  });

  it('has one step of ten, however much members post', async () => {
    for (let at = 0; at < 20; at += 1) await network.post('ben');
    const finished = () =>
      deliveries(database.db)
        .aggregate<{ _id: number; count: number }>([
          { $match: { state: 'FINISHED' } },
          { $group: { _id: '$priority', count: { $sum: 1 } } },
        ])
        .toArray();
    const countOf = (all: Awaited<ReturnType<typeof finished>>, priority: number) =>
      all.find(({ _id }) => _id === priority)?.count ?? 0;
    const before = await finished();
    let steps = 0;
    await carryOut(database.db, () => {
      steps += 1;
      return steps > 20; // as many as the posts of members take
    });
    const after = await finished();
    // Each post takes one step here.
    expect(countOf(after, PRIORITY.IMPORTED) - countOf(before, PRIORITY.IMPORTED)).toBe(2);
    expect(countOf(after, PRIORITY.MEMBERS) - countOf(before, PRIORITY.MEMBERS)).toBe(18);
  });
});

describe('a delivery that fails', () => {
  /** Nothing can be written into news. */
  const broken = (db: Db): Db =>
    new Proxy(db, {
      get: (target, property) => {
        if (property !== 'collection') return Reflect.get(target, property, target);
        return (name: string) =>
          name === newsPages.collectionName ? unwritable(target.collection(name)) : target.collection(name);
      },
    });
  const unwritable = (collection: Collection): Collection =>
    new Proxy(collection, {
      get: (target, property) => {
        if (property === 'bulkWrite')
          return async () => {
            throw new Error('The disk is full');
          };
        const found: unknown = Reflect.get(target, property, target);
        return typeof found === 'function' ? found.bind(target) : found;
      },
    });
  const endLease = (_id: string) => deliveries(database.db).updateOne({ _id }, { $set: { due: new Date(0) } });
  const violations = async () => {
    const found = [];
    for await (const { subject } of findDeliveryViolations(database.db, visitOnly)) found.push(subject);
    return found;
  };

  it('is tried again with growing pauses, however often it fails, and reported', async () => {
    const { _id } = await network.post('ben');
    const pauses: number[] = [];
    const faults: unknown[] = [];
    for (let attempt = 1; attempt <= 25; attempt += 1) {
      const before = Date.now();
      await carryOut(broken(database.db), undefined, (fault) => faults.push(fault));
      const found = await deliveries(database.db).findOne({ _id });
      expect(found).toMatchObject({ open: true, state: 'WAITING', attempts: attempt, failure: expect.any(String) });
      pauses.push(Math.round((Number(found?.due) - before) / 10_000));
      await endLease(_id);
    }
    expect(pauses.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(Math.max(...pauses)).toBe(60);
    expect(faults).toHaveLength(25);
    expect(await newsOf('ann')).toContain(_id);
    expect(await violations()).toEqual([_id]);
    await carryOut(database.db);
    expect(await deliveries(database.db).findOne({ _id })).toMatchObject({ state: 'FINISHED', done: 2 });
    expect(await deliveries(database.db).findOne({ _id, failure: { $exists: true } })).toBeNull();
    expect(await holdersOf(_id)).toEqual(['ann', 'ben', 'dan']);
    expect(await violations()).toEqual([]);
  });

  it('delays no other one', async () => {
    const failing = await network.post('ben');
    const removed = await network.post('ben'); // its author deletes it: nothing has to be written for it
    await posts(database.db).updateOne({ _id: removed._id }, { $unset: { live: '' }, $set: { deleted: new Date() } });
    await carryOut(broken(database.db), undefined, () => undefined);
    expect(await deliveries(database.db).findOne({ _id: failing._id })).toMatchObject({ open: true });
    expect(await deliveries(database.db).findOne({ _id: removed._id })).toMatchObject({ state: 'FINISHED' });
    await endLease(failing._id);
  });
});

describe('a courier', () => {
  const members = { priority: PRIORITY.MEMBERS };

  it('rests less the later it is with what members posted, and not at all beyond half a minute', () => {
    expect([0, 15_000, 30_000, 3_600_000].map((lateMs) => restShare(members, lateMs))).toEqual([2, 1, 0, 0]);
  });

  it('rests however late it is with what was imported', () => {
    expect(restShare({ priority: PRIORITY.IMPORTED }, 3_600_000)).toBe(restShare(members, 0));
  });

  it('knows how late it is by the clock of the database', async () => {
    const { _id } = await network.post('ben');
    await deliveries(database.db).updateOne({ _id }, [{ $set: { due: { $subtract: ['$$NOW', 20_000] } } }]);
    const taken = await takeDue(database.db, false);
    expect(taken?.delivery._id).toBe(_id);
    expect(taken?.lateMs).toBeGreaterThanOrEqual(20_000);
    expect(taken?.lateMs).toBeLessThan(30_000);
    await deliveries(database.db).updateOne({ _id }, [{ $set: { due: '$$NOW' } }]); // for the others
  });
});
