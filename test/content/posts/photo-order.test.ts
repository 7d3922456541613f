/** The order of the photos in a gallery. */
import type { Db } from 'mongodb';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeRandom } from '../../../harness/random.js';
import { asNode, findNode, type NodeDocument, nodes, type StoredNode } from '../../../src/models/content/nodes/node.js';
import { moveNode } from '../../../src/models/content/nodes/node-move.js';
import { deleteNode, restoreNode } from '../../../src/models/content/nodes/node-trash.js';
import { findAllPhotos, findOwnPhotos, findPhotos } from '../../../src/models/content/posts/photo-list.js';
import { placePhoto } from '../../../src/models/content/posts/photo-order.js';
import { rankMissing } from '../../../src/models/content/posts/photo-ranking.js';
import { CursorError } from '../../../src/shared/errors.js';
import type { Connection } from '../../../src/shared/page.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';

import { add, edit, later, NOW, requireStored, violations, write } from '../nodes/node-support.js';

const database = useDatabase();
let db: Db;
let gallery: NodeDocument;
let galleries = 0;

/** A photo that is published `age` seconds ago, or a draft. */
const addPhoto = (title: string, age: number | null = null, parentId = gallery._id) =>
  add(db, { type: 'PHOTO', parentId, title, publishedAt: age === null ? null : later(-age * 1000) });

async function addGallery(): Promise<NodeDocument> {
  galleries += 1;
  return add(db, { type: 'GALLERY', title: `Gallery ${galleries}` });
}

/** The first is the newest. */
async function addPhotos(titles: Iterable<string>): Promise<NodeDocument[]> {
  const photos: NodeDocument[] = [];
  for (const [age, title] of [...titles].entries()) photos.push(await addPhoto(title, age));
  return photos;
}

const current = async ({ _id }: Pick<NodeDocument, '_id'>): Promise<NodeDocument> => {
  const found = await findNode(db, _id);
  if (!found) throw new Error('It is not there');
  return found;
};

const titlesOf = ({ edges }: Connection<NodeDocument>) => edges.map(({ node }) => node.title).join('');
const page = { first: 100, after: null };
const shown = async () => titlesOf(await findPhotos(db, await current(gallery), page, NOW));
const all = async () => titlesOf(await findAllPhotos(db, await current(gallery), page));
const place = async (photo: NodeDocument, after: NodeDocument | null) =>
  requireStored(await placePhoto(db, photo._id, after?._id ?? null, NOW));

beforeAll(async () => {
  db = database.db;
  // Others, so that an index makes a difference.
  gallery = await addGallery();
  const others = await addPhotos(Array.from({ length: 60 }, (_, n) => `Photo ${n}`));
  await place(others[0] as NodeDocument, null);
});

beforeEach(async () => {
  gallery = await addGallery();
});

describe('the photos of a gallery', () => {
  it('are in the order of their publication, and editors see the drafts first', async () => {
    await addPhoto('c', 3);
    await addPhoto('a', 1);
    await addPhoto('b', 2);
    await add(db, { type: 'PHOTO', parentId: gallery._id, title: 'D' }, { at: later(1) });
    await add(db, { type: 'PHOTO', parentId: gallery._id, title: 'E' }, { at: later(2) });
    await addPhoto('S', -5);
    expect([await shown(), await all()]).toEqual(['abc', 'EDSabc']);
    for (const first of [1, 2, 3, 4]) expect(await pages(first)).toBe('EDSabc');
  });

  it('are where an editor places them, from the first one on that is placed', async () => {
    const [a, b, c, d] = (await addPhotos('abcd')) as [NodeDocument, NodeDocument, NodeDocument, NodeDocument];
    await place(d, a);
    expect(await shown()).toBe('adbc');
    await place(a, c);
    expect(await shown()).toBe('dbca');
    await place(c, null);
    expect(await shown()).toBe('cdba');
    expect(await current(gallery)).toMatchObject({ photo_order: 'BY_HAND', version: 1 });
    expect(await current(c)).toMatchObject({ version: 1, nonce: c.nonce, edited: c.edited });
    for (const first of [1, 2, 3, 4]) expect(await pages(first)).toBe('cdba');
    expect(await violations(db)).toEqual([]);
    expect(b.rank).toBeUndefined();
  });

  it('stay where they are when they are edited', async () => {
    const [a, b] = (await addPhotos('ab')) as [NodeDocument, NodeDocument];
    await place(b, null);
    requireStored(await edit(db, await current(a), { title: 'A', publishedAt: later(-1) }));
    requireStored(await edit(db, await current(b), { publishedAt: null }));
    expect([await shown(), await all()]).toEqual(['A', 'bA']);
  });

  it('that are new, moved there or restored come first, and leave nothing behind where they were', async () => {
    const [a, b] = (await addPhotos('ab')) as [NodeDocument, NodeDocument];
    await place(b, null);
    await addPhoto('c', 9);
    const elsewhere = await addGallery();
    const d = await addPhoto('d', 9, elsewhere._id);
    requireStored(await moveNode(db, write(), { id: d._id, nonce: d.nonce, parentId: gallery._id }));
    expect(await shown()).toBe('dcba');
    requireStored(await deleteNode(db, write(), testAct(NOW), { id: a._id, nonce: a.nonce }));
    expect([await all(), (await current(a)).rank]).toEqual(['dcb', undefined]);
    requireStored(await restoreNode(db, write(), a._id));
    expect(await all()).toBe('adcb');
    const { nonce } = await current(d);
    requireStored(await moveNode(db, write(), { id: d._id, nonce, parentId: elsewhere._id }));
    expect([await all(), (await current(d)).rank]).toEqual(['acb', undefined]);
    expect(await violations(db)).toEqual([]);
  });

  it('are read to their end in the order in which the first page was', async () => {
    const [, , , d] = await addPhotos('abcd');
    const { pageInfo } = await findPhotos(db, await current(gallery), { first: 2, after: null }, NOW);
    await place(d as NodeDocument, null);
    const rest = { first: 2, after: pageInfo.endCursor };
    expect(titlesOf(await findPhotos(db, await current(gallery), rest, NOW))).toBe('cd');
    await expect(findPhotos(db, await current(gallery), { first: 2, after: 'no' }, NOW)).rejects.toThrow(CursorError);
  });

  it('of one author are a list of their own, most recently edited first', async () => {
    const author = { _id: 'ada', name: 'Ada' };
    const addOwn = (title: string, at: number, published = false, parentId = gallery._id) =>
      add(db, { type: 'PHOTO', parentId, title, publishedAt: published ? NOW : null }, { author, at: later(at) });
    await addPhotos('xy');
    const a = await addOwn('a', 1);
    await addOwn('b', 2, true);
    const c = await addOwn('c', 3);
    await addOwn('elsewhere', 4, false, (await addGallery())._id);
    requireStored(await edit(db, a, { title: 'A' }, { at: later(5), author }));
    requireStored(await deleteNode(db, write({ at: later(6), author }), testAct(NOW), { id: c._id, nonce: c.nonce }));
    const own = (first: number, after: string | null = null) => findOwnPhotos(db, gallery._id, 'ada', { first, after });
    const begin = await own(1);
    expect([titlesOf(begin), titlesOf(await own(1, begin.pageInfo.endCursor)), titlesOf(await own(9))]).toEqual([
      'A',
      'b',
      'Ab',
    ]);
    expect((await findOwnPhotos(db, gallery._id, null, page)).edges).toEqual([]);
  });

  async function pages(first: number): Promise<string> {
    let [titles, after]: [string, string | null] = ['', null];
    for (;;) {
      const connection: Connection<NodeDocument> = await findAllPhotos(db, await current(gallery), { first, after });
      titles += titlesOf(connection);
      after = connection.pageInfo.endCursor;
      if (!connection.pageInfo.hasNextPage) return titles;
    }
  }
});

describe('placing a photo', () => {
  /** Copies of a photo in the same gallery. @returns their ids */
  async function insertMany(photo: NodeDocument, count: number, rankOf?: (index: number) => number): Promise<string[]> {
    const copies = Array.from({ length: count }, (_, index): StoredNode => {
      const [_id, slug] = [`${gallery._id}-${index}`, `photo-${index}`];
      const edited_order = `${photo.edited_order}${index}`;
      return { ...photo, _id, slug, edited_order, ...(rankOf && { rank: rankOf(index) }) };
    });
    await nodes(db).insertMany(copies);
    return copies.map(({ _id }) => _id);
  }

  const ranked = () =>
    nodes(db)
      .find({ parent_id: gallery._id, rank: { $gt: Number.NEGATIVE_INFINITY } })
      .sort({ rank: 1 })
      .map(asNode)
      .toArray();

  it('a second time at the same place writes nothing', async () => {
    const [a, b] = (await addPhotos('abc')) as [NodeDocument, NodeDocument];
    const placed = await place(a, b);
    const before = await current(gallery);
    expect(await place(a, b)).toEqual(placed);
    expect(await current(gallery)).toEqual(before);
  });

  it('is refused behind one that is not in the gallery, and without such a photo', async () => {
    const [a, b] = (await addPhotos('ab')) as [NodeDocument, NodeDocument];
    const other = await addPhoto('o', 1, (await addGallery())._id);
    requireStored(await deleteNode(db, write(), testAct(NOW), { id: b._id, nonce: b.nonce }));
    for (const after of [other._id, b._id, gallery._id, 'none'])
      expect(await placePhoto(db, a._id, after, NOW)).toMatchObject({ __typename: 'PhotoNotInGallery' });
    for (const id of [b._id, gallery._id, 'none'])
      expect(await placePhoto(db, id, null, NOW)).toMatchObject({ __typename: 'NodeNotFound' });
    await expect(placePhoto(db, a._id, a._id, NOW)).rejects.toMatchObject({ details: { field: 'after' } });
    expect((await current(gallery)).photo_order).toBeUndefined();
    expect(await current(a)).toEqual(a);
  });

  it('is a limit in a gallery with too many photos, and changes nothing', async () => {
    const photo = await addPhoto('a', 1);
    const many = await insertMany(photo, 2000);
    await expect(placePhoto(db, photo._id, null, NOW)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(await current(photo)).toEqual(photo);
    await nodes(db).deleteOne({ _id: many[0] ?? '' });
    await place(photo, null);
    expect(await nodes(db).countDocuments({ parent_id: gallery._id, rank: { $exists: true } })).toBe(2000);
    await nodes(db).deleteMany({ parent_id: gallery._id, _id: { $ne: photo._id } });
  });

  it('has room in an ordered gallery of any size, and ranks few others again', async () => {
    const photo = await addPhoto('a', 1);
    await nodes(db).updateOne({ _id: gallery._id }, { $set: { photo_order: 'BY_HAND' } });
    await nodes(db).updateOne({ _id: photo._id }, { $set: { rank: 0 } });
    const ids = await insertMany(photo, 2100, (index) => index + 1);
    const revisions = async () => (await ranked()).reduce((sum, { revision }) => sum + revision, 0);
    const before = await revisions();
    const expected = [photo._id, ...ids];
    for (let round = 0; round < 60; round += 1) {
      const id = expected.splice(1100, 1)[0] ?? '';
      requireStored(await placePhoto(db, id, expected[1000] ?? '', NOW));
      expected.splice(1001, 0, id);
    }
    expect((await ranked()).map(({ _id }) => _id)).toEqual(expected);
    expect((await revisions()) - before).toBeLessThan(60 + 65); // one for each placing, and the neighbors once
    await nodes(db).deleteMany({ parent_id: gallery._id, _id: { $ne: photo._id } });
  });

  it('has room even if a file has brought ranks without any between them', async () => {
    const photo = await addPhoto('a', 1);
    await nodes(db).updateOne({ _id: gallery._id }, { $set: { photo_order: 'BY_HAND' } });
    await nodes(db).updateOne({ _id: photo._id }, { $set: { rank: 0 } });
    const ids = await insertMany(photo, 300, (index) => 1 + index * Number.EPSILON);
    requireStored(await placePhoto(db, photo._id, ids[149] ?? '', NOW));
    const expected = [...ids.slice(0, 150), photo._id, ...ids.slice(150)];
    expect((await ranked()).map(({ _id }) => _id)).toEqual(expected);
    expect(new Set((await ranked()).map(({ rank }) => rank)).size).toBe(301);
    await nodes(db).deleteMany({ parent_id: gallery._id, _id: { $ne: photo._id } });
  });

  it('leads to the order that a list in memory has, however often photos are placed between the same two', async () => {
    const random = makeRandom(7);
    const photos = await addPhotos('abcdefgh');
    let expected = photos.map(({ _id }) => _id);
    const move = async (id: string, after: string | null) => {
      requireStored(await placePhoto(db, id, after, NOW));
      expected = expected.filter((each) => each !== id);
      expected.splice(after === null ? 0 : expected.indexOf(after) + 1, 0, id);
    };
    // Each goes between the first one and the one that was placed last: the numbers between them are used up after some 50.
    for (let round = 0; round < 55; round += 1) await move(expected.at(-1) ?? '', expected[0] ?? '');
    for (let round = 0; round < 55; round += 1) {
      const id = random.pick(expected as [string]);
      await move(id, random.pick([null, ...expected.filter((each) => each !== id)]));
    }
    const found = await findPhotos(db, await current(gallery), page, NOW);
    expect(found.edges.map(({ node }) => node._id)).toEqual(expected);
    const ranks = found.edges.map(({ node }) => node.rank ?? 0);
    expect(ranks.every((rank, at) => at === 0 || rank > (ranks[at - 1] ?? 0))).toBe(true);
    expect(await violations(db)).toEqual([]);
  });

  it('keeps the wanted order in random bursts around few places (seeds 1 and 2)', async () => {
    for (const seed of [1, 2]) {
      gallery = await addGallery();
      const random = makeRandom(seed);
      let expected = (await addPhotos('abcdefghijklmnop')).map(({ _id }) => _id);
      for (let burst = 0; burst < 2; burst += 1) {
        const [low, high] = random.pick([
          [0, 1],
          [3, 1],
          [7, 2],
        ]);
        // Now behind the one, now before the other: what is between them comes as close as it can.
        for (let round = 0; round < 70; round += 1) {
          const id = expected.at(-1) ?? '';
          const after = expected[low + random.below(high)] ?? '';
          requireStored(await placePhoto(db, id, after, NOW));
          expected = expected.filter((each) => each !== id);
          expected.splice(expected.indexOf(after) + 1, 0, id);
        }
        expect((await ranked()).map(({ _id }) => _id)).toEqual(expected);
      }
    }
    expect(await violations(db)).toEqual([]);
  });

  it('puts photos first that a server without ranks has added, and has its place behind one of them', async () => {
    const photos = (await addPhotos('abcdef')) as [NodeDocument, NodeDocument, NodeDocument, ...NodeDocument[]];
    const [a, b, c] = photos;
    await place(b, null);
    const lose = (...lost: readonly NodeDocument[]) =>
      nodes(db).updateMany({ _id: { $in: lost.map(({ _id }) => _id) } }, { $unset: { rank: 1 } });
    await lose(a, c);
    await place(b, c);
    expect(await all()).toBe('acbdef');
    await lose(a);
    await place(a, c); // one that has no rank itself
    expect(await all()).toBe('cabdef');
    expect(await violations(db)).toEqual([]);
    await lose(a, c);
    expect(await violations(db)).toEqual([`photos-ranked ${gallery._id}: 4 instead of 6`]);
    expect([await rankMissing(db, NOW), await rankMissing(db, NOW)]).toEqual([2, 0]);
    expect(await all()).toBe('acbdef');
    expect(await violations(db)).toEqual([]);
  });

  it.each([1, 2])('at random by many at once loses none and shows none twice (seed %i)', async (seed) => {
    const random = makeRandom(seed);
    const photos = await addPhotos('abcdefghij');
    const ids = photos.map(({ _id }) => _id);
    for (let round = 0; round < 4; round += 1) {
      const moves = Array.from({ length: 6 }, () => {
        const id = random.pick(ids as [string]);
        return placePhoto(db, id, random.pick([null, ...ids.filter((each) => each !== id)]), NOW);
      });
      const added = addPhoto(`${round}`, 5);
      for (const outcome of await Promise.all(moves)) requireStored(outcome);
      ids.push((await added)._id);
      const found = await findAllPhotos(db, await current(gallery), page);
      expect(found.edges.map(({ node }) => node._id).toSorted()).toEqual(ids.toSorted());
    }
    expect(await violations(db)).toEqual([]);
  });

  it('by two editors at once holds for both', async () => {
    const photos: unknown = await addPhotos('abcdefgh');
    const [a, b, c, , , , g, h] = photos as [
      NodeDocument,
      NodeDocument,
      NodeDocument,
      0,
      0,
      0,
      NodeDocument,
      NodeDocument,
    ];
    await Promise.all([place(h, a), place(b, g)]);
    expect(await shown()).toBe('ahcdefgb');
    await Promise.all([place(c, a), place(b, a)]);
    expect(['acbhdefg', 'abchdefg']).toContain(await shown());
  });
});
