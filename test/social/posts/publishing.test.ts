/** Two attempts of one call that overlap, because the first worker was slow, and what a post is about that goes at that moment. */
import { expect, it } from 'vitest';
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

it('a call of which two attempts overlap publishes one post, and answers both with it', async () => {
  const network = new Network(database.db);
  await network.join('ann');
  const { wanted, goOn, atGate } = waiting(network, {});
  await idempotency(database.db).insertOne({
    _id: 'record',
    input_hash: '',
    call: 'record.call',
    worker: 'the second',
    locked_until: new Date(),
    expires_at: new Date(Date.now() + 60_000),
  });
  const slow = publishPost(database.db, wanted);
  await atGate;
  const quick = publishPost(database.db, { ...wanted, about: null, now: network.now() });
  await Promise.race([quick, new Promise((resolve) => setTimeout(resolve, 100))]); // long enough to publish, if it may
  goOn();
  const [one, other] = await Promise.all([slow, quick]);
  expect(one).toEqual(other);
  expect(await posts(database.db).countDocuments({ call: 'record.call' })).toBe(1);
});

it('a post whose object is deleted while it is published forgets it', async () => {
  const network = new Network(database.db);
  await network.join('ann', 'ben');
  const object = await network.post('ben');
  const { wanted, isSeen, goOn, atGate } = waiting(network, { call: 'another call' });
  const about = { id: toGlobalId('Post', object._id), isSeen };
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
