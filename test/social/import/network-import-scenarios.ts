/** A network that is imported while the process dies: another one completes it, and everything is there once. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import type { Product, ProductClient } from '../../../harness/product.js';
import { waitFor } from '../../../harness/wait-for.js';
import { answerOrNull, type ServerScenario } from '../../crash/scenario.js';

const COUNT = 500; // three batches of people and of posts, five of circles
const MEMBERS = 4;

const IMPORT = `mutation ($file: Upload!, $input: ImportNetworkInput!) {
  importNetwork(file: $file, input: $input) { __typename }
}`;

async function begin(product: Product): Promise<null> {
  const keys = Array.from({ length: COUNT }, (_, n) => n);
  const rows = [
    ...keys.map((post) => ({ post, by: post, text: `Post ${post}`, audience: 'PUBLIC', at: '2020-01-01T00:00:00Z' })),
    ...keys.map((of) => ({ circle: 'C', of, members: keys.map((n) => (of + n + 1) % COUNT).slice(0, MEMBERS) })),
    ...keys.map((person) => ({ person, name: `Person ${person}` })),
  ];
  const file = new File([rows.map((row) => `${JSON.stringify(row)}\n`).join('')], 'network.jsonl');
  await answerOrNull(product.upload(IMPORT, { input: { source: 'crashed' } }, file));
  return null;
}

const dies = (failpoint: string, pass: number): ServerScenario<null> => ({
  failpoints: { [failpoint]: pass },
  act: begin,
  async judge(_product: ProductClient, db: Db) {
    const work = await waitFor('the end of the import', 90_000, () =>
      db.collection('work').findOne({ kind: 'network-import', state: { $in: ['FINISHED', 'FAILED'] } }),
    );
    const rows = 3 * COUNT;
    expect(work).toMatchObject({ state: 'FINISHED', imported: rows, done: rows, total: rows });
    expect(await db.collection('audit').countDocuments({ action: 'NETWORK_IMPORTED' })).toBe(1);
    const people = await db.collection('social.users').find({ imported_from: 'crashed' }).toArray();
    expect(people).toHaveLength(COUNT);
    for (const { following, follower_count } of people)
      expect([following.length, follower_count]).toEqual([MEMBERS, MEMBERS]);
    expect(await db.collection('social.posts').countDocuments()).toBe(COUNT);
    // Each post reaches its author and the four followers.
    await waitFor('the news', 90_000, async () =>
      (await db.collection('social.deliveries').countDocuments({ open: true })) === 0 ? true : null,
    );
    const news = await db.collection('social.news').find().toArray();
    expect(news.reduce((sum, { posts }) => sum + posts.length, 0)).toBe(COUNT * (MEMBERS + 1));
  },
});

export const peopleStored = dies('social.import-people-stored', 2);
export const circlesStored = dies('social.import-circles-stored', 3);
export const postsStored = dies('social.import-posts-stored', 2);
