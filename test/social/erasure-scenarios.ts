/** `sextant recover` dies while it removes a person whose account was deleted. In the end the person is gone, and the counts are right. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { waitFor } from '../../harness/wait-for.js';
import { buildIndexes } from '../../src/database/index.js';
import { deliveries } from '../../src/models/social/delivery/delivery.js';
import { findPersonViolations, findPostViolations } from '../../src/models/social/invariants.js';
import { blockPerson } from '../../src/models/social/network/block.js';
import { people } from '../../src/models/social/network/person.js';
import { newsPages } from '../../src/models/social/news/news-page.js';
import { reportPost } from '../../src/models/social/posts/moderation.js';
import { voteInPoll, votes } from '../../src/models/social/posts/poll.js';
import { posts } from '../../src/models/social/posts/post.js';
import { toGlobalId } from '../../src/shared/global-id.js';
import type { Scenario } from '../crash/scenario.js';
import { Network } from './social-support.js';

const GONE = 'gone';
const WAIT_MS = 120_000; // two runs of the recovery

async function leave(db: Db): Promise<void> {
  await buildIndexes(db);
  const network = new Network(db);
  await network.join(GONE, 'ann', 'ben', 'cid');
  for (const person of ['ann', 'ben']) {
    await network.follow(GONE, person);
    await network.follow(person, GONE);
  }
  await blockPerson(db, 'cid', GONE, network.now());
  for (let at = 0; at < 3; at += 1) await network.post(GONE);
  const poll = { question: 'Which?', options: ['One', 'Two'], closes: null };
  for (const author of ['ann', 'ben']) {
    const { _id } = await network.post(author, { type: 'POLL', text: '', poll });
    await voteInPoll(db, _id, GONE, 1, network.now());
    await network.post(author, {}, author, toGlobalId('User', GONE));
    await reportPost(db, _id, { by: GONE, reason: 'Rude', at: network.now() });
  }
  const { _id: onTheWall } = await network.post('ann', { type: 'POLL', text: '', poll }, GONE);
  await voteInPoll(db, onTheWall, 'ben', 0, network.now());
  await network.deliver();
  await db
    .collection('people.erasures')
    .insertOne({ _id: GONE as never, requested_at: new Date(Date.now() - 3_600_000) });
}

async function isGone(db: Db): Promise<boolean> {
  const found = await Promise.all([
    people(db).findOne({ _id: GONE }),
    posts(db).findOne({ author_id: GONE }),
    posts(db).findOne({ wall_id: GONE }),
    votes(db).findOne({ voter_id: GONE }),
    votes(db).findOne({ post_id: { $regex: `/${GONE}/` } }),
    deliveries(db).findOne({ author_id: GONE }),
    newsPages(db).findOne({ user_id: GONE }),
    newsPages(db).findOne({ 'posts.by': GONE }),
    posts(db).findOne({ 'reports.by': GONE }),
    posts(db).findOne({ about: toGlobalId('User', GONE) }),
    people(db).findOne({ 'blocked.id': GONE }),
    people(db).findOne({ 'graph_change.people': GONE }),
  ]);
  return found.every((each) => each === null);
}

export const personErased: Scenario<void> = {
  failpoints: {
    'social.person-post-deleted': 2,
    'social.vote-withdrawn': 1,
    'social.reports-withdrawn': 1,
    'social.about-forgotten': 1,
    'social.circles-left': 2,
    'social.blocks-removed': 1,
    'social.graph-changes-emptied': 1,
    'social.remains-emptied': 1,
    'social.remains-removed': 1,
    'social.person-posts-removed': 1,
    'social.person-news-removed': 1,
    'social.person-deliveries-removed': 1,
    'social.person-removed': 1,
  },
  leave,
  async judge(_product, db) {
    await waitFor('the erasure', WAIT_MS, async () => (await isGone(db)) || null);
    for (const check of [findPersonViolations, findPostViolations])
      for await (const violation of check(db, async () => undefined)) expect(violation).toBeUndefined();
  },
};
