/** Undoing imports: what stays because another import has brought it, or because somebody has edited it or commented on it. */
import { beforeEach, describe, expect, it } from 'vitest';
import { findNode, type NodeDocument, nodes } from '../../../src/models/content/nodes/node.js';
import { moveNode } from '../../../src/models/content/nodes/node-move.js';
import { findByPath, lookUpPath } from '../../../src/models/content/nodes/node-path.js';
import { deleteNode, purgeTrash } from '../../../src/models/content/nodes/node-trash.js';
import { versions } from '../../../src/models/content/nodes/node-version.js';
import { redirects } from '../../../src/models/content/nodes/redirect.js';
import { findTags } from '../../../src/models/content/nodes/tag.js';
import { placePhoto } from '../../../src/models/content/posts/photo-order.js';
import { addTags, removeTags } from '../../../src/models/content/tags/node-tags.js';
import { backgroundWork } from '../../../src/models/system/work/background-work.js';
import { DAY_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { add, addPost, comment, edit, later, NOW, requireStored, violations, write } from '../nodes/node-support.js';
import { below, lines, useImports } from './import-support.js';

const database = useDatabase();
const { importAll, undo } = useImports(database);
let blog: NodeDocument;
let blogs = 0;

beforeEach(async () => {
  blogs += 1;
  blog = await add(database.db, { type: 'BLOG', title: 'A blog', slug: `blog-${blogs}` });
});

const publishedAt = '2020-01-01T00:00:00Z';
const first = { path: 'post', title: 'First', text: 'One', tags: ['shared'], publishedAt };
const second = { path: 'post', version: 2, title: 'Second', text: 'Two' };
const third = { path: 'post', version: 3, title: 'Third', text: 'Three', publishedAt };
const former = { redirect: 'former', path: 'post' };

const imported = (rows: readonly object[]) => importAll(lines(rows), { parent: blog });
const stored = async (): Promise<NodeDocument> => {
  const [post, ...others] = await below(database.db, blog);
  if (!post || others.length > 0) throw new Error('There is not exactly one post');
  return post;
};
const versionsOf = async ({ _id }: NodeDocument): Promise<number[]> =>
  (await versions(database.db).find({ '_id.node': _id }).sort({ version: 1 }).toArray()).map(({ version }) => version);
const leadsOn = async () => (await findByPath(database.db, `/${blog.slug}/former`))?.isMoved ?? false;

describe('an import that shares a node with another one', () => {
  it('takes back the versions and redirects that only it has brought', async () => {
    const one = await imported([first]);
    const other = await imported([first, second, third, former]);
    expect(other).toMatchObject({ imported: 3, skipped: 1, rejected: 0 });
    expect(await undo(other._id)).toMatchObject({ state: 'UNDONE', imported: 0, done: 1 });
    const post = await stored();
    expect(post).toMatchObject({ title: 'First', version: 1, state: 'PUBLISHED', imports: [one._id] });
    expect(post.detail).toEqual({ text: 'One' });
    expect(await versionsOf(post)).toEqual([1]);
    expect(await leadsOn()).toBe(false);
    expect(await violations(database.db)).toEqual([]);
    expect(await undo(one._id)).toMatchObject({ imported: 0, done: 0 });
    expect(await below(database.db, blog)).toEqual([]);
    expect(await violations(database.db)).toEqual([]);
  });

  it('leaves the versions and redirects that the other one has found as it would have brought them', async () => {
    const one = await imported([first, second, third, former]);
    const other = await imported([first, second, former]);
    expect(other).toMatchObject({ imported: 0, skipped: 3 });
    expect(await undo(one._id)).toMatchObject({ imported: 0, done: 0 });
    expect(await stored()).toMatchObject({ title: 'Second', version: 2, state: 'DRAFT', imports: [other._id] });
    expect(await leadsOn()).toBe(true);
    expect(await findTags(database.db, 'shared', 5)).toEqual([]);
    expect(await violations(database.db)).toEqual([]);
    await undo(other._id);
    expect(await below(database.db, blog)).toEqual([]);
    expect(await leadsOn()).toBe(false);
    expect(await violations(database.db)).toEqual([]);
  });

  it('leaves a version on which one of the other import is based', async () => {
    const one = await imported([first, second]);
    const other = await imported([third]);
    expect(other).toMatchObject({ imported: 1 });
    expect(await undo(one._id)).toMatchObject({ imported: 0, done: 0 });
    expect(await stored()).toMatchObject({ title: 'Third', version: 3, imports: [other._id] });
    await undo(other._id);
    expect(await below(database.db, blog)).toEqual([]);
  });

  it('takes back a redirect to a node that only the other one has brought', async () => {
    const one = await imported([first]);
    const other = await imported([former]);
    expect(other).toMatchObject({ imported: 1 });
    expect(await leadsOn()).toBe(true);
    expect(await undo(other._id)).toMatchObject({ imported: 0 });
    expect(await leadsOn()).toBe(false);
    expect(await stored()).toMatchObject({ imports: [one._id] });
  });

  it('counts what stays because somebody has edited the node', async () => {
    const one = await imported([first]);
    const other = await imported([first, second, former]);
    const before = await stored();
    requireStored(await edit(database.db, before, { title: 'By hand' }));
    expect(await undo(other._id)).toMatchObject({ state: 'UNDONE', imported: 2, done: 3 });
    expect(await stored()).toMatchObject({ title: 'By hand', version: 3 });
    expect(await leadsOn()).toBe(true);
    expect(await undo(one._id)).toMatchObject({ state: 'UNDONE', imported: 0 });
    expect(await versionsOf(await stored())).toEqual([1, 2, 3]);
    expect(await violations(database.db)).toEqual([]);
  });

  it('keeps a node on which somebody has commented, with what it has brought of it', async () => {
    await imported([first]);
    const other = await imported([first, second, former, { ...first, path: 'alone' }, { ...first, path: 'free' }]);
    const [alone, free, post] = await below(database.db, blog);
    for (const commented of [alone, post]) await comment(database.db, commented?._id ?? '');
    expect(await undo(other._id)).toMatchObject({ state: 'UNDONE', imported: 3, done: 4 });
    expect(await findNode(database.db, free?._id ?? '')).toBeNull();
    expect(await findNode(database.db, alone?._id ?? '')).toMatchObject({ slug: 'alone' });
    expect(await findNode(database.db, post?._id ?? '')).toMatchObject({ title: 'Second', version: 2 });
    expect(await violations(database.db)).toEqual([]);
  });

  it('puts a version back to the place where the node is', async () => {
    await imported([first]);
    const other = await imported([first, { ...second, previousPath: 'elsewhere' }]);
    expect(other).toMatchObject({ imported: 1 });
    await undo(other._id);
    expect(await stored()).toMatchObject({ slug: 'post', version: 1 });
    expect(await violations(database.db)).toEqual([]);
  });
});

describe('undoing an import after an edit that makes no version', () => {
  it.each([
    ['a tag was added', 'added'],
    ['a tag was removed', 'removed'],
  ])('keeps a post to which %s', async (_what, how) => {
    const done = await imported([first, { ...first, path: 'other' }]);
    const [other, post] = await below(database.db, blog);
    const change = how === 'added' ? addTags(database.db, post?._id ?? '', ['mine'], write()) : null;
    await (change ?? removeTags(database.db, post?._id ?? '', ['shared'], write()));
    expect(await undo(done._id)).toMatchObject({ state: 'UNDONE', imported: 1, done: 1 });
    expect(await stored()).toMatchObject({ slug: 'post', tags: how === 'added' ? ['shared', 'mine'] : [] });
    expect(await findNode(database.db, other?._id ?? '')).toBeNull();
    expect(await violations(database.db)).toEqual([]);
  });

  it('keeps a photo that was placed by hand, with its gallery, and not those beside it', async () => {
    const folder = await add(database.db, { type: 'FOLDER', title: 'Photos' });
    const photo = (path: string) => ({ path: `wall/${path}`, type: 'PHOTO', title: path });
    const rows = [{ path: 'wall', type: 'GALLERY', title: 'Wall' }, ...['a', 'b', 'c'].map(photo)];
    const done = await importAll(lines(rows), { parent: folder });
    const [wall] = await below(database.db, folder);
    const [a, b] = await below(database.db, wall ?? folder);
    requireStored(await placePhoto(database.db, b?._id ?? '', a?._id ?? '', NOW));
    expect(await undo(done._id)).toMatchObject({ state: 'UNDONE', imported: 2 });
    expect((await below(database.db, wall ?? folder)).map(({ slug }) => slug)).toEqual(['b']);
    expect(await violations(database.db)).toEqual([]);
  });
});

describe('a post that is imported again after it was removed for good', () => {
  const path = () => `/${blog.slug}/moved`;
  const removeForGood = async () => {
    const post = await stored();
    const moved = requireStored(
      await moveNode(database.db, write(), { id: post._id, nonce: post.nonce, slug: 'moved' }),
    );
    requireStored(await deleteNode(database.db, write(), testAct(), { id: moved._id, nonce: moved.nonce }));
    await purgeTrash(database.db, later(31 * DAY_MS));
    expect(await lookUpPath(database.db, path())).toBe('GONE');
  };

  it('is found at its former address, which is gone again after an undo', async () => {
    await imported([first]);
    await removeForGood();
    const again = await imported([first, { redirect: 'moved', path: 'post' }]);
    expect(again).toMatchObject({ imported: 1, skipped: 1, rejected: 0 });
    expect(await violations(database.db)).toEqual([]);
    expect(await lookUpPath(database.db, path())).toMatchObject({ isMoved: true, node: { slug: 'post' } });
    await undo(again._id);
    expect(await lookUpPath(database.db, path())).toBe('GONE');
    expect(await violations(database.db)).toEqual([]);
  });

  it('leaves closed redirects of others a violation', async () => {
    const post = await addPost(database.db, blog, 'By hand');
    const _id = `${blog._id}/wrong`;
    await redirects(database.db).insertOne({ _id, node_id: post._id, at: NOW, gone_until: later(1) });
    expect(await violations(database.db)).toEqual([`redirect-leads-to-node ${_id}: 0 instead of 1`]);
    await redirects(database.db).deleteOne({ _id });
  });
});

describe('undoing an import of an earlier release', () => {
  it('is refused, because it is not known what it has brought', async () => {
    const { _id } = await imported([first]);
    await nodes(database.db).updateMany({ imports: _id }, { $rename: { imports: 'import' } });
    await backgroundWork(database.db).updateOne({ _id }, { $unset: { 'input.form': '' } });
    expect(await undo(_id)).toMatchObject({
      state: 'FAILED',
      imported: 1,
      failure: 'It was imported by an earlier release, which did not note what undoing needs. Delete its nodes by hand',
    });
    expect(await stored()).toMatchObject({ title: 'First' });
  });
});
