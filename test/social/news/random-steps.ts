/** Random posts, deletions, circles and blocks, with couriers that die. */

import fc from 'fast-check';
import type { Db } from 'mongodb';
import { deliveries } from '../../../src/models/social/delivery/delivery.js';
import { blockPerson, unblockPerson } from '../../../src/models/social/network/block.js';
import { deleteCircle } from '../../../src/models/social/network/circle.js';
import { followerPages } from '../../../src/models/social/network/follower.js';
import { people } from '../../../src/models/social/network/person.js';
import { newsPages } from '../../../src/models/social/news/news-page.js';
import { posts } from '../../../src/models/social/posts/post.js';
import { deletePost, editPost } from '../../../src/models/social/posts/post-change.js';
import type { Audience } from '../../../src/models/social/posts/visibility.js';
import { Network } from '../social-support.js';

export const PEOPLE = ['ann', 'ben', 'cid', 'dan'] as const;
const CIRCLES = ['Friends', 'Family'] as const;

const person = fc.constantFrom(...PEOPLE);
const circle = fc.constantFrom(...CIRCLES);
export const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('post' as const),
      by: person,
      on: person,
      audience: fc.constantFrom<Audience>('PUBLIC', 'MY_CIRCLES', 'CIRCLES'),
      circle,
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('follow' as const), by: person, whom: person, circle }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unfollow' as const), by: person, whom: person, circle }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('change' as const), at: fc.nat(50), edit: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), by: person, circle }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('block' as const), by: person, whom: person }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unblock' as const), by: person, whom: person }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('deliver' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('die' as const) }) },
);
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Everything that a step may need: made anew for each run. */
export async function begin(db: Db): Promise<Network> {
  for (const collection of [people, followerPages, posts, newsPages, deliveries]) await collection(db).deleteMany({});
  const network = new Network(db);
  await network.join(...PEOPLE);
  return network;
}

const circleOf = async (db: Db, owner: string, name: string) =>
  (await people(db).findOne({ _id: owner }))?.circles.find((each) => each.name === name)?.id;

export async function take(network: Network, given: Step): Promise<void> {
  const { db } = network;
  if (given.kind === 'post') {
    const id = given.audience === 'CIRCLES' ? await circleOf(db, given.by, given.circle) : undefined;
    if (given.audience === 'CIRCLES' && !id) return;
    network.wait(given.circle === 'Family' ? 40 * 86_400_000 : 0); // some months
    await network
      .post(given.by, { audience: given.audience, circles: id ? [id] : [] }, given.on)
      .catch(() => undefined);
  }
  if (given.kind === 'follow') await network.follow(given.by, given.whom, given.circle);
  if (given.kind === 'unfollow') await network.unfollow(given.by, given.whom, given.circle);
  if (given.kind === 'drop')
    await deleteCircle(db, given.by, (await circleOf(db, given.by, given.circle)) ?? '', network.now());
  if (given.kind === 'block') await blockPerson(db, given.by, given.whom, network.now());
  if (given.kind === 'unblock') await unblockPerson(db, given.by, given.whom);
  if (given.kind === 'deliver') await network.deliver();
  if (given.kind === 'change') {
    const all = await posts(db).find({}).sort({ _id: 1 }).toArray();
    const post = all[given.at % Math.max(1, all.length)];
    if (post && given.edit) await editPost(db, post.author_id, post._id, `Edited ${given.at}`, network.now());
    else if (post)
      await deletePost(db, post._id, { id: post.author_id, act: null, nameOf: async () => '' }, network.now());
  }
  if (given.kind === 'die') await dieAfterStep(network);
}

/** A courier that has carried out all steps, and dies before it records any: the next one repeats them. */
async function dieAfterStep(network: Network): Promise<void> {
  const before = await deliveries(network.db).find({ open: true }).toArray();
  await network.deliver();
  for (const { _id, ...delivery } of before) {
    await deliveries(network.db).replaceOne(
      { _id },
      { ...delivery, attempts: 1, token: delivery.token + 10 } as never,
      {
        upsert: true,
      },
    );
  }
}
