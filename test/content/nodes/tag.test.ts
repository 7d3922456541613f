/** Tags: added and removed without a nonce, searched, and counted on published nodes. */
import { describe, expect, it } from 'vitest';
import { findNode } from '../../../src/models/content/nodes/node.js';
import { findTagged } from '../../../src/models/content/nodes/node-list.js';
import { findTags, tags } from '../../../src/models/content/nodes/tag.js';
import { announceScheduled } from '../../../src/models/content/posts/announcement.js';
import { addTags, removeTags } from '../../../src/models/content/tags/node-tags.js';
import { repairTags } from '../../../src/models/content/tags/tag-repair.js';
import { LimitError, SextantError } from '../../../src/shared/errors.js';
import { useDatabase } from '../../support/database.js';
import { add, edit, later, NOW, requireStored, violations, write } from './node-support.js';

const database = useDatabase();
const tagged = async (searched: string[], now = NOW, first = 10) =>
  (await findTagged(database.db, searched, { first }, now)).edges.map(({ node }) => node.slug);
const counts = async (prefix = '', first = 10) =>
  (await findTags(database.db, prefix, first)).map(({ _id, count }) => [_id, count]);

describe('the tags of a node', () => {
  it('are added and removed without a new version', async () => {
    const { _id, nonce } = await add(database.db, { slug: 'tagged', tags: ['one'] });
    expect(await addTags(database.db, _id, ['two', ' one ', 'two', 'three'], write())).toMatchObject({
      nonce,
      version: 1,
      tags: ['one', 'two', 'three'],
    });
    expect(await removeTags(database.db, _id, ['two', 'four'], write())).toMatchObject({
      tags: ['one', 'three'],
      nonce,
    });
  });

  it('lose none that 10 editors add at once', async () => {
    const { _id } = await add(database.db, { slug: 'at-once' });
    await Promise.all(Array.from({ length: 10 }, (_, n) => addTags(database.db, _id, [`tag ${n}`], write())));
    expect((await findNode(database.db, _id))?.tags.toSorted()).toEqual(
      Array.from({ length: 10 }, (_, n) => `tag ${n}`),
    );
  });

  it('are at most 50', async () => {
    const many = Array.from({ length: 50 }, (_, n) => `${n}`);
    const { _id } = await add(database.db, { slug: 'full', tags: many });
    await expect(addTags(database.db, _id, ['more'], write())).rejects.toThrow(LimitError);
    expect((await findNode(database.db, _id))?.tags).toEqual(many);
    await expect(add(database.db, { slug: 'too-many', tags: [...many, 'more'] })).rejects.toThrow(LimitError);
  });

  it('need a node and at least one tag', async () => {
    await expect(addTags(database.db, 'nobody', ['one'], write())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(removeTags(database.db, 'nobody', ['one'], write())).rejects.toThrow(SextantError);
    await expect(addTags(database.db, 'nobody', [], write())).rejects.toThrow('tags must name at least one tag');
  });
});

describe('published nodes', () => {
  it('are counted by their tags, from their announcement until they are taken back', async () => {
    const both = await add(database.db, { slug: 'both', tags: ['Äpfel', 'news'], publishedAt: NOW });
    const due = await add(database.db, { slug: 'due', tags: ['news'], publishedAt: later(1000) });
    await add(database.db, { slug: 'draft', tags: ['news'] });
    expect(await counts()).toEqual([
      ['news', 1],
      ['Äpfel', 1],
    ]);
    expect(await announceScheduled(database.db, later(999))).toBe(0);
    const [first, second] = await Promise.all([
      announceScheduled(database.db, later(1000)),
      announceScheduled(database.db, later(1000)),
    ]);
    expect(first + second).toBe(1); // once, even by two processes
    expect(await counts()).toEqual([
      ['news', 2],
      ['Äpfel', 1],
    ]);
    expect(await counts('apf')).toEqual([['Äpfel', 1]]);
    expect(await counts('N')).toEqual([['news', 2]]);
    requireStored(await edit(database.db, both, { publishedAt: null }));
    await removeTags(database.db, due._id, ['news'], write({ at: later(2000) }));
    expect(await counts()).toEqual([]);
    expect(await violations(database.db)).toEqual([]);
  });

  it('are found by all of several tags, newest first, at their time', async () => {
    for (let n = 0; n < 60; n += 1) await add(database.db, { slug: `other-${n}`, tags: ['b'], publishedAt: NOW });
    await add(database.db, { slug: 'old', tags: ['a', 'b'], publishedAt: later(-2000) });
    await add(database.db, { slug: 'new', tags: ['b', 'a'], publishedAt: later(-1000) });
    await add(database.db, { slug: 'future', tags: ['a', 'b'], publishedAt: later(1000) });
    await add(database.db, { slug: 'hidden', tags: ['a'] });
    expect(await tagged(['a'])).toEqual(['new', 'old']);
    expect(await tagged(['b', 'a', 'a'])).toEqual(['new', 'old']);
    expect(await tagged(['a'], later(1000))).toEqual(['future', 'new', 'old']);
    const page = await findTagged(database.db, ['a', 'b'], { first: 1 }, NOW);
    const rest = await findTagged(database.db, ['b', 'a'], { first: 1, after: page.pageInfo.endCursor }, NOW);
    expect(rest.edges.map(({ node }) => node.slug)).toEqual(['old']);
    await expect(tagged([])).rejects.toThrow('tags must name at least one tag');
    await expect(tagged(['1', '2', '3', '4', '5', '6'])).rejects.toThrow(LimitError);
  });
});

it('repairs counters that are wrong, missing or unused', async () => {
  await add(database.db, { slug: 'counted', tags: ['right', 'missing'], publishedAt: NOW });
  await tags(database.db).updateOne({ _id: 'right' }, { $set: { count: 7 } });
  await tags(database.db).deleteOne({ _id: 'missing' });
  await tags(database.db).insertOne({ _id: 'unused', key: 'unused', count: 2 });
  expect(await violations(database.db)).toEqual([
    'tag-counted right: 7 instead of 1',
    'tag-counted unused: 2 instead of 0',
  ]);
  expect(await repairTags(database.db)).toBe(3);
  expect(await violations(database.db)).toEqual([]);
  expect(
    await tags(database.db)
      .find({ _id: { $in: ['right', 'missing', 'unused'] } })
      .sort({ _id: 1 })
      .toArray(),
  ).toEqual([
    { _id: 'missing', key: 'missing', count: 1 },
    { _id: 'right', key: 'right', count: 1 },
  ]);
  expect(await repairTags(database.db)).toBe(0);
});
