/** Moving nodes: former paths lead to them, and the tree stays a tree under many moves at once. */
import { describe, expect, it } from 'vitest';
import { findNode, type NodeDocument, ROOT } from '../../../src/models/content/nodes/node.js';
import { moveNode } from '../../../src/models/content/nodes/node-move.js';
import { findByPath, findPath } from '../../../src/models/content/nodes/node-path.js';
import { useDatabase } from '../../support/database.js';
import { add, addBlog, addPost, edit, requireStored, violations, write } from './node-support.js';

const database = useDatabase();
const folder = (slug: string, parent?: NodeDocument) =>
  add(database.db, { type: 'FOLDER', title: 'A folder', slug, parentId: parent?._id });
const move = ({ _id: id, nonce }: NodeDocument, to: { slug?: string; parentId?: string }, call = write()) =>
  moveNode(database.db, call, { id, nonce, ...to });
const at = async (path: string) => {
  const found = await findByPath(database.db, path);
  return found && { id: found.node._id, isMoved: found.isMoved };
};

describe('a move', () => {
  it('gives a node another slug and parent, and leads its former paths to it', async () => {
    const [one, other] = [await folder('one'), await folder('other')];
    const page = await add(database.db, { slug: 'page', parentId: one._id });
    const call = write();
    const moved = requireStored(await move(page, { slug: 'renamed', parentId: other._id }, call));
    expect(moved).toMatchObject({ version: 2, slug: 'renamed', parent_id: other._id, title: page.title });
    expect(await move(page, { slug: 'renamed', parentId: other._id }, call)).toEqual(moved); // a retry
    expect(await at('/other/renamed')).toEqual({ id: page._id, isMoved: false });
    expect(await at('/one/page')).toEqual({ id: page._id, isMoved: true });
    const root = requireStored(await move(moved, { parentId: ROOT }));
    expect(await findPath(database.db, root)).toBe('/renamed');
    expect(await at('/other/renamed')).toEqual({ id: page._id, isMoved: true });
    expect(await at('/one/page')).toEqual({ id: page._id, isMoved: true });
  });

  it('of a folder moves everything below it, and leads former paths of all to the present ones', async () => {
    const [top, middle] = [await folder('top'), await folder('middle')];
    const page = await add(database.db, { slug: 'deep', parentId: middle._id });
    requireStored(await move(middle, { parentId: top._id, slug: 'center' }));
    expect(await at('/top/center/deep')).toEqual({ id: page._id, isMoved: false });
    expect(await at('/middle/deep')).toEqual({ id: page._id, isMoved: true });
    requireStored(await move(page, { slug: 'deeper' }));
    expect(await at('/middle/deep')).toEqual({ id: page._id, isMoved: true });
  });

  it('leaves a former path to the next node that takes it', async () => {
    const page = await add(database.db, { slug: 'first' });
    requireStored(await move(page, { slug: 'second' }));
    const next = await add(database.db, { slug: 'first' });
    expect(await at('/first')).toEqual({ id: next._id, isMoved: false });
    requireStored(await move(next, { slug: 'third' }));
    expect(await at('/first')).toEqual({ id: next._id, isMoved: true }); // the last one that was there
  });

  it('to where it is changes nothing', async () => {
    const page = await add(database.db, { slug: 'still' });
    expect(await move(page, { slug: 'still', parentId: ROOT })).toEqual(page);
  });
});

describe('a move that is refused changes nothing:', () => {
  it('below itself', async () => {
    const outer = await folder('outer');
    const inner = await folder('inner', outer);
    const before = await findNode(database.db, outer._id);
    expect(await move(outer, { parentId: inner._id })).toMatchObject({ __typename: 'NodeCycle' });
    expect(await move(outer, { parentId: outer._id })).toMatchObject({ __typename: 'NodeCycle' });
    expect(await findNode(database.db, outer._id)).toEqual(before);
  });

  it('to a slug that is taken', async () => {
    const page = await add(database.db, { slug: 'free' });
    await add(database.db, { slug: 'occupied' });
    expect(await move(page, { slug: 'occupied' })).toMatchObject({
      __typename: 'SlugTaken',
      suggestion: 'occupied-2',
    });
    expect(await findNode(database.db, page._id)).toEqual(page);
  });

  it('to a parent that does not group it, or is not there', async () => {
    const blog = await addBlog(database.db, 'posts');
    const post = await addPost(database.db, blog, 'A post');
    for (const parentId of [ROOT, 'nobody', (await folder('no-blog'))._id])
      expect(await move(post, { parentId })).toMatchObject({ __typename: 'ParentNotFound' });
    expect(await findNode(database.db, post._id)).toEqual(post);
  });

  it('of a version that is not the current one', async () => {
    const page = await add(database.db, { slug: 'edited' });
    const edited = requireStored(await edit(database.db, page, { title: 'Edited' }));
    expect(await move(page, { slug: 'moved' })).toMatchObject({ __typename: 'EditConflict', theirs: edited });
    expect(await at('/moved')).toBeNull();
  });

  it('deeper than the tree may be', async () => {
    let deep = await folder('d1');
    for (let level = 2; level <= 6; level += 1) deep = await folder(`d${level}`, deep);
    const high = await folder('high');
    const below = await folder('below', high);
    await expect(move(high, { parentId: deep._id })).rejects.toThrow('The tree may be at most 8 levels deep');
    requireStored(await move(below, { parentId: deep._id })); // the seventh level
    expect(await violations(database.db)).toEqual([]);
  });
});

it('never makes a cycle, however many folders are moved below each other at once', async () => {
  const folders = await Promise.all(Array.from({ length: 4 }, (_, n) => folder(`race-${n}`)));
  const moves = folders.flatMap((from) => folders.filter((to) => to !== from).map((to) => ({ from, to })));
  await Promise.all(
    moves.map(async ({ from, to }) => {
      const present = await findNode(database.db, from._id);
      if (present) await move(present, { parentId: to._id }).catch(() => undefined); // too deep, or too many at once
    }),
  );
  expect(await violations(database.db)).toEqual([]);
});
