/** Two attempts of one call that overlap, because the first worker was slow, and what a post is about that goes at that moment. */
import { beforeEach, expect, it } from 'vitest';
import { idempotency } from '../../../src/database/index.js';
import { posts } from '../../../src/models/social/posts/post.js';
import { deletePost } from '../../../src/models/social/posts/post-change.js';
import { type NewPost, publishPost } from '../../../src/models/social/posts/publishing.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { useDatabase } from '../../support/database.js';
import { Network } from '../social-support.js';

const database = useDatabase();

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
    call: 'record.call',
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
    worker: 'the second',
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
])('a slow attempt publishes nothing after %s by another one', async (_case, end) => {
  const network = new Network(database.db);
  await network.join('ann');
  await record();
  await end();
  const { wanted } = waiting(network, { about: null });
  await expect(publishPost(database.db, wanted)).rejects.toMatchObject({ code: 'SERVER_BUSY' });
  expect(await posts(database.db).countDocuments()).toBe(0);
});

it('a call of which two attempts overlap publishes one post, and answers both with it', async () => {
  const network = new Network(database.db);
  await network.join('ann');
  const { wanted, goOn, atGate } = waiting(network, {});
  await record();
  const slow = publishPost(database.db, wanted);
  await atGate;
  const quick = publishPost(database.db, { ...wanted, about: null, now: network.now() });
  await Promise.race([quick, new Promise((resolve) => setTimeout(resolve, 100))]); // long enough to publish, if it may
  goOn();
  const [one, other] = await Promise.all([slow, quick]);
  expect(one).toEqual(other);
  expect(await posts(database.db).countDocuments({ call: 'record.call' })).toBe(1);
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
      ...waiting(network, { call: `about ${at}`, about: { id, isSeen: async () => true } }).wanted,
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
  const { wanted, isSeen, goOn, atGate } = waiting(network, { call: 'another call' });
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
