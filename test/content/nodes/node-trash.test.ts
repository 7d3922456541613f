/** The trash: a deleted node is invisible and its slug free, it can be restored for 30 days, and nothing of it is left afterwards. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { commentCases } from '../../../src/models/comments/comment-case.js';
import { commentPages } from '../../../src/models/comments/designs/comment-page.js';
import { comments } from '../../../src/models/comments/discussion/comment.js';
import { discussions } from '../../../src/models/comments/discussion/discussion.js';
import { findNode, type NodeDocument, nodes, ROOT } from '../../../src/models/content/nodes/node.js';
import { discussionOfNode } from '../../../src/models/content/nodes/node-comments.js';
import { createNode, type NewNode } from '../../../src/models/content/nodes/node-creation.js';
import { findNodes } from '../../../src/models/content/nodes/node-list.js';
import { moveNode } from '../../../src/models/content/nodes/node-move.js';
import { findByPath, lookUpPath } from '../../../src/models/content/nodes/node-path.js';
import { deleteNode, purgeTrash, restoreNode } from '../../../src/models/content/nodes/node-trash.js';
import { versions } from '../../../src/models/content/nodes/node-version.js';
import { redirects } from '../../../src/models/content/nodes/redirect.js';
import { auditTrail } from '../../../src/models/people/audit.js';
import { DAY_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { add, addBlog, addPost, comment, edit, later, NOW, requireStored, violations, write } from './node-support.js';

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
  const discussion = discussionOfNode(page._id);
  await comment(database.db, page._id);
  await commentCases(database.db).insertOne({ _id: `${discussion}/1`, since: NOW, reports: [] });
  requireStored(await remove(moved));
  const ofDiscussion = [comments, commentPages, commentCases, discussions];
  const left = async () => [
    await findNode(database.db, page._id),
    await Promise.all(ofDiscussion.map((collection) => collection(database.db).countDocuments())),
    await versions(database.db).countDocuments({ '_id.node': page._id }),
    await redirects(database.db).countDocuments({ node_id: page._id }),
  ];
  expect(await purgeTrash(database.db, later(30 * DAY_MS - 1))).toBe(0);
  expect(await left()).toMatchObject([{ _id: page._id }, [1, 1, 1, 1], 3, 2]);
  const inTrash = await nodes(database.db).countDocuments({ state: 'DELETED' });
  expect(await purgeTrash(database.db, later(30 * DAY_MS))).toBe(inTrash);
  expect(await left()).toEqual([null, [0, 0, 0, 0], 0, 0]);
  expect(await restore(page._id)).toMatchObject({ __typename: 'NodeNotFound' });
  expect(await violations(database.db)).toEqual([]);
});

describe('an address whose node is deleted', () => {
  const at = async (path: string) => {
    const found = await lookUpPath(database.db, path);
    return found === null || found === 'GONE' ? found : found.node._id;
  };
  const purge = () => purgeTrash(database.db, later(60 * DAY_MS));
  const page = (input: Partial<NewNode> = {}) => add(database.db, { slug: `page-${randomUUID()}`, ...input });
  const pathOf = ({ slug }: NodeDocument) => `/${slug}`;

  it('says that it is gone, in the trash and for a year afterwards, if everybody could see the node', async () => {
    const [shown, draft, scheduled] = [
      await page({ publishedAt: NOW }),
      await page(),
      await page({ publishedAt: later(1000) }),
    ];
    for (const node of [shown, draft, scheduled]) requireStored(await remove(node));
    const found = () => Promise.all([shown, draft, scheduled].map((node) => at(pathOf(node))));
    expect(await found()).toEqual(['GONE', null, null]);
    await purge();
    expect(await found()).toEqual(['GONE', null, null]);
    expect(await redirects(database.db).find({ node_id: shown._id }).toArray()).toEqual([
      { _id: `root/${shown.slug}`, node_id: shown._id, at: NOW, gone_until: later(365 * DAY_MS), was_public: true },
    ]);
    expect(await redirects(database.db).countDocuments({ node_id: { $in: [draft._id, scheduled._id] } })).toBe(0);
    expect(await violations(database.db)).toEqual([]);
  });

  it('says so if its publication was taken back before, or was due and not announced yet', async () => {
    const back = requireStored(await edit(database.db, await page({ publishedAt: NOW }), { publishedAt: null }));
    const due = await page({ publishedAt: later(1000) });
    requireStored(await remove(back));
    requireStored(await remove(due, write({ at: later(2000) })));
    expect(await at(pathOf(back))).toBe('GONE');
    expect(await at(pathOf(due))).toBe('GONE');
  });

  it('says so at former addresses, too', async () => {
    const node = await page({ publishedAt: NOW });
    const slug = `${node.slug}-moved`;
    const moved = requireStored(await moveNode(database.db, write(), { id: node._id, nonce: node.nonce, slug }));
    requireStored(await remove(moved));
    expect([await at(pathOf(node)), await at(pathOf(moved))]).toEqual(['GONE', 'GONE']);
    await purge();
    expect([await at(pathOf(node)), await at(pathOf(moved))]).toEqual(['GONE', 'GONE']);
  });

  it('belongs to the next node that takes it', async () => {
    const node = await page({ publishedAt: NOW });
    requireStored(await remove(node));
    await purge();
    const next = await page({ slug: node.slug });
    expect(await at(pathOf(node))).toBe(next._id);
    expect(await redirects(database.db).countDocuments({ _id: `root/${node.slug}` })).toBe(0);
    requireStored(await remove(next)); // a draft
    expect(await at(pathOf(node))).toBeNull();
  });

  it('leads to the node again when it is restored, wherever that is', async () => {
    const [here, elsewhere] = [await page({ publishedAt: NOW }), await page({ publishedAt: NOW })];
    for (const node of [here, elsewhere]) requireStored(await remove(node));
    requireStored(await restore(here._id));
    requireStored(await restore(elsewhere._id, `${elsewhere.slug}-again`));
    expect(await at(pathOf(here))).toBe(here._id);
    expect(await at(pathOf(elsewhere))).toBe(elsewhere._id);
    expect(await violations(database.db)).toEqual([]);
  });

  it('says so below a folder that is gone, whether or not that one was ever published', async () => {
    const folder = await page({ type: 'FOLDER' });
    const [shown, draft] = [
      await page({ parentId: folder._id, publishedAt: NOW }),
      await page({ parentId: folder._id }),
    ];
    for (const node of [shown, draft]) requireStored(await remove(node));
    requireStored(await remove(folder));
    const found = () => Promise.all([shown, draft].map((node) => at(pathOf(folder) + pathOf(node))));
    expect(await found()).toEqual(['GONE', null]);
    await purge();
    expect(await found()).toEqual(['GONE', null]);
    expect(await at(pathOf(folder))).toBeNull();
  });

  it('leads on to what was moved out of a folder that is gone', async () => {
    const folder = await page({ type: 'FOLDER' });
    const node = await page({ parentId: folder._id, publishedAt: NOW });
    requireStored(await moveNode(database.db, write(), { id: node._id, nonce: node.nonce, parentId: ROOT }));
    requireStored(await remove(folder));
    await purge();
    expect(await at(pathOf(folder) + pathOf(node))).toBe(node._id);
  });

  it('is not the address in the trash', async () => {
    const node = await page({ publishedAt: NOW });
    requireStored(await remove(node));
    expect(await at(`/~${node._id}/x`)).toBeNull();
  });

  it('is forgotten by the database itself', async () => {
    const indexes = await redirects(database.db).indexes();
    expect(indexes.find(({ key }) => 'gone_until' in key)).toMatchObject({ expireAfterSeconds: 0 });
  });
});

it('keeps the invariant that redirects lead to nodes, and reports one that does not', async () => {
  const node = await add(database.db, { slug: 'leads' });
  requireStored(await moveNode(database.db, write(), { id: node._id, nonce: node.nonce, slug: 'leads-on' }));
  expect(await violations(database.db)).toEqual([]);
  await redirects(database.db).updateOne({ _id: 'root/leads' }, { $set: { node_id: 'nobody' } });
  expect(await violations(database.db)).toEqual(['redirect-leads-to-node root/leads: 0 instead of 1']);
  await redirects(database.db).updateOne({ _id: 'root/leads' }, { $set: { node_id: node._id, gone_until: NOW } });
  expect(await violations(database.db)).toEqual(['redirect-leads-to-node root/leads: 0 instead of 1']);
  await redirects(database.db).deleteOne({ _id: 'root/leads' });
});
