import { beforeAll, describe, expect, it } from 'vitest';
import { dailyHits } from '../../../src/models/analytics/hits/hit.js';
import { type StoredEvent, toStored } from '../../../src/models/analytics/log/log-form.js';
import { findGrowth, logGrowth } from '../../../src/models/analytics/log-growth/log-growth.js';
import { createSegment, logEvents, segmentCollection } from '../../../src/models/analytics/log-growth/log-segment.js';
import { sessions } from '../../../src/models/analytics/sessions/session.js';
import {
  type CommentDocument,
  commentIdOf,
  comments,
  pathOf,
} from '../../../src/models/comments/discussion/comment.js';
import { PRODUCT_VERSION, type ProductDocument, products } from '../../../src/models/commerce/catalog/product.js';
import { monthOf, type NewsPage, newsPages } from '../../../src/models/social/news/news-page.js';
import { newPostId, type PostDocument, posts } from '../../../src/models/social/posts/post.js';
import { findShardAdvice } from '../../../src/models/system/sharding/shard-advice.js';
import { useDatabase } from '../../support/database.js';

const test = useDatabase();
const DOMAINS = ['analytics', 'comments', 'commerce', 'content', 'social'];
const EVENTS = 4000;
const FIRST = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const logged = (index: number) => ({
  _id: `event ${index}`,
  site: 'example.org',
  time: new Date(FIRST + index * MINUTE_MS),
  host: `203.0.113.${index % 50}`,
  path: index % 2 === 0 ? '/popular' : `/${(index * 7919) % 1000}`,
  status: 200,
});

const productOf = (sku: string, genre = ''): ProductDocument => ({
  _id: sku,
  type: 'AUDIO_ALBUM',
  title: sku,
  title_key: sku,
  title_words: [sku],
  pricing: { currency: 'EUR', list: 100, retail: 100, savings: 0, pct_savings: 0 },
  category_ids: [],
  category_tree_ids: [],
  details: { genres: [genre, 'another'] },
  properties: [],
  qty: 0,
  carted: [],
  sold: 0,
  stocked: 0,
  version: PRODUCT_VERSION,
});

beforeAll(async () => {
  const events = Array.from({ length: EVENTS }, (_, index) => logged(index));
  await logEvents(test.db).insertMany(events);
  const genres = Array.from({ length: 12 }, (_, genre) => `genre ${genre}`);
  const records = Array.from({ length: 1000 }, (_, index) =>
    productOf(`sku ${(index * 7919) % 1000}`, genres[index % 12]),
  );
  await products(test.db).insertMany(records);
});

describe('advice on the request log', () => {
  const ask = () => findShardAdvice(test.db, { subject: 'LOG_EVENTS', sample: 100_000, shards: 4 }, DOMAINS);

  it('compares the four documented keys on the stored events, in order of arrival', async () => {
    const advice = await ask();
    expect(advice.map(({ key }) => key)).toEqual(['{time: 1}', '{_id: "hashed"}', '{path: 1}', '{path: 1, ssk: 1}']);
    for (const { documents, chunkDocuments, phases } of advice) {
      expect({ documents, chunkDocuments }).toEqual({ documents: EVENTS, chunkDocuments: 32 });
      expect(phases[0]?.from).toBe(FIRST);
      expect(phases.at(-1)?.to).toBe(FIRST + (EVENTS - 1) * MINUTE_MS);
    }
    const [byTime, byHash, byPath, byPathAndHash] = advice;
    expect(byTime).toMatchObject({ hottestShardShare: 1, isRecommended: false });
    expect(byTime?.note).toMatch(/^One shard receives up to 100% of the writes at a time/);
    expect(byHash?.hottestShardShare).toBeLessThan(0.3);
    expect(byPath?.jumboChunks).toBe(1);
    expect(byPathAndHash).toMatchObject({ jumboChunks: 0, isRecommended: true });
    expect(byPathAndHash?.note).toMatch(
      /^Use this key: .* a query contacts [\d.]+ of 4 shards on average\. ssk is a hash/,
    );
  });

  it('reads only the sample: the most recent events', async () => {
    const [advice] = await findShardAdvice(test.db, { subject: 'LOG_EVENTS', sample: 1000, shards: 4 }, DOMAINS);
    expect(advice).toMatchObject({ documents: 1000 });
    expect(advice?.phases[0]?.from).toBe(FIRST + (EVENTS - 1000) * MINUTE_MS);
  });

  it('is computed once for concurrent identical calls', async () => {
    const [one, same, other] = await Promise.all([
      ask(),
      ask(),
      findShardAdvice(test.db, { subject: 'LOG_EVENTS', sample: 10, shards: 4 }, DOMAINS),
    ]);
    expect(same).toBe(one);
    expect(other[0]?.documents).toBe(10);
  });

  it('refuses a collection of a domain that is off', () => {
    expect(() =>
      findShardAdvice(test.db, { subject: 'PRODUCTS', sample: 10, shards: 4 }, ['analytics', 'people', 'system']),
    ).toThrow(
      expect.objectContaining({ code: 'BAD_USER_INPUT', details: expect.objectContaining({ field: 'subject' }) }),
    );
  });

  it.each([
    ['sample', { sample: 0, shards: 4 }],
    ['sample', { sample: 2_000_001, shards: 4 }],
    ['shards', { sample: 10, shards: 1 }],
    ['shards', { sample: 10, shards: 101 }],
  ])('refuses a %s out of range: %o', (field, input) => {
    expect(() => findShardAdvice(test.db, { subject: 'LOG_EVENTS', ...input }, DOMAINS)).toThrow(
      expect.objectContaining({ code: 'BAD_USER_INPUT', details: expect.objectContaining({ field }) }),
    );
  });
});

describe('advice on a request log whose growth has changed', () => {
  it('reads all its collections, and a time series in the order of time', async () => {
    const db = test.client.db(`${test.db.databaseName}_grown`);
    try {
      await findGrowth(db); // creates the first segment
      await logEvents(db).insertMany(Array.from({ length: 1000 }, (_, index) => logged(index)));
      const segment = { number: 2, strategy: 'TIME_SERIES' } as const;
      await createSegment(db, segment);
      await logGrowth(db).updateOne({ _id: 'log' }, { $push: { segments: { ...segment, since: new Date() } } });
      const later = Array.from({ length: 2000 }, (_, index) => toStored(segment, logged(1000 + index)));
      await segmentCollection<StoredEvent>(db, segment).insertMany(later);
      const [advice] = await findShardAdvice(db, { subject: 'LOG_EVENTS', sample: 2400, shards: 4 }, DOMAINS);
      expect(advice).toMatchObject({ documents: 2400, hottestShardShare: 1 });
      const begins = advice?.phases.map(({ from }) => from);
      expect(begins).toEqual(Array.from({ length: 12 }, (_, phase) => FIRST + (600 + 200 * phase) * MINUTE_MS));
    } finally {
      await db.dropDatabase();
    }
  });
});

describe('advice on the hits', () => {
  it('counts every hit as a write to its document', async () => {
    const hits = Array.from({ length: 200 }, (_, page) => ({
      _id: `20260101/example.org/${page}`,
      metadata: { date: new Date(FIRST), site: 'example.org', page: `/${page}` },
      hourly: page === 0 ? { 0: 300, 23: 501 } : { 12: 1 },
    }));
    await dailyHits(test.db).insertMany(hits);
    const advice = await findShardAdvice(test.db, { subject: 'HITS', sample: 1000, shards: 2 }, DOMAINS);
    expect(advice).toHaveLength(4);
    for (const { hottestShardShare } of advice) expect(hottestShardShare).toBeGreaterThan(0.8);
  });
});

describe('advice on the catalog', () => {
  it('states the additional cost of the key by type and genre', async () => {
    const [byGenre, byHash] = await findShardAdvice(test.db, { subject: 'PRODUCTS', sample: 1000, shards: 4 }, DOMAINS);
    expect(byGenre?.note).toMatch(/a SKU would be unique only within its type and genre\.$/);
    const asked = (advice: typeof byHash, name: string) =>
      advice?.queries.find((query) => query.name === name)?.shardsAsked;
    expect(asked(byHash, 'a product by its SKU')).toBe(1);
    expect(asked(byGenre, 'a product by its SKU')).toBe(4);
    expect(asked(byGenre, 'albums of a genre')).toBeLessThan(2);
  });
});

describe('advice on nodes', () => {
  it('finds that the key by parent and slug answers lists from one shard, and counts each revision as a write', async () => {
    const stored = Array.from({ length: 2000 }, (_, index) => ({
      _id: `node ${index}`,
      parent_id: `blog ${(index * 7919) % 40}`,
      slug: `post-${index}`,
      created: new Date(FIRST + index * MINUTE_MS),
      revision: index === 1999 ? 8000 : 1,
    }));
    await test.db.collection<{ _id: string }>('cms.nodes').insertMany(stored);
    const advice = await findShardAdvice(test.db, { subject: 'NODES', sample: 10_000, shards: 4 }, DOMAINS);
    const [byPlace, byHash] = advice;
    const asked = (key: typeof byHash, name: string) => key?.queries.find((query) => query.name === name)?.shardsAsked;
    for (const name of ['a node by its parent and slug', 'an edit is stored']) expect(asked(byPlace, name)).toBe(1);
    expect(asked(byPlace, 'the newest posts of a blog')).toBeLessThan(2);
    expect(asked(byHash, 'the newest posts of a blog')).toBe(4);
    expect(asked(byPlace, 'a node by its id')).toBe(4);
    expect(byHash?.note).toMatch(/cannot keep slugs unique within their parent\.$/);
    for (const { hottestShardShare, phases } of advice) {
      expect(hottestShardShare).toBeGreaterThan(0.8);
      expect(phases[0]?.from).toBe(FIRST);
    }
  });
});

describe('advice on comments', () => {
  it('weighs a page from one shard against a lively discussion that all write to', async () => {
    const stored = Array.from({ length: 4000 }, (_, index): CommentDocument => {
      const isLively = index >= 2000; // one discussion has all comments of the second half
      const discussion = isLively ? 'ContentNode:lively' : `ContentNode:${(index * 7919) % 100}`;
      const number = isLively ? index - 1999 : Math.floor(index / 100) + 1;
      return {
        _id: commentIdOf(discussion, number),
        discussion,
        number,
        ...(index % 2 === 0 && { path: pathOf(number), shown: true }), // the others are references
        author: index % 3 === 0 ? { name: 'A visitor' } : { _id: `account ${(index * 31) % 50}`, name: '' },
        posted: new Date(FIRST + index * MINUTE_MS),
        state: 'PUBLISHED',
      };
    });
    await comments(test.db).insertMany(stored);
    const advice = await findShardAdvice(test.db, { subject: 'COMMENTS', sample: 10_000, shards: 4 }, DOMAINS);
    const [byHash, byNumber, byPath, byAuthor] = advice;
    const asked = (key: typeof byHash, name: string) => key?.queries.find((query) => query.name === name)?.shardsAsked;
    for (const key of advice) expect(asked(key, 'a post is stored')).toBe(1);
    expect(asked(byHash, 'a comment by its id')).toBe(1);
    expect(asked(byHash, 'the first page of a discussion')).toBe(4);
    expect(asked(byNumber, 'the first page of a discussion')).toBeLessThan(4);
    expect(asked(byNumber, 'a comment by its id')).toBe(4);
    expect(asked(byAuthor, 'the comments of an author')).toBeLessThan(4);
    expect(byNumber?.worstPhaseShare).toBe(1);
    expect(byPath?.jumboChunks).toBeGreaterThan(0);
    expect(byHash).toMatchObject({ isRecommended: true });
    expect(byHash?.note).toMatch(/A page of a discussion asks every shard\.$/);
  });
});

describe('advice on the network', () => {
  const PEOPLE = 200;
  /** At any time, somebody writes a third of all posts. */
  const authorOf = (index: number) =>
    `person ${index % 3 === 0 ? Math.floor(index / 400) * 17 : (index * 7919) % PEOPLE}`;

  it('keeps posts by the hash of their ids: news, votes and comments find one on one shard, and nobody keeps a shard busy', async () => {
    const stored = Array.from({ length: 4000 }, (_, index): PostDocument => {
      const [author, posted] = [authorOf(index), new Date(FIRST + index * MINUTE_MS)];
      const wall = index % 5 === 0 ? authorOf(index + 1) : author;
      return {
        _id: newPostId(author, wall, posted),
        author_id: author,
        wall_id: wall,
        type: 'STATUS',
        text: '',
        audience: 'PUBLIC',
        circle_ids: [],
        posted,
        way: 'WRITE',
        live: true,
        ...(index % 3 === 0 && { comments: { count: 4, latest: [] } }),
      };
    });
    await posts(test.db).insertMany(stored);
    const advice = await findShardAdvice(test.db, { subject: 'POSTS', sample: 10_000, shards: 4 }, DOMAINS);
    const [byHash, byId, byWall, byAuthor] = advice;
    const asked = (key: typeof byHash, name: string) => key?.queries.find((query) => query.name === name)?.shardsAsked;
    for (const key of advice) expect(asked(key, 'a post is published')).toBe(1);
    for (const key of [byHash, byId]) expect(asked(key, 'a post in the news, by its id')).toBe(1);
    for (const key of [byWall, byAuthor]) expect(asked(key, 'a comment or a vote is counted')).toBe(4);
    expect(asked(byWall, 'a page of a wall')).toBeLessThan(2);
    expect(asked(byAuthor, 'the posts of an author')).toBeLessThan(2);
    expect(byId?.worstPhaseShare).toBeGreaterThan(0.4);
    expect(byHash).toMatchObject({ isRecommended: true });
    expect(byHash?.note).toMatch(/A page of a wall asks every shard\.$/);
  });

  it('keeps news by their readers', async () => {
    const stored = Array.from({ length: 4000 }, (_, index): NewsPage => {
      const at = new Date(FIRST + Math.floor(index / PEOPLE) * 30 * DAY_MS);
      const [user_id, month] = [`person ${(index * 7919) % PEOPLE}`, monthOf(at)];
      return { _id: `${user_id}/${month}/${index}`, user_id, month, count: 150, last: at, first: at, posts: [] };
    });
    await newsPages(test.db).insertMany(stored);
    const advice = await findShardAdvice(test.db, { subject: 'NEWS', sample: 10_000, shards: 4 }, DOMAINS);
    const [byHash, byReader, byReaderAndMonth, byMonth] = advice;
    const asked = (key: typeof byHash, name: string) => key?.queries.find((query) => query.name === name)?.shardsAsked;
    expect(asked(byHash, 'a reference is added')).toBe(4);
    for (const key of [byReader, byReaderAndMonth]) expect(asked(key, 'a reference is added')).toBe(1);
    expect(asked(byMonth, 'the news of a reader')).toBe(4);
    expect(byMonth?.worstPhaseShare).toBeGreaterThan(0.9);
    expect(advice.find(({ isRecommended }) => isRecommended)?.key).toBe('{user_id: 1}');
  });
});

describe('advice on the sessions', () => {
  it('is empty while there are no sessions', async () => {
    expect(await findShardAdvice(test.db, { subject: 'SESSIONS', sample: 1000, shards: 2 }, DOMAINS)).toEqual([]);
  });

  it('finds that time alone, unlike user and time, sends all of them to one shard', async () => {
    const stored = Array.from({ length: 2000 }, (_, index) => ({
      _id: index,
      userid: `user ${(index * 7919) % 100}`,
      ts: new Date(FIRST + index * MINUTE_MS),
      length: 60,
      arrived_at: new Date(FIRST),
    }));
    await sessions(test.db).insertMany(stored);
    const advice = await findShardAdvice(test.db, { subject: 'SESSIONS', sample: 10_000, shards: 4 }, DOMAINS);
    expect(advice.find(({ key }) => key === '{ts: 1}')?.worstPhaseShare).toBe(1);
    expect(advice.find(({ isRecommended }) => isRecommended)?.key).toBe('{userid: 1, ts: 1}');
  });
});
