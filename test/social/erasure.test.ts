/** Somebody leaves the network: what others wrote on the wall goes too, everybody gets the same answer, and nothing keeps the id. */
import { describe, expect, it } from 'vitest';
import { deliveries } from '../../src/models/social/delivery/delivery.js';
import { erasePerson } from '../../src/models/social/erasure.js';
import { findPersonViolations, findPostViolations } from '../../src/models/social/invariants.js';
import { blockPerson } from '../../src/models/social/network/block.js';
import { followerPages } from '../../src/models/social/network/follower.js';
import { people } from '../../src/models/social/network/person.js';
import { carryOut } from '../../src/models/social/news/courier.js';
import { newsPages } from '../../src/models/social/news/news-page.js';
import { findWall } from '../../src/models/social/news/wall-list.js';
import { findReportedPosts, reportPost } from '../../src/models/social/posts/moderation.js';
import { voteInPoll, votes } from '../../src/models/social/posts/poll.js';
import { posts } from '../../src/models/social/posts/post.js';
import { deletePost } from '../../src/models/social/posts/post-change.js';
import { explainVisibility, findSeenPost } from '../../src/models/social/posts/post-sight.js';
import { toGlobalId } from '../../src/shared/global-id.js';
import { useDatabase } from '../support/database.js';
import { idsOf, Network } from './social-support.js';

const database = useDatabase();
const PAGE = { first: 20, after: null };
const POLL = { type: 'POLL' as const, text: '', poll: { question: 'Which?', options: ['One', 'Two'], closes: null } };

async function expectConsistent(): Promise<void> {
  for (const check of [findPersonViolations, findPostViolations])
    for await (const violation of check(database.db, async () => undefined)) expect(violation).toBeUndefined();
}

/** The names of the collections in which a text is part of any value or key. */
async function placesOf(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const collection of [people, followerPages, posts, votes, newsPages, deliveries]) {
    const some = await collection(database.db).find({}).toArray();
    if (JSON.stringify(some).includes(text)) found.push(collection.collectionName);
  }
  return found;
}

async function erase(network: Network, id: string): Promise<void> {
  for (let run = 0; (await erasePerson(database.db, id, network.now())) > 0; run += 1) {
    expect(run).toBeLessThan(10);
    await network.deliver();
  }
}

async function others(network: Network): Promise<void> {
  await network.join(...Array.from({ length: 60 }, (_, at) => `other${at}`));
  for (let at = 0; at < 60; at += 1) await network.post(`other${at}`);
}

describe('somebody who leaves the network', () => {
  it('takes along the wall, with what others wrote on it, and leaves the id nowhere', async () => {
    const { db } = database;
    const network = new Network(db);
    await others(network);
    await network.join('gone', 'ann', 'ben', 'cid');
    await network.follow('ann', 'gone');
    await network.follow('ann', 'ben');
    await network.follow('ben', 'gone');
    await network.unfollow('ben', 'gone'); // its last change names the person
    await network.follow('gone', 'ann');
    await blockPerson(db, 'cid', 'gone', network.now());
    await network.post('gone');
    const poll = await network.post('gone', POLL);
    await voteInPoll(db, poll._id, 'ben', 1, network.now());
    const guest = await network.post('ben', POLL, 'gone');
    await voteInPoll(db, guest._id, 'ann', 0, network.now());
    const deletedGuest = await network.post('ben', {}, 'gone');
    await deletePost(db, deletedGuest._id, { id: 'gone', act: null, nameOf: async () => '' }, network.now());
    const kept = await network.post('ben');
    const onOther = await network.post('gone', {}, 'ann');
    await network.post('ann', {}, 'ann', toGlobalId('User', 'gone'));
    await network.deliver();
    expect(await newsPages(db).countDocuments({ 'posts.id': guest._id })).toBeGreaterThan(0);

    await erase(network, 'gone');
    for (const id of ['gone', toGlobalId('User', 'gone')]) expect(await placesOf(id)).toEqual([]);
    expect(await posts(db).countDocuments({ _id: { $in: [guest._id, deletedGuest._id, onOther._id] } })).toBe(0);
    expect(await findSeenPost(db, null, kept._id)).not.toBeNull();
    await expectConsistent();
  });

  it('is gone for everybody alike, and authors see their own posts until they are deleted', async () => {
    const { db } = database;
    const network = new Network(db);
    await network.join('left', 'dan', 'eve');
    const guest = await network.post('dan', {}, 'left');
    const own = await network.post('left');
    await people(db).deleteOne({ _id: 'left' }); // a post that was stored while the person was being erased
    for (const reader of ['eve', null]) {
      expect(await findSeenPost(db, reader, guest._id)).toBeNull();
      expect(await findSeenPost(db, reader, own._id)).toBeNull();
      expect((await explainVisibility(db, guest._id, reader, null))?.rule).toBe('LEFT');
      expect(idsOf(await findWall(db, reader, 'left', PAGE))).toEqual([]);
    }
    expect(await findSeenPost(db, 'dan', guest._id)).toMatchObject({ _id: guest._id });
    expect((await explainVisibility(db, guest._id, 'dan', null))?.rule).toBe('OWN');
  });

  it('takes reports back, and posts that nobody else has reported are no longer listed', async () => {
    const { db } = database;
    const network = new Network(db);
    await network.join('fay', 'gil', 'hal');
    const [once, twice] = [await network.post('hal'), await network.post('hal')];
    for (const { _id } of [once, twice]) await reportPost(db, _id, { by: 'fay', reason: 'Rude', at: network.now() });
    await reportPost(db, twice._id, { by: 'gil', reason: 'Rude', at: network.now() });
    await erase(network, 'fay');
    const listed = (await findReportedPosts(db, PAGE)).edges.map(({ node }) => node);
    expect(listed.map(({ _id, reports }) => [_id, reports?.map(({ by }) => by)])).toEqual([[twice._id, ['gil']]]);
    expect(await posts(db).findOne({ _id: once._id })).not.toHaveProperty('reports');
  });

  it('waits for a post that is on its way: no reference of it is left', async () => {
    const { db } = database;
    const network = new Network(db);
    await network.join('ida', 'jim');
    await network.follow('jim', 'ida');
    await network.deliver();
    const { _id } = await network.post('ida');
    await deliveries(db).updateOne({ _id }, { $set: { due: new Date(Date.now() + 3_600_000), state: 'RUNNING' } }); // a courier has it
    expect(await erasePerson(db, 'ida', network.now())).toBeGreaterThan(0);
    await carryOut(db);
    expect(await erasePerson(db, 'ida', network.now())).toBeGreaterThan(0);
    expect(await deliveries(db).countDocuments({ _id, open: true })).toBe(1);
    await deliveries(db).updateOne({ _id }, { $set: { due: new Date(0) } });
    await network.deliver();
    await erase(network, 'ida');
    expect(await placesOf('ida')).toEqual([]);
  });

  it('leaves pages of followers in transactions of many', async () => {
    const { db } = database;
    const network = new Network(db);
    await network.join('idol', 'fan');
    const fan = await people(db).findOne({ _id: 'fan' });
    if (!fan) throw new Error('The fan is missing');
    const ids = Array.from({ length: 1300 }, (_, at) => `fan${at}`);
    const since = network.now();
    const pageOf = (at: number) => 1 + Math.floor(at / 1000);
    await people(db).insertMany(
      ids.map((_id, at) => ({
        ...fan,
        _id,
        following: [{ id: 'idol', circles: ['all'], since, page: pageOf(at) }],
        graph_change: { people: ['idol'], change: 'one' },
      })),
    );
    await followerPages(db).insertMany(
      [1, 2].map((number) => ({
        _id: `idol/00000${number}`,
        user_id: 'idol',
        number,
        followers: ids.filter((_id, at) => pageOf(at) === number).map((id) => ({ id, since })),
      })),
    );
    const counts = { follower_count: ids.length, follower_page: { number: 2, taken: 300 } };
    await people(db).updateOne({ _id: 'idol' }, { $set: counts });
    await expectConsistent();
    let commits = 0;
    const count = ({ commandName }: { readonly commandName: string }) => {
      if (commandName === 'commitTransaction') commits += 1;
    };
    db.client.on('commandStarted', count);
    await erase(network, 'idol');
    db.client.off('commandStarted', count);
    expect(commits).toBeGreaterThan(2);
    expect(commits).toBeLessThan(20);
    expect(await placesOf('idol')).toEqual([]);
    await expectConsistent();
  });
});
