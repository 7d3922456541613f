/** Versions: every one is kept, listed with what it changed, and can be restored. */
import { expect, it } from 'vitest';
import { findNode } from '../../../src/models/content/nodes/node.js';
import { changesOf } from '../../../src/models/content/nodes/node-difference.js';
import { restoreVersion } from '../../../src/models/content/nodes/node-edit.js';
import { findVersions } from '../../../src/models/content/nodes/node-version.js';
import { CursorError } from '../../../src/shared/errors.js';
import { useDatabase } from '../../support/database.js';
import { add, ben, edit, later, requireStored, violations, write } from './node-support.js';

const database = useDatabase();

/** @returns a node with versions of the titles 1 to `count` */
async function withVersions(count: number, slug: string) {
  let node = await add(database.db, { title: '1', slug, text: 'Text 1' });
  for (let number = 2; number <= count; number += 1)
    node = requireStored(await edit(database.db, node, { title: `${number}` }, { author: ben, at: later(number) }));
  return node;
}

it('lists all versions newest first, page by page, each with what it changed', async () => {
  await withVersions(60, 'other'); // which do not match
  const { _id } = await withVersions(7, 'listed');
  const first = await findVersions(database.db, _id, { first: 3 });
  expect(first.edges.map(({ node }) => [node.version, node.title, node.author.name])).toEqual([
    [7, '7', 'Ben'],
    [6, '6', 'Ben'],
    [5, '5', 'Ben'],
  ]);
  const last = first.edges[2]?.node;
  expect(last?.previous && changesOf(last.previous, last)).toEqual([
    { field: 'title', base: '4', yours: '5', theirs: '4', merged: '5' },
  ]);
  expect(first.pageInfo.hasNextPage).toBe(true);
  const rest = await findVersions(database.db, _id, { first: 5, after: first.pageInfo.endCursor });
  expect(rest.edges.map(({ node }) => node.version)).toEqual([4, 3, 2, 1]);
  expect(rest.edges.at(-1)?.node.previous).toBeNull();
  expect(rest.pageInfo.hasNextPage).toBe(false);
  await expect(findVersions(database.db, 'other', { first: 1, after: first.pageInfo.endCursor })).rejects.toThrow(
    CursorError,
  );
});

it('restores an old version as a new one, and keeps its publication time, place and tags', async () => {
  const before = await add(database.db, { title: 'Old', slug: 'restored', text: 'Old text', tags: ['kept'] });
  const edited = requireStored(
    await edit(database.db, before, { title: 'New', text: 'New text', publishedAt: later(1) }),
  );
  const call = write({ at: later(2) });
  const restored = requireStored(
    await restoreVersion(database.db, call, { id: before._id, nonce: edited.nonce, version: 1 }),
  );
  expect(restored).toMatchObject({ title: 'Old', detail: { text: 'Old text' }, version: 3, published: later(1) });
  expect(restored).toMatchObject({ slug: 'restored', tags: ['kept'], nonce: call.call });
  const again = await restoreVersion(database.db, call, { id: before._id, nonce: edited.nonce, version: 1 });
  expect(again).toEqual(restored);
});

it('does not restore what is not there, or over the change of somebody else, and changes nothing', async () => {
  const before = await add(database.db, { slug: 'refused' });
  const edited = requireStored(await edit(database.db, before, { title: 'Edited' }));
  const restore = (nonce: string, version: number) =>
    restoreVersion(database.db, write(), { id: before._id, nonce, version });
  expect(await restore(edited.nonce, 9)).toEqual({
    __typename: 'VersionNotFound',
    message: 'The node has no version 9',
  });
  const last = requireStored(await edit(database.db, edited, { title: 'Edited again' }));
  expect(await restore(edited.nonce, 1)).toMatchObject({
    __typename: 'EditConflict',
    differences: [{ field: 'title', base: 'Edited', yours: 'A page', theirs: 'Edited again', merged: null }],
  });
  expect(await findNode(database.db, before._id)).toEqual(last);
  expect(await violations(database.db)).toEqual([]);
});
