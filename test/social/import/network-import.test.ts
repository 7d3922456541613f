/** Imports of networks: what becomes of each row, repeats, interruptions, and two at once. */
import { beforeEach, describe, expect, it } from 'vitest';
import { deliveries } from '../../../src/models/social/delivery/delivery.js';
import { callOfPost, personIdOf } from '../../../src/models/social/import/source.js';
import { blockPerson } from '../../../src/models/social/network/block.js';
import { followerPages } from '../../../src/models/social/network/follower.js';
import { people } from '../../../src/models/social/network/person.js';
import { type PostDocument, posts } from '../../../src/models/social/posts/post.js';
import { deletePost } from '../../../src/models/social/posts/post-change.js';
import { lines } from '../../content/import/import-support.js';
import { useDatabase } from '../../support/database.js';
import { expireLeases } from '../../support/leases.js';
import { circlesOf, useNetworkImports } from './network-import-support.js';

const database = useDatabase();
const { run, accept, importAll, rejectsOf, personOf, expectSound } = useNetworkImports(database);
let sources = 0;
let source: string;

beforeEach(() => {
  sources += 1;
  source = `source ${sources}`;
});

const id = (key: string): string => personIdOf(source, key);
const at = (minute: number): string => new Date(Date.UTC(2020, 0, 1, 0, minute)).toISOString();
const person = (key: string, more: object = {}) => ({ person: key, name: `Name of ${key}`, ...more });
const postOf = async (key: string): Promise<PostDocument | null> =>
  posts(database.db).findOne({ call: callOfPost(source, key) });

const NETWORK = [
  { post: 1, by: 'ann', text: 'To friends', audience: 'CIRCLES', circles: ['Friends'], at: at(3) },
  { post: 2, by: 'ben', on: 'ann', text: 'On the wall', audience: 'PUBLIC', at: at(2) },
  { post: 3, by: 'ann', text: 'To all of mine', at: at(1) },
  { circle: 'Friends', of: 'ann', members: ['ben'] },
  { circle: 'a.$b', of: 'ann', members: ['ben', 'cid'] },
  { circle: 'Idols', of: 'cid', members: ['ben', 'ann'] },
  person('ann', { about: ' About me ', place: 'Łódź', interests: ['Go', 'Chess', 'Go'] }),
  person('ben'),
  person('cid', { name: 'Çid' }),
];

describe('an import of a network', () => {
  it('stores people, circles and posts, whatever the order of the file', async () => {
    const done = await importAll(NETWORK, source);
    expect(done).toMatchObject({ state: 'FINISHED', imported: 9, skipped: 0, rejected: 0, done: 9, total: 9 });
    const ann = await personOf(source, 'ann');
    expect(ann).toMatchObject({ name: 'Name of ann', about: 'About me', place: 'Łódź', interests: ['Go', 'Chess'] });
    expect(ann).toMatchObject({ imported_from: source, follower_count: 1, blocked: [] });
    expect(ann._id).toMatch(/^[\w-]{16}$/);
    expect(circlesOf(ann)).toEqual({ Friends: [id('ben')], 'a.$b': [id('ben'), id('cid')] });
    expect(await personOf(source, 'cid')).toMatchObject({ name_key: 'cid', follower_count: 1 });
    expect(await personOf(source, 'ben')).toMatchObject({ follower_count: 2, follower_page: { number: 1, taken: 2 } });
    const friends = ann.circles.find(({ name }) => name === 'Friends')?.id;
    expect(await postOf('1')).toMatchObject({
      author_id: id('ann'),
      wall_id: id('ann'),
      text: 'To friends',
      audience: 'CIRCLES',
      circle_ids: [friends],
      posted: new Date(at(3)),
      live: true,
    });
    expect(await postOf('2')).toMatchObject({ author_id: id('ben'), wall_id: id('ann'), guest: true });
    expect(await postOf('3')).toMatchObject({ audience: 'MY_CIRCLES', type: 'STATUS' });
    await expectSound();
  });

  it('has all types of posts but photos', async () => {
    const rows = [
      person('ann'),
      { post: 'l', by: 'ann', type: 'LINK', text: 'See', url: 'https://example.org', title: 'Example', at: at(1) },
      { post: 'c', by: 'ann', type: 'CHECK_IN', title: 'Home', latitude: 51.5, longitude: -0.1, at: at(2) },
      { post: 'p', by: 'ann', type: 'POLL', question: 'Tea?', options: ['Yes', 'No'], audience: 'PUBLIC', at: at(3) },
      { post: 'x', by: 'ann', type: 'PHOTO', at: at(4) },
    ];
    const done = await importAll(rows, source);
    expect(await rejectsOf(done)).toEqual([[5, 'NO_PHOTOS', 'type']]);
    expect(await postOf('l')).toMatchObject({ detail: { url: 'https://example.org/', title: 'Example' } });
    expect(await postOf('c')).toMatchObject({ text: '', detail: { title: 'Home', latitude: 51.5, longitude: -0.1 } });
    expect(await postOf('p')).toMatchObject({
      detail: {
        options: [
          { text: 'Yes', votes: 0 },
          { text: 'No', votes: 0 },
        ],
      },
    });
    await expectSound();
  });

  it('skips what is there, and adds what is new', async () => {
    await importAll(NETWORK, source);
    const before = await people(database.db).find({ imported_from: source }).sort({ _id: 1 }).toArray();
    const again = await importAll(NETWORK, source);
    expect(again).toMatchObject({ imported: 0, skipped: 9, rejected: 0, done: 9 });
    expect(await people(database.db).find({ imported_from: source }).sort({ _id: 1 }).toArray()).toEqual(before);
    expect(await posts(database.db).countDocuments({ author_id: { $in: ['ann', 'ben'].map(id) } })).toBe(3);
    const more = [
      person('ann', { name: 'Other' }),
      person('dan'),
      { circle: 'Friends', of: 'ann', members: ['ben', 'dan'] },
    ];
    expect(await importAll(more, source)).toMatchObject({ imported: 2, skipped: 1 });
    expect((await personOf(source, 'ann')).name).toBe('Name of ann');
    expect(circlesOf(await personOf(source, 'ann')).Friends).toEqual([id('ben'), id('dan')]);
    await expectSound();
  });

  it('takes the first of two rows with one key, next to each other or far apart, and skips the others', async () => {
    const between = Array.from({ length: 250 }, (_, at) => person(`between${at}`));
    const rows = [
      person('ann', { name: 'First' }),
      person('ann', { name: 'Second' }),
      ...between,
      person('ann', { name: 'Third' }),
      { post: 1, by: 'ann', text: 'First', at: at(1) },
      { post: 1, by: 'ann', text: 'Second', at: at(2) },
    ];
    expect(await importAll(rows, source)).toMatchObject({ imported: 252, skipped: 3, rejected: 0 });
    expect((await personOf(source, 'ann')).name).toBe('First');
    expect(await postOf('1')).toMatchObject({ text: 'First' });
  });

  it('does not bring back posts that were deleted since', async () => {
    await importAll(NETWORK, source);
    const { _id = '' } = (await postOf('2')) ?? {};
    await deletePost(database.db, _id, { id: id('ann'), act: null, nameOf: async () => '' }, new Date());
    expect(await importAll(NETWORK, source)).toMatchObject({ imported: 0, skipped: 9, rejected: 0 });
    const left = await posts(database.db)
      .find({ author_id: id('ben') })
      .toArray();
    expect(left).toEqual([expect.objectContaining({ _id, text: '', deleted: expect.any(Date) })]);
  });

  it('keeps sources apart', async () => {
    await importAll([person('ann')], source);
    const other = await importAll([person('ann'), { circle: 'C', of: 'ann', members: ['ben'] }], `${source}'`);
    expect(other).toMatchObject({ imported: 1, rejected: 1 });
    await expect(importAll([person('ann')], ' ')).rejects.toThrow('must have 1 to 100 characters');
  });

  it('is recorded in the audit trail', async () => {
    await accept(lines([person('ann')]), source);
    const entries = database.db.collection('audit').find({ action: 'NETWORK_IMPORTED', detail: source });
    expect(await entries.toArray()).toMatchObject([{ actor: 'admin@example.org', subject: 'network.jsonl' }]);
  });
});

describe('a row of a network', () => {
  it.each([
    ['INVALID_NAME', 'name', { person: 'x' }],
    ['INVALID_NAME', 'name', person('x', { name: 'a\u200bb' })],
    ['INVALID_KEY', 'person', person('', {})],
    ['INVALID_PROFILE', 'about', person('x', { about: 'a'.repeat(1001) })],
    ['INVALID_PROFILE', 'about', person('x', { about: 'a\u0007\u202e' })],
    ['INVALID_PROFILE', 'place', person('x', { place: '\u202e' })],
    ['INVALID_PROFILE', 'interests', person('x', { interests: Array.from({ length: 21 }, (_, n) => `${n}`) })],
    ['INVALID_FIELD', 'about', person('x', { about: 1 })],
    ['NO_KIND', null, { name: 'Nobody' }],
    ['NO_KIND', 'post', { person: 'x', post: 'y' }],
    ['INVALID_NAME', 'circle', { circle: '', of: 'ann' }],
    ['NO_OWNER', 'of', { circle: 'C', of: 'none' }],
    ['INVALID_KEY', 'of', { circle: 'C' }],
    ['INVALID_FIELD', 'members', { circle: 'C', of: 'ann', members: 'ben' }],
    ['INVALID_KEY', 'members.1', { circle: 'C', of: 'ann', members: ['ben', null] }],
    ['TOO_MANY_PEOPLE', 'members', { circle: 'C', of: 'ann', members: Array.from({ length: 5001 }, (_, n) => n) }],
    ['NO_AUTHOR', 'by', { post: 1, by: 'none', text: 'a', at: at(1) }],
    ['NO_WALL', 'on', { post: 1, by: 'ann', on: 'none', text: 'a', at: at(1) }],
    ['INVALID_POST', 'text', { post: 1, by: 'ann', text: '', at: at(1) }],
    ['INVALID_POST', 'url', { post: 1, by: 'ann', text: 'a', url: 'https://example.org', at: at(1) }],
    ['INVALID_POST', 'url', { post: 1, by: 'ann', type: 'LINK', url: 'ftp://example.org', at: at(1) }],
    ['INVALID_POST', 'question', { post: 1, by: 'ann', type: 'POLL', at: at(1) }],
    ['INVALID_POST', 'options', { post: 1, by: 'ann', type: 'POLL', question: 'A?', options: ['a', 'a'], at: at(1) }],
    ['INVALID_FIELD', 'type', { post: 1, by: 'ann', type: 'NEWS', text: 'a', at: at(1) }],
    ['INVALID_POST', 'circles', { post: 1, by: 'ann', text: 'a', audience: 'CIRCLES', at: at(1) }],
    ['NO_CIRCLE', 'circles', { post: 1, by: 'ann', text: 'a', circles: ['None'], at: at(1) }],
    ['INVALID_DATE', 'at', { post: 1, by: 'ann', text: 'a' }],
    ['INVALID_DATE', 'at', { post: 1, by: 'ann', text: 'a', at: '2020-01-01' }],
    ['IN_THE_FUTURE', 'at', { post: 1, by: 'ann', text: 'a', at: '2999-01-01T00:00:00Z' }],
  ])('that is wrong is rejected: %s, %s', async (reason, field, row) => {
    const done = await importAll([row, person('ann'), person('ben')], source);
    expect(await rejectsOf(done)).toEqual([[1, reason, field]]);
    expect(done).toMatchObject({ state: 'FINISHED', imported: 2, rejected: 1, done: 3, total: 3 });
    expect(await posts(database.db).countDocuments({ author_id: id('ann') })).toBe(0);
    expect((await personOf(source, 'ann')).circles).toEqual([]);
  });

  it('that is no JSON is rejected once', async () => {
    const done = await importAll(`${lines([person('ann')])}{\n[]\n\n${lines([{ circle: 'C', of: 'ann' }])}`, source);
    expect(await rejectsOf(done)).toEqual([
      [2, 'NOT_JSON', null],
      [3, 'NOT_JSON', null],
    ]);
    expect(done).toMatchObject({ imported: 2, rejected: 2, done: 4, total: 4 });
  });

  it('of a circle with some who are unknown, its owner, or in a block, keeps the others', async () => {
    await importAll([person('ann'), person('ben'), person('cid')], source);
    await blockPerson(database.db, id('cid'), id('ann'), new Date());
    const rows = [
      { circle: 'A', of: 'ann', members: ['ben', 'none', 'who'] },
      { circle: 'B', of: 'ann', members: ['ann', 'ben'] },
      { circle: 'C', of: 'ann', members: ['cid'] },
    ];
    const done = await importAll(rows, source);
    expect(await rejectsOf(done)).toEqual([
      [1, 'UNKNOWN_MEMBERS', 'members.1'],
      [2, 'UNKNOWN_MEMBERS', 'members.0'],
      [3, 'UNKNOWN_MEMBERS', 'members.0'],
    ]);
    expect(circlesOf(await personOf(source, 'ann'))).toEqual({ A: [id('ben')], B: [id('ben')], C: [] });
    const wall = await importAll([{ post: 1, by: 'ann', on: 'cid', text: 'Hi', at: at(1) }], source);
    expect(await rejectsOf(wall)).toEqual([[1, 'NO_WALL', 'on']]);
    await expectSound();
  });

  it('is rejected where the owner has 100 circles, or would have more than 5,000 people', async () => {
    const circles = Array.from({ length: 101 }, (_, n) => ({ circle: `C${n}`, of: 'ann', members: ['ben'] }));
    const done = await importAll([person('ann'), person('ben'), ...circles], source);
    expect(await rejectsOf(done)).toEqual([[103, 'CIRCLES_FULL', null]]);
    expect((await personOf(source, 'ann')).following).toMatchObject([{ id: id('ben'), circles: { length: 100 } }]);
    const many = Array.from({ length: 5001 }, (_, n) => `p${n}`);
    const rows = [
      ...many.map((key) => person(key)),
      { circle: 'All', of: 'ben', members: many.slice(0, 4999) },
      { circle: 'Too many', of: 'ben', members: many.slice(4998) },
      { circle: 'Full', of: 'ben', members: many.slice(4999, 5000) },
      ...many.slice(0, 2500).map((key) => ({ circle: 'Star', of: key, members: ['ann'] })),
    ];
    const more = await importAll(rows, source);
    expect(await rejectsOf(more)).toEqual([[5003, 'TOO_MANY_PEOPLE', 'members']]);
    expect((await personOf(source, 'ben')).following).toHaveLength(5000);
    expect(await personOf(source, 'ann')).toMatchObject({
      follower_count: 2500,
      follower_page: { number: 3, taken: 500 },
    });
    expect(await followerPages(database.db).countDocuments({ user_id: id('ann') })).toBe(3);
    await expectSound();
  });
});

/** Five batches of people, of circles and of posts. */
const many = () => {
  const keys = Array.from({ length: 1000 }, (_, n) => `p${n}`);
  return [
    ...keys.map((key, n) => ({ post: key, by: key, text: `Post ${n}`, audience: 'PUBLIC', at: at(n) })),
    ...keys.slice(0, 250).map((key, n) => ({ circle: 'C', of: key, members: keys.slice(n + 1, n + 6) })),
    ...keys.map((key) => person(key)),
  ];
};

async function expectMany(): Promise<void> {
  const found = await people(database.db).find({ imported_from: source }).toArray();
  expect(found).toHaveLength(1000);
  const ids = found.map(({ _id }) => _id);
  expect(found.reduce((sum, { follower_count }) => sum + follower_count, 0)).toBe(1250);
  expect(await posts(database.db).countDocuments({ author_id: { $in: ids } })).toBe(1000);
  expect(await deliveries(database.db).countDocuments({ kind: 'POST', author_id: { $in: ids } })).toBe(1000);
  await expectSound();
}

describe('an import that is interrupted', () => {
  beforeEach(async () => {
    for (const collection of [people, followerPages, posts, deliveries]) await collection(database.db).deleteMany({});
  });

  it('is continued after a death at every step, without storing anything twice', { timeout: 400_000 }, async () => {
    const { _id } = await accept(lines(many()), source);
    const work = database.db.collection<{ _id: string; done: number }>('work');
    let deaths = 0;
    for (let done = -1; done < 2250; deaths += 1) {
      expect(deaths).toBeLessThan(40);
      const die = () => {
        throw new Error('dead');
      };
      await run(_id, { onStep: die, onFault: () => undefined }).catch(() => undefined);
      done = (await work.findOne({ _id }))?.done ?? 0;
      const revived = { state: 'RUNNING', open: true, attempts: 0 };
      await work.updateOne({ _id }, { $set: revived, $unset: { failure: '' } });
      await expireLeases(database.db);
      await expectSound();
    }
    expect(deaths).toBeGreaterThan(14);
    expect(await run(_id)).toMatchObject({ state: 'FINISHED', imported: 2250, skipped: 0, done: 2250, total: 2250 });
    await expectMany();
  });

  it('stores everything once if two import the same source at once', async () => {
    const file = lines(many());
    const works = [await accept(file, source), await accept(file, source)];
    const done = await Promise.all(works.map(({ _id }) => run(_id)));
    expect(done.map(({ state }) => state)).toEqual(['FINISHED', 'FINISHED']);
    expect(done.reduce((sum, { imported = 0 }) => sum + imported, 0)).toBe(2250);
    expect(done.reduce((sum, { skipped = 0 }) => sum + skipped, 0)).toBe(2250);
    await expectMany();
  });
});

describe('a file of which nothing can be stored', () => {
  it('ends after 1,000 rows, unless a later pass has rows', async () => {
    const wrong = Array.from({ length: 1200 }, () => ({ none: 1 }));
    expect(await importAll(wrong, source)).toMatchObject({
      state: 'FAILED',
      failure: 'None of the first 1000 rows could be imported',
    });
    await importAll([person('ann')], source);
    const post = { post: 1, by: 'ann', text: 'Hi', at: at(1) };
    expect(await importAll([post, ...wrong], source)).toMatchObject({ state: 'FINISHED', imported: 1, rejected: 1200 });
  });
});
