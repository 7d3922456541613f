/** The trash: a deleted node is invisible and its slug free, it can be restored for 30 days, and nothing of it is left afterwards. */
import { describe, expect, it } from 'vitest';
import { findNode, type NodeDocument, nodes } from '../../../src/models/content/nodes/node.js';
import { createNode } from '../../../src/models/content/nodes/node-creation.js';
import { findNodes } from '../../../src/models/content/nodes/node-list.js';
import { moveNode } from '../../../src/models/content/nodes/node-move.js';
import { findByPath } from '../../../src/models/content/nodes/node-path.js';
import { deleteNode, purgeTrash, restoreNode } from '../../../src/models/content/nodes/node-trash.js';
import { versions } from '../../../src/models/content/nodes/node-version.js';
import { redirects } from '../../../src/models/content/nodes/redirect.js';
import { auditTrail } from '../../../src/models/people/audit.js';
import { DAY_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { add, addBlog, addPost, edit, later, NOW, requireStored, violations, write } from './node-support.js';

const database = useDatabase();
const act = { actor: 'ann@example.org', address: '::1', at: NOW, keptUntil: later(DAY_MS) };
const remove = ({ _id: id, nonce }: Pick<NodeDocument, '_id' | 'nonce'>, call = write()) =>
  deleteNode(database.db, call, act, { id, nonce });
const restore = (id: string, slug?: string) => restoreNode(database.db, write(), id, slug);

describe('a deleted node', () => {
  it('is in the trash with a free slug, recorded in the audit trail, and can be restored as a draft', async () => {
    const blog = await addBlog(database.db);
    const post = await addPost(database.db, blog, 'A post', { tags: ['news'] });
    const call = write();
    const deleted = { deletedId: post._id, restorableUntil: later(30 * DAY_MS) };
    expect(await remove(post, call)).toEqual(deleted);
    expect(await remove(post, call)).toEqual(deleted); // a retry
    expect(await findByPath(database.db, '/blog/a-post')).toBeNull();
    expect(
      (await findNodes(database.db, { state: 'DELETED' }, { first: 10 })).edges.map(({ node }) => node._id),
    ).toEqual([post._id]);
    expect(await auditTrail(database.db).find().toArray()).toMatchObject([
      { action: 'NODE_DELETED', subject: '/blog/a-post', detail: 'A post', actor: 'ann@example.org' },
    ]);
    expect(await edit(database.db, post, { title: 'x' })).toMatchObject({ __typename: 'NodeNotFound' });
    const restored = requireStored(await restore(post._id));
    expect(restored).toMatchObject({ slug: 'a-post', state: 'DRAFT', published: null, tags: ['news'], version: 3 });
    expect(restored).not.toHaveProperty('trash');
    expect(await restore(post._id)).toEqual(restored);
    expect((await findByPath(database.db, '/blog/a-post'))?.node).toEqual(restored);
    expect(await violations(database.db)).toEqual([]);
  });

  it('is deleted for an editor, too, who loaded it before somebody changed it and took the change back', async () => {
    const page = await add(database.db, { slug: 'to-and-fro' });
    const changed = requireStored(await edit(database.db, page, { title: 'Edited' }));
    requireStored(await edit(database.db, changed, { title: page.title }));
    expect(await remove(page)).toMatchObject({ deletedId: page._id });
    expect(await findNode(database.db, page._id)).toHaveProperty('trash');
  });

  it('whose slug was taken meanwhile is restored under another one', async () => {
    const page = await add(database.db, { slug: 'wanted' });
    requireStored(await remove(page));
    await add(database.db, { slug: 'wanted' });
    expect(await restore(page._id)).toMatchObject({ __typename: 'SlugTaken', suggestion: 'wanted-2' });
    expect(requireStored(await restore(page._id, 'wanted-2'))).toMatchObject({ slug: 'wanted-2' });
  });

  it('cannot be restored below one that is in the trash itself', async () => {
    const folder = await add(database.db, { type: 'FOLDER', title: 'Folder', slug: 'folder' });
    const page = await add(database.db, { slug: 'below', parentId: folder._id });
    requireStored(await remove(page));
    requireStored(await remove(folder));
    expect(await restore(page._id)).toMatchObject({ __typename: 'ParentNotFound' });
    requireStored(await restore(folder._id));
    requireStored(await restore(page._id));
    expect((await findByPath(database.db, '/folder/below'))?.node._id).toBe(page._id);
  });
});

describe('a deletion is refused, and changes nothing,', () => {
  it('if there are nodes below', async () => {
    const blog = await addBlog(database.db, 'full');
    await addPost(database.db, blog, 'A post');
    expect(await remove(blog)).toMatchObject({ __typename: 'NodeNotEmpty' });
    expect(await findNode(database.db, blog._id)).not.toHaveProperty('trash');
  });

  it('if somebody else has changed the node', async () => {
    const page = await add(database.db, { slug: 'changed' });
    const edited = requireStored(await edit(database.db, page, { title: 'Edited' }));
    expect(await remove(page)).toMatchObject({
      __typename: 'EditConflict',
      differences: [{ field: 'title', base: 'A page', yours: 'A page', theirs: 'Edited', merged: 'Edited' }],
    });
    expect(await findNode(database.db, page._id)).toEqual(edited);
  });
});

it('never leaves a node below a deleted one, when it is created while its parent is deleted', async () => {
  for (let n = 0; n < 10; n += 1) {
    const blog = await addBlog(database.db, `race-${n}`);
    const post = { type: 'BLOG_POST', title: 'A post', parentId: blog._id } as const;
    const [deletion, creation] = await Promise.all([remove(blog), createNode(database.db, write(), post)]);
    expect('__typename' in deletion).toBe(!('__typename' in creation)); // exactly one of the two is refused
  }
  expect(await violations(database.db)).toEqual([]);
});

it('removes a node with its versions and redirects 30 days after its deletion, and not before', async () => {
  const page = await add(database.db, { slug: 'purged' });
  const moved = requireStored(
    await moveNode(database.db, write(), { id: page._id, nonce: page.nonce, slug: 'purged-2' }),
  );
  requireStored(await remove(moved));
  const left = async () => [
    await findNode(database.db, page._id),
    await versions(database.db).countDocuments({ '_id.node': page._id }),
    await redirects(database.db).countDocuments({ node_id: page._id }),
  ];
  expect(await purgeTrash(database.db, later(30 * DAY_MS - 1))).toBe(0);
  expect(await left()).toMatchObject([{ _id: page._id }, 3, 2]);
  const inTrash = await nodes(database.db).countDocuments({ state: 'DELETED' });
  expect(await purgeTrash(database.db, later(30 * DAY_MS))).toBe(inTrash);
  expect(await left()).toEqual([null, 0, 0]);
  expect(await restore(page._id)).toMatchObject({ __typename: 'NodeNotFound' });
  expect(await violations(database.db)).toEqual([]);
});
