/** Couriers and rebuilds that are slow: meanwhile others finish the same delivery, and people follow, leave, post and delete. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { workKindWith } from '../../../src/models/domain.js';
import { deliveries } from '../../../src/models/social/delivery/delivery.js';
import { people } from '../../../src/models/social/network/person.js';
import { carryOut, isQueueEmpty } from '../../../src/models/social/news/courier.js';
import { findNews } from '../../../src/models/social/news/news.js';
import { addReferences, newsPages } from '../../../src/models/social/news/news-page.js';
import { newsRebuild, startRebuild } from '../../../src/models/social/news/news-rebuild.js';
import type { PostDocument } from '../../../src/models/social/posts/post.js';
import { deletePost } from '../../../src/models/social/posts/post-change.js';
import { backgroundWork } from '../../../src/models/system/work/background-work.js';
import { WorkLoop } from '../../../src/models/system/work/work-loop.js';
import { slowDatabase } from '../../commerce/orders/interruptions.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { idsOf, Network } from '../social-support.js';

const database = useDatabase({ checked: false }); // of couriers and of deaths, which have tests of their own
let network: Network;
let runs = 0;
/** Each test has people of its own. */
const named = (name: string) => `${name}${runs}`;

beforeEach(async () => {
  runs += 1;
  network = new Network(database.db);
  await network.join(...['ann', 'ben', 'cid', 'dan'].map(named));
});

/** As if their couriers had not been heard of for longer than a lease. */
const endLeases = () => deliveries(database.db).updateMany({ open: true }, { $set: { due: new Date(0) } });

/** A courier that stops before its first write into the news, until another one has carried out everything. */
async function carryOutSlowly(meanwhile: () => Promise<unknown>): Promise<void> {
  const slow = slowDatabase(
    database.db,
    newsPages.collectionName,
    async () => {
      await meanwhile();
      await endLeases();
      await network.deliver();
    },
    'bulkWrite',
  );
  await carryOut(slow);
  expect(await isQueueEmpty(database.db)).toBe(true);
}

const newsOf = async (reader: string) => idsOf(await findNews(database.db, named(reader), { first: 20 }));
/** Each once: two couriers that take the same step at once may write one twice. */
const storedOf = async (reader: string) => {
  const pages = await newsPages(database.db)
    .find({ user_id: named(reader) })
    .toArray();
  return [...new Set(pages.flatMap(({ posts }) => posts.map(({ id }) => id)))].sort();
};
const idsOfPosts = (posts: readonly PostDocument[]) => posts.map(({ _id }) => _id).toReversed();

const remove = (post: PostDocument) =>
  deletePost(database.db, post._id, { id: post.author_id, act: null, nameOf: async () => '' }, network.now());

describe('a slow courier', () => {
  it('that compares two who were apart removes nothing after they are together again', async () => {
    await network.follow(named('ann'), named('ben'));
    const written = [await network.post(named('ben')), await network.post(named('ben'))];
    await network.deliver();
    await network.unfollow(named('ann'), named('ben'));
    await carryOutSlowly(() => network.follow(named('ann'), named('ben')));
    expect(await newsOf('ann')).toEqual(idsOfPosts(written));
  });

  it('that compares does not remove a post that another one delivers', async () => {
    await network.follow(named('ann'), named('ben'));
    const written = [await network.post(named('ben'))];
    await network.deliver();
    await network.follow(named('ann'), named('ben'), 'Others'); // compared again
    const slow = slowDatabase(
      database.db,
      'social.users',
      async () => {
        written.push(await network.post(named('ben')));
        await carryOut(database.db); // not what the slow one has taken
      },
      'findOne',
    );
    await carryOut(slow);
    await network.deliver();
    expect(await newsOf('ann')).toEqual(idsOfPosts(written));
  });

  it('leaves no reference to a post that was deleted meanwhile', async () => {
    await network.follow(named('ann'), named('ben'));
    await network.deliver();
    const post = await network.post(named('ben'));
    await carryOutSlowly(() => remove(post));
    await network.deliver();
    for (const reader of ['ann', 'ben']) expect(await storedOf(reader)).toEqual([]);
    expect(await deliveries(database.db).findOne({ _id: `${post._id}!` })).toBeNull();
  });

  it('leaves nothing with a reader who has left meanwhile, or whose account was deleted', async () => {
    for (const reader of ['ann', 'cid', 'dan']) await network.follow(named(reader), named('ben'));
    await network.deliver();
    const post = await network.post(named('ben'));
    await carryOutSlowly(async () => {
      await network.unfollow(named('cid'), named('ben'));
      await network.unfollow(named('dan'), named('ben'));
      await people(database.db).deleteOne({ _id: named('dan') });
    });
    await network.deliver();
    expect(await storedOf('ann')).toEqual([post._id]);
    expect(await storedOf('cid')).toEqual([]);
    expect(await newsPages(database.db).findOne({ user_id: named('dan') })).toBeNull();
  });
});

describe('a rebuild', () => {
  const kind = workKindWith(newsRebuild, {});

  /** Stops after it has found whose posts to compare. */
  async function rebuildSlowly(person: string, meanwhile: () => Promise<unknown>): Promise<number> {
    const { _id } = await startRebuild(database.db, testAct(), 'admin', named(person));
    const slow = slowDatabase(database.db, backgroundWork.collectionName, meanwhile, 'findOneAndUpdate', 2);
    const loop = new WorkLoop(slow, [kind], {
      holder: randomUUID(),
      now: () => network.now(),
      onFault: (error) => {
        throw error;
      },
    });
    const done = await loop.run(_id);
    expect(done).toMatchObject({ state: 'FINISHED' });
    return (await backgroundWork(database.db).findOne({ _id }))?.wrong ?? 0;
  }

  it('is of whom it was asked for, also if others ask at the same moment; of one person there is one', async () => {
    const asked = ['ann', 'ben', 'cid', 'dan', 'ann', 'ben', 'cid', 'dan'].map(named);
    const started = await Promise.all(asked.map((person) => startRebuild(database.db, testAct(), 'admin', person)));
    expect(started.map(({ input }) => input)).toEqual(asked.map((person) => ({ person })));
    const ids = started.map(({ _id }) => _id);
    expect(ids.slice(4)).toEqual(ids.slice(0, 4));
    expect(new Set(ids).size).toBe(4);
    for (const { _id } of started.slice(0, 4))
      expect(await backgroundWork(database.db).findOne({ _id })).toMatchObject({ state: 'WAITING' });
  });

  it('keeps what comes while it is under way, and finds nothing wrong with it', async () => {
    await network.follow(named('ann'), named('ben'));
    const written = [await network.post(named('ben'))];
    const before = [await network.post(named('cid'))];
    await network.deliver();
    const wrong = await rebuildSlowly('ann', async () => {
      await network.follow(named('ann'), named('cid'));
      await network.follow(named('dan'), named('ann'));
      written.push(await network.post(named('ben')));
      written.push(await network.post(named('cid')));
      written.push(await network.post(named('dan'), { audience: 'MY_CIRCLES' }));
      await network.deliver();
    });
    const expected = [...before, ...written].sort((one, other) => other.posted.getTime() - one.posted.getTime());
    expect(await newsOf('ann')).toEqual(expected.map(({ _id }) => _id));
    expect(wrong).toBe(0);
  });

  it('removes what refers to authors who have nothing to do with the reader', async () => {
    const { _id, posted, author_id } = await network.post(named('ben'));
    await network.deliver();
    await addReferences(database.db, [{ reader: named('ann'), post: { id: _id, at: posted, by: author_id } }]);
    expect(await rebuildSlowly('ann', async () => undefined)).toBe(1);
    expect(await storedOf('ann')).toEqual([]);
  });
});
