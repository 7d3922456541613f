/**
 * News, walls and incoming posts under random posts, deletions, circles and blocks, with couriers that die before they have recorded a
 * step: once the queue is empty, they are what the posts and the graph imply, in full pages.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findPersonViolations } from '../../../src/models/social/invariants.js';
import { deliveries } from '../../../src/models/social/delivery/delivery.js';
import { blockPerson, unblockPerson } from '../../../src/models/social/network/block.js';
import { deleteCircle } from '../../../src/models/social/network/circle.js';
import { type PersonDocument, people } from '../../../src/models/social/network/person.js';
import { followerPages } from '../../../src/models/social/network/follower.js';
import { findNews } from '../../../src/models/social/news/news-list.js';
import { newsPages } from '../../../src/models/social/news/news-page.js';
import { findIncoming, findWall } from '../../../src/models/social/news/wall-list.js';
import { byAge, type PostDocument, posts } from '../../../src/models/social/posts/post.js';
import { deletePost } from '../../../src/models/social/posts/post-change.js';
import type { Audience } from '../../../src/models/social/posts/visibility.js';
import type { PageInput } from '../../../src/shared/page.js';
import { useDatabase } from '../../support/database.js';
import { idsOf, Network } from '../social-support.js';

const database = useDatabase({ checked: false });
const PEOPLE = ['ann', 'ben', 'cid', 'dan'] as const;
const CIRCLES = ['Friends', 'Family'] as const;
const RUNS = 60;

const person = fc.constantFrom(...PEOPLE);
const circle = fc.constantFrom(...CIRCLES);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('post' as const), by: person, on: person, audience: fc.constantFrom<Audience>('PUBLIC', 'MY_CIRCLES', 'CIRCLES'), circle }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('follow' as const), by: person, whom: person, circle }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unfollow' as const), by: person, whom: person, circle }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), at: fc.nat(50) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), by: person, circle }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('block' as const), by: person, whom: person }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unblock' as const), by: person, whom: person }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('deliver' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('die' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Everything that a step may need: made anew for each run. */
async function begin(): Promise<Network> {
  const { db } = database;
  for (const collection of [people, followerPages, posts, newsPages, deliveries]) await collection(db).deleteMany({});
  const network = new Network(db);
  await network.join(...PEOPLE);
  return network;
}

const circleOf = async (owner: string, name: string) =>
  (await people(database.db).findOne({ _id: owner }))?.circles.find((each) => each.name === name)?.id;

async function take(network: Network, given: Step): Promise<void> {
  const { db } = database;
  if (given.kind === 'post') {
    const id = given.audience === 'CIRCLES' ? await circleOf(given.by, given.circle) : undefined;
    if (given.audience === 'CIRCLES' && !id) return;
    network.wait(given.circle === 'Family' ? 40 * 86_400_000 : 0); // some months
    await network.post(given.by, { audience: given.audience, circles: id ? [id] : [] }, given.on).catch(() => undefined);
  }
  if (given.kind === 'follow') await network.follow(given.by, given.whom, given.circle);
  if (given.kind === 'unfollow') await network.unfollow(given.by, given.whom, given.circle);
  if (given.kind === 'drop') await deleteCircle(db, given.by, (await circleOf(given.by, given.circle)) ?? '', network.now());
  if (given.kind === 'block') await blockPerson(db, given.by, given.whom, network.now());
  if (given.kind === 'unblock') await unblockPerson(db, given.by, given.whom);
  if (given.kind === 'deliver') await network.deliver();
  if (given.kind === 'delete') {
    const all = await posts(db).find({}).sort({ _id: 1 }).toArray();
    const post = all[given.at % Math.max(1, all.length)];
    if (post) await deletePost(db, post._id, { id: post.author_id, act: null, nameOf: async () => '' }, network.now());
  }
  if (given.kind === 'die') await dieAfterStep(network);
}

/** A courier that has carried out all steps, and dies before it records any: the next one repeats them. */
async function dieAfterStep(network: Network): Promise<void> {
  const before = await deliveries(database.db).find({ open: true }).toArray();
  await network.deliver();
  for (const { _id, ...delivery } of before) {
    await deliveries(database.db).replaceOne({ _id }, { ...delivery, attempts: 1, token: delivery.token + 10 } as never, {
      upsert: true,
    });
  }
}

const byId = (all: readonly PersonDocument[]) => new Map(all.map((each) => [each._id, each]));

/** The truth, as simply as it can be said. */
function expected(all: readonly PersonDocument[], everything: readonly PostDocument[], reader: string) {
  const known = byId(all);
  const circlesOf = (author: string) => known.get(author)?.following.find(({ id }) => id === reader)?.circles ?? [];
  const follows = (author: string) => known.get(reader)?.following.some(({ id }) => id === author) ?? false;
  const blocks = (one: string, other: string) => known.get(one)?.blocked.some(({ id }) => id === other) ?? false;
  const apart = (other: string) => other !== reader && (blocks(reader, other) || blocks(other, reader));
  const isMeant = (post: PostDocument) =>
    post.audience === 'MY_CIRCLES' ? circlesOf(post.author_id).length > 0
      : post.audience === 'CIRCLES' && circlesOf(post.author_id).some((id) => post.circle_ids.includes(id));
  const sees = (post: PostDocument) =>
    post.live === true &&
    (post.author_id === reader ||
      (!apart(post.author_id) &&
        !apart(post.wall_id) &&
        (post.wall_id === reader || post.audience === 'PUBLIC' || isMeant(post))));
  const seen = everything.filter(sees).sort(byAge);
  return {
    news: seen.filter((post) => post.author_id === reader || (post.audience === 'PUBLIC' ? follows(post.author_id) : isMeant(post))),
    incoming: seen.filter((post) => post.wall_id === reader && post.author_id !== reader),
    wallOf: (owner: string) =>
      apart(owner)
        ? []
        : seen.filter(
            (post) =>
              post.wall_id === owner && (owner !== reader || post.author_id === reader || follows(post.author_id)),
          ),
  };
}

/** All pages of a list: each is full except the last one. */
async function readAll(
  find: (page: PageInput) => ReturnType<typeof findNews>,
): Promise<string[]> {
  const all: string[] = [];
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof findNews>> = await find({ first: 3, after });
    all.push(...idsOf(page));
    if (!page.pageInfo.hasNextPage) return all;
    expect(page.edges).toHaveLength(3);
    after = page.pageInfo.endCursor;
  }
}

async function compare(): Promise<void> {
  const { db } = database;
  const all = await people(db).find({}).toArray();
  const everything = await posts(db).find({}).toArray();
  const ids = (some: readonly PostDocument[]) => some.map(({ _id }) => _id);
  for (const reader of PEOPLE) {
    const { news, incoming, wallOf } = expected(all, everything, reader);
    expect(await readAll((page) => findNews(db, reader, page))).toEqual(ids(news));
    expect(await readAll((page) => findIncoming(db, reader, page))).toEqual(ids(incoming));
    for (const owner of PEOPLE)
      expect(await readAll((page) => findWall(db, reader, owner, page))).toEqual(ids(wallOf(owner)));
  }
}

describe('after random changes', () => {
  it('the lists of everybody are what the posts and the graph imply', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const network = await begin();
        for (const each of steps) await take(network, each);
        await network.deliver();
        await compare();
        for await (const violation of findPersonViolations(database.db, async () => undefined))
          expect(violation).toBeUndefined();
      }),
      { numRuns: RUNS },
    );
  });
});
