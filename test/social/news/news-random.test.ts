/**
 * News, walls and incoming posts under random posts, deletions, circles, blocks and names, with couriers that die before they have
 * recorded a step, slow ones that others overtake, and rebuilds beside all of it: they are what the posts and the graph imply, in full
 * pages, while deliveries wait and when none does.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runsOf } from '../../../harness/rounds.js';
import { findPersonViolations } from '../../../src/models/social/invariants.js';
import { people } from '../../../src/models/social/network/person.js';
import { findNews } from '../../../src/models/social/news/news.js';
import { findIncoming, findWall } from '../../../src/models/social/news/wall-list.js';
import { type PostDocument, posts } from '../../../src/models/social/posts/post.js';
import type { PageInput } from '../../../src/shared/page.js';
import { useDatabase } from '../../support/database.js';
import { idsOf } from '../social-support.js';
import { impliedLists } from './implied-lists.js';
import { begin, newsStep, PEOPLE, takeNewsStep } from './random-steps.js';

const database = useDatabase({ checked: false });
const RUNS = runsOf(20);

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
    const { news, incoming, wallOf } = impliedLists(all, everything, reader);
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
