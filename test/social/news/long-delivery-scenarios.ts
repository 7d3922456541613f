/**
 * The courier dies within and between the steps of one long delivery: the next one continues where that stopped, and every reader has the
 * post once. The pages of followers are small: how full one is does not matter to a courier.
 */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import type { Product } from '../../../harness/product.js';
import { waitFor } from '../../../harness/wait-for.js';
import { deliveries, findDelivery, type PostDelivery } from '../../../src/models/social/delivery/delivery.js';
import { people } from '../../../src/models/social/network/person.js';
import { newsPages } from '../../../src/models/social/news/news-page.js';
import { posts } from '../../../src/models/social/posts/post.js';
import { answerOrNull, type Scenario } from '../../crash/scenario.js';
import { storeFollowers, storeMembers } from '../stored-people.js';

const PAGES = 3;
const PER_PAGE = 30; // with the author 31, in 2 batches of references
const MEMBERS = 560; // a step of 500 and the author in 21 batches, and one of 60 in 3
const DELIVERED_MS = 90_000;

interface Seen {
  readonly post: string;
  /** Everybody who is to have the post, the author included. */
  readonly readers: readonly string[];
  /** Of the delivery, when the process had died. */
  readonly position: PostDelivery['position'];
}

type Store = (db: Db, author: string) => Promise<string[]>;

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

const toFollowers = ['PUBLIC', (db: Db, author: string) => storeFollowers(db, author, PAGES, PER_PAGE)] as const;
const toMembers = ['MY_CIRCLES', (db: Db, author: string) => storeMembers(db, author, ['friends'], MEMBERS)] as const;
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
