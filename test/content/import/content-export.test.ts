/** Exports of content, and that their import and export again is the same file. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { contentExport, startContentExport } from '../../../src/models/content/export/content-export.js';
import type { NodeDocument } from '../../../src/models/content/nodes/node.js';
import { deleteNode } from '../../../src/models/content/nodes/node-trash.js';
import { addTags } from '../../../src/models/content/tags/node-tags.js';
import { backgroundWork } from '../../../src/models/system/work/background-work.js';
import { PART_BYTES, readParts } from '../../../src/models/system/work/work-file.js';
import { WorkLoop } from '../../../src/models/system/work/work-loop.js';
import { useDatabase } from '../../support/database.js';
import { expireLeases } from '../../support/leases.js';
import { testAct } from '../../support/people.js';
import { add, addPost, edit, later, requireStored, violations, write } from '../nodes/node-support.js';
import { readRealPosts, useImports } from './import-support.js';

const database = useDatabase();
const { importAll } = useImports(database);
let count = 0;
let root: NodeDocument;

beforeEach(async () => {
  count += 1;
  root = await add(database.db, { type: 'FOLDER', title: 'Everything', slug: `all-${count}` });
});

const loop = (rest?: () => Promise<void>) =>
  new WorkLoop(database.db, [contentExport], {
    holder: randomUUID(),
    now: () => new Date(),
    onFault: (error) => {
      throw error;
    },
    ...(rest && { rest }),
  });

const begin = (parentId: string | null) =>
  startContentExport(database.db, { id: randomUUID(), parentId, owner: 'ann' }, new Date());

async function fileOf(work: string): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of readParts(database.db, work)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function exported({ _id: parent }: Pick<NodeDocument, '_id'>): Promise<string> {
  const { _id } = await begin(parent);
  expect(await loop().run(_id)).toMatchObject({ state: 'FINISHED' });
  return fileOf(_id);
}

/** A tree of every kind of node, with versions, drafts and something in the trash. */
async function grow(): Promise<void> {
  const { db } = database;
  const news = await add(db, {
    type: 'BLOG',
    title: 'News',
    slug: 'news',
    parentId: root._id,
    description: 'What is\nnew',
  });
  const post = await addPost(db, news, 'A post', { tags: ['b', 'a'], excerpt: 'In short', commentPolicy: 'NOBODY' });
  const second = requireStored(
    await edit(db, post, { text: 'Much "better"\n\u2028' }, { at: later(1000), author: { name: 'Ben' } }),
  );
  requireStored(await edit(db, second, { publishedAt: null, excerpt: null }, { at: later(2000) }));
  await addTags(db, post._id, ['c'], later(3000));
  await addPost(db, news, 'A video', {
    type: 'VIDEO',
    videoUrl: 'https://video.example.org/1',
    publishedAt: later(9e9),
  });
  await addPost(db, news, 'A quote', { type: 'QUOTE', source: 'A book', commentDesign: 'HYBRID' });
  const trashed = await addPost(db, news, 'Trashed');
  await deleteNode(db, write(), testAct(), { id: trashed._id, nonce: trashed.nonce });
  const inner = await add(db, { type: 'FOLDER', title: 'Inner', slug: 'inner', parentId: root._id });
  await add(db, { type: 'PAGE', title: 'A page', slug: 'page', parentId: inner._id });
  await add(db, { type: 'GALLERY', title: 'Pictures', slug: 'pictures', parentId: inner._id });
}

describe('an export of content', () => {
  it('has a line for each version of each node below, parents first, in the order of slugs', async () => {
    await grow();
    const rows = (await exported(root))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(({ path, version }) => [path, version])).toEqual([
      ['inner', undefined],
      ['inner/page', undefined],
      ['inner/pictures', undefined],
      ['news', undefined],
      ['news/a-post', undefined],
      ['news/a-post', 2],
      ['news/a-post', 3],
      ['news/a-quote', undefined],
      ['news/a-video', undefined],
    ]);
    expect(rows[4]).toEqual({
      path: 'news/a-post',
      type: 'BLOG_POST',
      title: 'A post',
      excerpt: 'In short',
      text: 'A text',
      tags: ['b', 'a', 'c'],
      publishedAt: '2026-03-01T12:00:00.000Z',
      at: '2026-03-01T12:00:00.000Z',
      author: 'Ann',
      commentPolicy: 'NOBODY',
      commentDesign: 'ONE_EACH',
    });
    expect(rows[6]).toEqual({
      path: 'news/a-post',
      version: 3,
      title: 'A post',
      text: 'Much "better"\n\u2028',
      at: '2026-03-01T12:00:02.000Z',
      author: 'Ann',
    });
  });

  it('is the same file after an import elsewhere, and nothing is missing', async () => {
    await grow();
    const file = await exported(root);
    const copy = await add(database.db, { type: 'FOLDER', title: 'A copy', slug: `copy-${count}` });
    expect(await importAll(file, { parent: copy })).toMatchObject({ state: 'FINISHED', imported: 9, rejected: 0 });
    expect(await exported(copy)).toBe(file);
    expect(await importAll(file, { parent: copy })).toMatchObject({ imported: 0, skipped: 9, rejected: 0 });
    expect(await violations(database.db)).toEqual([]);
  });

  it('is the same file when it was interrupted at each of its steps', async () => {
    const news = await add(database.db, { type: 'BLOG', title: 'News', slug: 'news', parentId: root._id });
    const text = 'é'.repeat(150_000); // 300 kB: a step after every four of them
    let post = await addPost(database.db, news, 'Long', { text });
    for (let version = 2; version <= 9; version += 1)
      post = requireStored(await edit(database.db, post, { text: `${version} ${text}` }));
    await add(database.db, { type: 'PAGE', title: 'Z', slug: 'z', parentId: root._id });
    const file = await exported(root);
    const { _id } = await begin(root._id);
    const stepsOf = async () => (await backgroundWork(database.db).findOne({ _id }))?.steps ?? 0;
    for (let deaths = 0; deaths < 2; deaths += 1) {
      const before = await stepsOf();
      void loop(() => new Promise(() => undefined)).run(_id);
      await expect.poll(stepsOf, { timeout: 20_000 }).toBeGreaterThan(before);
      await expireLeases(database.db);
    }
    const done = await loop().run(_id);
    expect(done).toMatchObject({ state: 'FINISHED', done: 11, total: 11, bytes: Buffer.byteLength(file) });
    expect(Buffer.byteLength(file)).toBeGreaterThan(2 * PART_BYTES);
    expect(await fileOf(_id)).toBe(file);
  });

  it('of nothing is an empty file', async () => {
    expect(await exported(root)).toBe('');
  });

  it('is not started for a node that does not exist or is in the trash', async () => {
    const page = await add(database.db, { title: 'A page', slug: `page-${count}` });
    await deleteNode(database.db, write(), testAct(), { id: page._id, nonce: page.nonce });
    await expect(begin(page._id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(begin('none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

const posts = readRealPosts();
if (!posts)
  process.stderr.write('The posts of a real blog are not at ../shared/data/blog-18f: their test is skipped\n');

describe.skipIf(!posts)('the posts of a real blog', () => {
  it('are the same after export, import and export', { timeout: 180_000 }, async () => {
    const [one, two] = [
      await add(database.db, { type: 'BLOG', title: 'One', slug: 'one', parentId: root._id }),
      await add(database.db, { type: 'BLOG', title: 'Two', slug: 'two', parentId: root._id }),
    ];
    expect(await importAll(posts ?? '', { parent: one })).toMatchObject({ imported: 508, rejected: 0 });
    const file = await exported(one);
    expect(await importAll(file, { parent: two })).toMatchObject({ imported: 508, rejected: 0 });
    expect(await exported(two)).toBe(file);
  });
});
