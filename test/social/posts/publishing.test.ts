/** Two attempts of one call that overlap, because the first worker was slow, and what a post is about that goes at that moment. */
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../../../harness/wait-for.js';
import { type Attempt, idempotency, performOnce, unkeyed } from '../../../src/database/index.js';
import { blockPerson, unblockPerson } from '../../../src/models/social/network/block.js';
import { people } from '../../../src/models/social/network/person.js';
import { posts } from '../../../src/models/social/posts/post.js';
import { deletePost, editPost } from '../../../src/models/social/posts/post-change.js';
import { briefOfPublishing, type NewPost, publishPost } from '../../../src/models/social/posts/publishing.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { slowDatabase } from '../../commerce/orders/interruptions.js';
import { useDatabase } from '../../support/database.js';
import { Network } from '../social-support.js';

const database = useDatabase();
const LOCK_PASSED_MS = 11_000;

/** A post whose transaction waits where it asks for what the post is about. */
function waiting(network: Network, fields: Partial<NewPost>) {
  let goOn = (): void => undefined;
  let reached = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const atGate = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const isSeen = async () => {
    reached();
    await gate;
    return true;
  };
  const wanted: NewPost = {
    author: 'ann',
    wall: 'ann',
    input: { type: 'STATUS', text: 'Once', audience: 'PUBLIC', circles: [] },
    about: { id: 'anything', isSeen },
    attempt: { call: 'record.call', key: { record: 'record', worker: 'the first' }, at: new Date() },
    now: network.now(),
    ...fields,
  };
  return { wanted, isSeen, goOn, atGate };
}

const record = (fields: object = {}) =>
  idempotency(database.db).insertOne({
    _id: 'record',
    input_hash: '',
    call: 'record.call',
    worker: 'the first',
    locked_until: new Date(),
    expires_at: new Date(Date.now() + 60_000),
    ...fields,
  });

beforeEach(async () => {
  await Promise.all([posts, idempotency].map((collection) => collection(database.db).deleteMany({})));
});

it.each([
  ['the key was released', () => idempotency(database.db).deleteOne({ _id: 'record' })],
  [
    'the call was refused',
    () =>
      idempotency(database.db).updateOne({ _id: 'record' }, { $set: { answer: { __typename: 'ProfileNotFound' } } }),
  ],
  [
    'the call was taken over',
    () => idempotency(database.db).updateOne({ _id: 'record' }, { $set: { worker: 'the second' } }),
  ],
])('a slow attempt publishes nothing after %s by another one', async (_case, end) => {
  const network = new Network(database.db);
  await network.join('ann');
  await record();
  await end();
  const { wanted } = waiting(network, { about: null });
  await expect(publishPost(database.db, wanted)).rejects.toMatchObject({ code: 'SERVER_BUSY' });
  expect(await posts(database.db).countDocuments()).toBe(0);
});

interface Around {
  readonly before?: () => Promise<unknown>;
  readonly after?: () => Promise<unknown>;
}

/** Publishes with a key. The second attempt comes when the first one is considered dead. */
function attempt(network: Network, wanted: NewPost, number: 1 | 2, { before, after }: Around = {}) {
  const now = new Date(network.now().getTime() + (number - 1) * LOCK_PASSED_MS);
  const { input, wall } = wanted;
  const once = { scope: 'ann', operation: 'publishPost', key: 'key', input: { input, wall }, keepMs: 60_000 };
  const work = async (_call: string, _begunAt: Date | null, by: Attempt) => {
    await before?.();
    const outcome = await publishPost(database.db, { ...wanted, attempt: by, now });
    await after?.();
    return outcome;
  };
  return performOnce(database.db, once, now, work, briefOfPublishing(database.db));
}

const poll = (closes: Date): Partial<NewPost> => ({
  input: {
    ...{ type: 'POLL', text: '', audience: 'PUBLIC', circles: [] },
    poll: { question: 'Tea?', options: ['Yes', 'No'], closes },
  },
});

it('a call of which two attempts overlap publishes one post, and answers both with it', async () => {
  const network = new Network(database.db);
  await network.join('ann');
  const { wanted, goOn, atGate } = waiting(network, {});
  const slow = attempt(network, wanted, 1);
  await atGate;
  const quick = attempt(network, { ...wanted, about: null }, 2);
  await Promise.race([quick, new Promise((resolve) => setTimeout(resolve, 100))]); // long enough to publish, if it may
  goOn();
  const [one, other] = await Promise.all([slow, quick]);
  expect(one).toEqual(other);
  expect(await posts(database.db).countDocuments()).toBe(1);
});

it('a retry gets the poll that was published, also if it has closed since', async () => {
  const network = new Network(database.db);
  await network.join('ann');
  const { wanted } = waiting(network, { ...poll(new Date(Date.now() + LOCK_PASSED_MS / 2)), about: null });
  const died = new Promise<void>(() => undefined);
  void attempt(network, wanted, 1, { after: () => died });
  const published = await waitFor('the poll', 10_000, () => posts(database.db).findOne());
  expect(await attempt(network, wanted, 2)).toMatchObject({ _id: published._id });
});

it.each(['before it is stored', 'after it is stored'])(
  'a slow attempt publishes nothing once another one was refused (%s)',
  async (when) => {
    const network = new Network(database.db);
    await network.join('ann', 'ben');
    const { wanted, atGate, isSeen, goOn } = waiting(network, { wall: 'ben', about: null });
    const slow = attempt(network, wanted, 1, { before: isSeen });
    await atGate;
    await blockPerson(database.db, 'ben', 'ann', network.now());
    const publishes = async () => {
      await unblockPerson(database.db, 'ben', 'ann');
      goOn();
      await expect(slow).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    };
    const refused = await attempt(network, wanted, 2, when.startsWith('before') ? { after: publishes } : {});
    if (when.startsWith('after')) await publishes();
    expect(refused).toMatchObject({ __typename: 'ProfileNotFound' });
    expect(await attempt(network, wanted, 2)).toMatchObject({ __typename: 'ProfileNotFound' });
    expect(await posts(database.db).countDocuments()).toBe(0);
  },
);

describe.each([
  ['the owner of the wall', 'ben', 'ann'],
  ['the guest', 'ann', 'ben'],
])('a block by %s', (_who, owner, other) => {
  let network: Network;
  beforeEach(async () => {
    network = new Network(database.db);
    await network.join('ann', 'ben');
    await people(database.db).updateMany({}, { $set: { blocked: [] } });
  });
  const block = () => blockPerson(database.db, owner, other, network.now());
  const textsOnWall = async () => (await posts(database.db).find({ wall_id: 'ben' }).toArray()).map(({ text }) => text);
  const DECIDES_MS = 300; // long enough for a block that waits for nobody

  it('that comes while a guest publishes is answered after it: then nothing follows on the wall', async () => {
    const { wanted, goOn, atGate } = waiting(network, { wall: 'ben', attempt: unkeyed('a call', new Date()) });
    const published = publishPost(database.db, wanted);
    await atGate;
    const seen = block().then(textsOnWall);
    await Promise.race([seen, delay(DECIDES_MS)]);
    goOn();
    await published;
    expect(await seen).toEqual(await textsOnWall());
  });

  it('that is answered while a guest begins to publish refuses the post', async () => {
    const { wanted } = waiting(network, { wall: 'ben', about: null, attempt: unkeyed('a call', new Date()) });
    const slow = slowDatabase(database.db, people.collectionName, block, 'findOne'); // the snapshot is older
    expect(await publishPost(slow, wanted)).toMatchObject({ __typename: 'ProfileNotFound' });
    expect(await textsOnWall()).toEqual([]);
  });

  it('that comes while a guest edits is answered after it: then nothing changes on the wall', async () => {
    const { _id } = await network.post('ann', { text: 'Before' }, 'ben');
    let seen: Promise<string[]> = Promise.resolve([]);
    const meanwhile = async () => {
      seen = block().then(textsOnWall);
      await Promise.race([seen, delay(DECIDES_MS)]);
    };
    const slow = slowDatabase(database.db, posts.collectionName, meanwhile);
    await editPost(slow, 'ann', _id, 'After', network.now());
    expect(await seen).toEqual(await textsOnWall());
  });
});

const idsOf = (post: string) => [toGlobalId('Post', post), toGlobalId('FanOut', post)];

it('posts about a post or its fan-out forget it when it is deleted, and no others', async () => {
  const network = new Network(database.db);
  await network.join('ann', 'ben');
  const object = await network.post('ben');
  // The same up to the last character.
  const sibling = `${object._id.slice(0, -1)}${object._id.endsWith('A') ? 'B' : 'A'}`;
  await posts(database.db).insertOne({ ...object, _id: sibling, call: 'a sibling' });
  const about = [...idsOf(object._id), ...idsOf(sibling)];
  for (const [at, id] of about.entries())
    await publishPost(database.db, {
      ...waiting(network, {
        attempt: unkeyed(`about ${at}`, new Date()),
        about: { id, isSeen: async () => true },
      }).wanted,
      now: network.now(),
    });
  await deletePost(database.db, object._id, { id: 'ben', act: null, nameOf: async () => '' }, network.now());
  await network.deliver();
  const left = await posts(database.db)
    .find({ about: { $exists: true } })
    .sort({ about: 1 })
    .toArray();
  expect(left.map((post) => post.about)).toEqual(idsOf(sibling).toSorted());
});

it.each([0, 1])('a post whose object is deleted while it is published forgets it (%i)', async (at) => {
  const network = new Network(database.db);
  await network.join('ann', 'ben');
  const object = await network.post('ben');
  const { wanted, isSeen, goOn, atGate } = waiting(network, {
    attempt: unkeyed('another call', new Date()),
  });
  const about = { id: idsOf(object._id)[at] ?? '', isSeen };
  const published = publishPost(database.db, { ...wanted, about });
  await atGate;
  await deletePost(database.db, object._id, { id: 'ben', act: null, nameOf: async () => '' }, network.now());
  await network.deliver();
  goOn();
  const post = await published;
  expect(post).toMatchObject({ about: about.id });
  await network.deliver();
  expect(await posts(database.db).findOne({ _id: '_id' in post ? post._id : '' })).not.toHaveProperty('about');
});
