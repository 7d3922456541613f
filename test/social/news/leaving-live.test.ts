/** Somebody's account is deleted: lists that are followed, and those that are resumed later, show nothing of the person, however old. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { commitConcernOf, inTransaction } from '../../../src/database/index.js';
import { erasePerson } from '../../../src/models/social/erasure.js';
import { markLeft } from '../../../src/models/social/network/leaving.js';
import type { ListArgs } from '../../../src/models/social/news/list-state.js';
import { findNews } from '../../../src/models/social/news/news.js';
import { findIncoming, findWall } from '../../../src/models/social/news/wall-list.js';
import type { PostDocument } from '../../../src/models/social/posts/post.js';
import { deletePost } from '../../../src/models/social/posts/post-change.js';
import { Hub } from '../../../src/realtime/index.js';
import { useDatabase } from '../../support/database.js';
import type { Network } from '../social-support.js';
import { ListClient } from './list-client.js';
import { begin } from './random-steps.js';

const database = useDatabase({ checked: false });
let hub: Hub;
let network: Network;
const clients: ListClient[] = [];
const ALL = { first: 100 };
const SOME = 24; // more than are shown first

beforeAll(async () => {
  hub = await Hub.create({
    db: database.db,
    ring: { events: 2000, bytes: 10_000_000 },
    catchUpsMax: 4,
    lingerMs: 50,
  });
});
afterAll(() => hub.close());
afterEach(async () => {
  for (const client of clients.splice(0)) await client.disconnect();
});

const byBen = ({ author_id, wall_id }: PostDocument) => author_id === 'ben' || wall_id === 'ben';
const withoutBen = (shown: readonly PostDocument[]) => !shown.some(byBen);

/** Ann follows ben and dan, who all have written on ann's wall; ben's posts are older, and those of dan newer. */
beforeEach(async () => {
  network = await begin(database.db);
  await network.follow('ann', 'ben');
  await network.follow('ann', 'dan');
  for (const [author, count] of [
    ['ben', SOME],
    ['dan', 2],
  ] as const)
    for (let at = 0; at < count; at += 1) {
      await network.post(author);
      await network.post(author, {}, 'ann');
    }
  await network.deliver();
});

async function leave(): Promise<void> {
  await inTransaction(database.db, commitConcernOf.MAJORITY, (session) => markLeft(database.db, session, 'ben'));
}

async function erase(): Promise<void> {
  while ((await erasePerson(database.db, 'ben', network.now())) > 0) await network.deliver();
}

const lists: [string, ListArgs, () => Promise<{ edges: readonly { readonly node: PostDocument }[] }>][] = [
  ['news', { list: 'NEWS', owner: 'ann', reader: 'ann' }, () => findNews(database.db, 'ann', ALL)],
  ['the own wall', { list: 'WALL', owner: 'ann', reader: 'ann' }, () => findWall(database.db, 'ann', 'ann', ALL)],
  ['incoming posts', { list: 'INCOMING', owner: 'ann', reader: 'ann' }, () => findIncoming(database.db, 'ann', ALL)],
  ['the wall', { list: 'WALL', owner: 'ben', reader: 'ann' }, () => findWall(database.db, 'ann', 'ben', ALL)],
  [
    'the wall for visitors',
    { list: 'WALL', owner: 'ben', reader: null },
    () => findWall(database.db, null, 'ben', ALL),
  ],
];

/** Has scrolled to the end. */
async function follow(args: ListArgs, read: (typeof lists)[number][2]): Promise<ListClient> {
  const client = new ListClient(args);
  clients.push(client);
  await client.connect(hub);
  await client.until('the first posts', (shown) => shown.length > 0);
  client.showOlder((await read()).edges.map(({ node }) => node));
  return client;
}

it.each(lists)(
  'all posts of the person go, also older ones, while these are followed: %s',
  async (_name, args, read) => {
    const client = await follow(args, read);
    expect(client.shown.filter(byBen).length).toBeGreaterThanOrEqual(SOME);
    const newest = client.shown.filter(byBen).slice(0, SOME / 2);
    await leave();
    for (const { _id } of newest)
      await deletePost(database.db, _id, { id: 'ben', act: null, nameOf: async () => '' }, network.now());
    const isGone = (shown: readonly PostDocument[]) =>
      !newest.some(({ _id }) => shown.some((post) => post._id === _id));
    await client.until('the newest to go', isGone);
    await erase(); // the list has been read again in between
    await client.until('the posts of ben to go', withoutBen);
    expect(client.snapshots).toBeLessThanOrEqual(2); // one reset, however many posts are deleted after it
  },
);

it.each(lists)('all posts of the person go where these are resumed after it: %s', async (_name, args, read) => {
  const client = await follow(args, read);
  await client.disconnect();
  await leave();
  await erase();
  await client.connect(hub);
  await client.until('the posts of ben to go', withoutBen);
});

it('news lose all of them as soon as the account is deleted, before they are', async () => {
  const [[, args, read] = lists[0] as (typeof lists)[number]] = lists;
  const client = await follow(args, read);
  await leave();
  await client.until('the posts of ben to go', withoutBen);
  expect(client.shown.length).toBeGreaterThan(0);
});
