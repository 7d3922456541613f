/**
 * The courier dies within and between the steps of one long delivery: the next one continues where that stopped, and every reader has the
 * post once. Readers are stored as the model stores them, in small pages: how full a page is does not matter to a courier.
 */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import type { Product } from '../../../harness/product.js';
import { waitFor } from '../../../harness/wait-for.js';
import { deliveries, findDelivery, type PostDelivery } from '../../../src/models/social/delivery/delivery.js';
import { followerPages } from '../../../src/models/social/network/follower.js';
import { type PersonDocument, people } from '../../../src/models/social/network/person.js';
import { newPerson } from '../../../src/models/social/network/profile.js';
import { newsPages } from '../../../src/models/social/news/news-page.js';
import { posts } from '../../../src/models/social/posts/post.js';
import { answerOrNull, type Scenario } from '../../crash/scenario.js';

const PAGES = 3;
const PER_PAGE = 30; // with the author 31, in 2 batches of references
const MEMBERS = 560; // a step of 500 and the author in 21 batches, and one of 60 in 3
const CIRCLE = 'friends';
const DELIVERED_MS = 90_000;
const JOINED = new Date('2026-01-01T00:00:00Z');

interface Seen {
  readonly post: string;
  /** Everybody who is to have the post, the author included. */
  readonly readers: readonly string[];
  /** Of the delivery, when the process had died. */
  readonly position: PostDelivery['position'];
}

type Store = (db: Db, author: string) => Promise<string[]>;

const personOf = (id: string): PersonDocument => ({
  _id: id,
  name: id,
  name_key: id,
  about: '',
  place: '',
  interests: [],
  ...newPerson(JOINED),
});

const pageOf = (user: string, number: number, ids: readonly string[]) => ({
  _id: `${user}/${String(number).padStart(6, '0')}`,
  user_id: user,
  number,
  followers: ids.map((id) => ({ id, since: JOINED })),
});

/** People who follow the author, in pages. */
async function storeFollowers(db: Db, author: string): Promise<string[]> {
  const all: string[] = [];
  for (let page = 1; page <= PAGES; page += 1) {
    const ids = Array.from({ length: PER_PAGE }, (_, at) => `fan-${page}-${at}`);
    await followerPages(db).insertOne(pageOf(author, page, ids));
    await people(db).insertMany(
      ids.map((id) => ({
        ...personOf(id),
        circles: [{ id: CIRCLE, name: 'Stars' }],
        following: [{ id: author, circles: [CIRCLE], since: JOINED, page }],
      })),
    );
    all.push(...ids);
  }
  const follower_page = { number: PAGES, taken: PER_PAGE };
  await people(db).updateOne({ _id: author }, { $set: { follower_count: all.length, follower_page } });
  return all;
}

/** People in a circle of the author. */
async function storeMembers(db: Db, author: string): Promise<string[]> {
  const ids = Array.from({ length: MEMBERS }, (_, at) => `member-${at}`);
  await people(db).insertMany(
    ids.map((id) => ({ ...personOf(id), follower_count: 1, follower_page: { number: 1, taken: 1 } })),
  );
  await followerPages(db).insertMany(ids.map((id) => pageOf(id, 1, [author])));
  const following = ids.map((id) => ({ id, circles: [CIRCLE], since: JOINED, page: 1 }));
  await people(db).updateOne({ _id: author }, { $set: { circles: [{ id: CIRCLE, name: 'Friends' }], following } });
  return ids;
}

/** The administrator posts once, to all of these people. The post is stored before its delivery begins, whether it is answered or not. */
async function publishTo(product: Product, db: Db, audience: string, store: Store): Promise<Seen> {
  await product.request('mutation { saveProfile(input: {}) { id } }');
  const author = (await people(db).findOne({}))?._id ?? '';
  const readers = await store(db, author);
  const input = `{ text: "To many", audience: ${audience} }`;
  await answerOrNull(product.request(`mutation { publishPost(input: ${input}, idempotencyKey: "1") { __typename } }`));
  await product.process.ended;
  const post = (await posts(db).findOne({}))?._id ?? '';
  const delivery = (await findDelivery(db, post)) as PostDelivery | null;
  return { post, readers: [author, ...readers], position: delivery?.position };
}

async function expectDelivered(db: Db, { post, readers }: Seen): Promise<void> {
  await waitFor('the delivery', DELIVERED_MS, async () =>
    (await deliveries(db).findOne({ open: true })) === null ? true : null,
  );
  const count = readers.length - 1; // without the author
  expect(await findDelivery(db, post)).toMatchObject({ state: 'FINISHED', done: count, total: count });
  const pages = await newsPages(db).find().toArray();
  const having = pages.flatMap((page) => page.posts.filter(({ id }) => id === post).map(() => page.user_id));
  expect(having.toSorted()).toEqual(readers.toSorted());
}

/** @param position where the delivery is when the process dies: absent in its first step */
const killed = (
  failpoints: Readonly<Record<string, number>>,
  [audience, store]: readonly [string, Store],
  position?: object,
): Scenario<Seen> => ({
  failpoints,
  act: (product, db) => publishTo(product, db, audience, store),
  async judge(_product, db, seen) {
    if (position) expect(seen.position).toMatchObject(position);
    else expect(seen.position).toBeUndefined();
    await expectDelivered(db, seen);
  },
});

const toFollowers = ['PUBLIC', storeFollowers] as const;
const toMembers = ['MY_CIRCLES', storeMembers] as const;
const anyReader = { reader: expect.stringMatching(/^member-/) };

export const longDeliveryScenarios = [
  // Between the two batches of the first page, and before its step is recorded.
  killed({ 'social.references-added': 1, 'social.delivery-stepped': 1 }, toFollowers),
  // Between the batches of the second page, before that is recorded, and when it has just been taken.
  killed({ 'social.references-added': 3, 'social.delivery-stepped': 2, 'social.delivery-taken': 2 }, toFollowers, {
    page: 1,
  }),
  killed({ 'social.references-added': 20, 'social.delivery-stepped': 1 }, toMembers),
  killed(
    { 'social.references-added': 23, 'social.delivery-stepped': 2, 'social.delivery-taken': 2 },
    toMembers,
    anyReader,
  ),
] as readonly Scenario<unknown>[];
