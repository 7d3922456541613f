/**
 * Random posts, deletions, circles, blocks and names, with authors who have many followers for a while, couriers that die, and couriers
 * and rebuilds that are slow: others take over what they have taken, and finish it, before they continue.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Db } from 'mongodb';
import { workKindWith } from '../../../src/models/domain.js';
import { deliveries } from '../../../src/models/social/delivery/delivery.js';
import { blockPerson, unblockPerson } from '../../../src/models/social/network/block.js';
import { renameCircle } from '../../../src/models/social/network/circle.js';
import { deleteCircle } from '../../../src/models/social/network/circle-deletion.js';
import { followerPages } from '../../../src/models/social/network/follower.js';
import { people } from '../../../src/models/social/network/person.js';
import { saveProfile } from '../../../src/models/social/network/profile.js';
import { carryOut } from '../../../src/models/social/news/courier.js';
import { newsPages } from '../../../src/models/social/news/news-page.js';
import { newsRebuild, startRebuild } from '../../../src/models/social/news/news-rebuild.js';
import { type PostDocument, posts } from '../../../src/models/social/posts/post.js';
import { deletePost, editPost } from '../../../src/models/social/posts/post-change.js';
import { POST_TYPE } from '../../../src/models/social/posts/post-comments.js';
import { findSeenPost } from '../../../src/models/social/posts/post-sight.js';
import type { Audience } from '../../../src/models/social/posts/visibility.js';
import { backgroundWork } from '../../../src/models/system/work/background-work.js';
import { WorkLoop } from '../../../src/models/system/work/work-loop.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { slowDatabase } from '../../commerce/orders/interruptions.js';
import { testAct } from '../../support/people.js';
import { Network, NO_PROFILE } from '../social-support.js';

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
      about: fc.option(fc.nat(50)),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('follow' as const), by: person, whom: person, circle }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unfollow' as const), by: person, whom: person, circle }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('change' as const), at: fc.nat(50), edit: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), by: person, circle }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rename' as const), by: person, circle }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('block' as const), by: person, whom: person }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unblock' as const), by: person, whom: person }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('deliver' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('die' as const) }) },
);
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What happens while somebody is slow. */
const meanwhile = fc.array(step, { minLength: 1, maxLength: 5 });
/** With what needs no live list. */
export const newsStep = fc.oneof(
  { weight: 20, arbitrary: step },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('great' as const), by: person }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('slow courier' as const), meanwhile, writes: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('slow rebuild' as const), meanwhile, of: person }) },
);
export type NewsStep = typeof newsStep extends fc.Arbitrary<infer T> ? T : never;

/** Everything that a step may need: made anew for each run. */
export async function begin(db: Db): Promise<Network> {
  for (const collection of [people, followerPages, posts, newsPages, deliveries]) await collection(db).deleteMany({});
  const network = new Network(db);
  await network.join(...PEOPLE);
  return network;
}

const circleOf = async (db: Db, owner: string, name: string) =>
  (await people(db).findOne({ _id: owner }))?.circles.find((each) => each.name === name)?.id;

export async function takeNewsStep(network: Network, given: NewsStep): Promise<void> {
  if (given.kind === 'great') await postToMany(network, given.by);
  else if (given.kind === 'slow courier') await carryOutSlowly(network, given);
  else if (given.kind === 'slow rebuild') await rebuildSlowly(network, given);
  else await take(network, given);
}

export async function take(network: Network, given: Step): Promise<void> {
  const { db } = network;
  if (given.kind === 'post') {
    const id = given.audience === 'CIRCLES' ? await circleOf(db, given.by, given.circle) : undefined;
    if (given.audience === 'CIRCLES' && !id) return;
    network.wait(given.circle === 'Family' ? 40 * 86_400_000 : 0); // some months
    const about = given.about === null ? null : await seenAt(db, given.by, given.about);
    await network
      .post(given.by, { audience: given.audience, circles: id ? [id] : [] }, given.on, about)
      .catch(() => undefined);
  }
  if (given.kind === 'follow') await network.follow(given.by, given.whom, given.circle);
  if (given.kind === 'unfollow') await network.unfollow(given.by, given.whom, given.circle);
  if (given.kind === 'drop')
    await deleteCircle(db, given.by, (await circleOf(db, given.by, given.circle)) ?? '', network.now());
  if (given.kind === 'rename') await rename(network, given.by, given.circle);
  if (given.kind === 'block') await blockPerson(db, given.by, given.whom, network.now());
  if (given.kind === 'unblock') await unblockPerson(db, given.by, given.whom);
  if (given.kind === 'deliver') await network.deliver();
  if (given.kind === 'change') {
    const post = await postAt(db, given.at);
    if (post && given.edit) await editPost(db, post.author_id, post._id, `Edited ${given.at}`, network.now());
    else if (post)
      await deletePost(db, post._id, { id: post.author_id, act: null, nameOf: async () => '' }, network.now());
  }
  if (given.kind === 'die') await dieAfterStep(network);
}

async function postAt(db: Db, at: number): Promise<PostDocument | undefined> {
  const all = await posts(db).find({}).sort({ _id: 1 }).toArray();
  return all[at % Math.max(1, all.length)];
}

/** The global id of a post, if somebody sees it: what another one may be about. */
async function seenAt(db: Db, reader: string, at: number): Promise<string | null> {
  const post = await postAt(db, at);
  return post && (await findSeenPost(db, reader, post._id)) ? toGlobalId(POST_TYPE, post._id) : null;
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

const MANY = 20_000;

/** A post that is not delivered, because its author has many followers at the moment. */
async function postToMany(network: Network, author: string): Promise<void> {
  const count = (change: number) => people(network.db).updateOne({ _id: author }, { $inc: { follower_count: change } });
  await count(MANY);
  await network.post(author);
  await count(-MANY);
}

/** The circle, which nobody finds by the old name any more, and the person. */
async function rename(network: Network, person: string, circle: string): Promise<void> {
  const id = await circleOf(network.db, person, circle);
  const now = network.now();
  if (id) await renameCircle(network.db, person, id, `${circle} of ${now.getTime()}`);
  await saveProfile(network.db, { id: person, name: `${person} since ${now.getTime()}` }, NO_PROFILE, now);
}

/** Others take these steps, and then what has been taken, as if it had not been heard of for longer than a lease. */
async function takeOver(network: Network, steps: readonly Step[]): Promise<void> {
  for (const each of steps) {
    await endLeases(network.db); // otherwise a step that delivers waits for them
    await take(network, each);
  }
  await endLeases(network.db);
  await network.deliver();
}

const endLeases = (db: Db) => deliveries(db).updateMany({ open: true }, { $set: { due: new Date(0) } });

/** Stops once: before its first write into news, or before it first reads how people are related. */
async function carryOutSlowly(
  network: Network,
  { meanwhile: steps, writes }: { readonly meanwhile: readonly Step[]; readonly writes: boolean },
): Promise<void> {
  const [collection, method] = writes
    ? ([newsPages.collectionName, 'bulkWrite'] as const)
    : ([people.collectionName, 'findOne'] as const);
  await carryOut(slowDatabase(network.db, collection, () => takeOver(network, steps), method));
}

const rebuildKind = workKindWith(newsRebuild, {});

/** Stops after it has found whose posts to compare. */
async function rebuildSlowly(
  network: Network,
  { meanwhile: steps, of }: { readonly meanwhile: readonly Step[]; readonly of: string },
): Promise<void> {
  const { _id } = await startRebuild(network.db, testAct(), 'admin', of);
  const { collectionName } = backgroundWork;
  const slow = slowDatabase(network.db, collectionName, () => takeOver(network, steps), 'findOneAndUpdate', 2);
  const loop = new WorkLoop(slow, [rebuildKind], {
    holder: randomUUID(),
    now: () => network.now(),
    onFault: (error) => {
      throw error;
    },
  });
  await loop.run(_id);
}
