/**
 * News, walls and incoming posts under random posts, deletions, circles, blocks and names, with couriers that die before they have
 * recorded a step, slow ones that others overtake, and rebuilds beside all of it: they are what the posts and the graph imply, in full
 * pages, while deliveries wait and when none does.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runsOf } from '../../../harness/rounds.js';
import { findPersonViolations } from '../../../src/models/social/invariants.js';
import { type PersonDocument, people } from '../../../src/models/social/network/person.js';
import { findNews } from '../../../src/models/social/news/news.js';
import { findIncoming, findWall } from '../../../src/models/social/news/wall-list.js';
import { byAge, type PostDocument, posts } from '../../../src/models/social/posts/post.js';
import type { PageInput } from '../../../src/shared/page.js';
import { useDatabase } from '../../support/database.js';
import { idsOf } from '../social-support.js';
import { begin, newsStep, PEOPLE, takeNewsStep } from './random-steps.js';

const database = useDatabase({ checked: false });
const RUNS = runsOf(20);

const byId = (all: readonly PersonDocument[]) => new Map(all.map((each) => [each._id, each]));

/** The truth, as simply as it can be said. */
function expected(all: readonly PersonDocument[], everything: readonly PostDocument[], reader: string) {
  const known = byId(all);
  const circlesOf = (author: string) => known.get(author)?.following.find(({ id }) => id === reader)?.circles ?? [];
  const follows = (author: string) => known.get(reader)?.following.some(({ id }) => id === author) ?? false;
  const blocks = (one: string, other: string) => known.get(one)?.blocked.some(({ id }) => id === other) ?? false;
  const apart = (other: string) => other !== reader && (blocks(reader, other) || blocks(other, reader));
  const isMeant = (post: PostDocument) =>
    post.audience === 'MY_CIRCLES'
      ? circlesOf(post.author_id).length > 0
      : post.audience === 'CIRCLES' && circlesOf(post.author_id).some((id) => post.circle_ids.includes(id));
  const sees = (post: PostDocument) =>
    post.live === true &&
    (post.author_id === reader ||
      post.wall_id === reader ||
      (!apart(post.author_id) && !apart(post.wall_id) && (post.audience === 'PUBLIC' || isMeant(post))));
  const seen = everything.filter(sees).sort(byAge);
  return {
    news: seen.filter(
      (post) => post.author_id === reader || (post.audience === 'PUBLIC' ? follows(post.author_id) : isMeant(post)),
    ),
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
async function readAll(find: (page: PageInput) => ReturnType<typeof findNews>): Promise<string[]> {
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
      fc.asyncProperty(fc.array(newsStep, { minLength: 5, maxLength: 40 }), async (steps) => {
        const network = await begin(database.db);
        for (const each of steps) await takeNewsStep(network, each);
        await compare();
        await network.deliver();
        await compare();
        for await (const violation of findPersonViolations(database.db, async () => undefined))
          expect(violation).toBeUndefined();
      }),
      { numRuns: RUNS },
    );
  });
});
