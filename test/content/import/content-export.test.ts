/** Exports of content, and that their import and export again is the same file. */
import type { Db } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { visitOnly } from '../../../src/database/collections/snapshot-batches.js';
import type { NodeDocument } from '../../../src/models/content/nodes/node.js';
import { findByPath } from '../../../src/models/content/nodes/node-path.js';
import { assetUses } from '../../../src/models/content/nodes/node-picture.js';
import { deleteNode } from '../../../src/models/content/nodes/node-trash.js';
import { findUser } from '../../../src/models/people/user.js';
import { type AssetDocument, findAssets } from '../../../src/models/system/assets/asset.js';
import { readFile } from '../../../src/models/system/assets/asset-file.js';
import { findAssetViolations } from '../../../src/models/system/assets/asset-invariants.js';
import { removeUnused } from '../../../src/models/system/assets/asset-removal.js';
import { backgroundWork } from '../../../src/models/system/work/background-work.js';
import { PART_BYTES } from '../../../src/models/system/work/work-file.js';
import type { WorkDocument } from '../../../src/models/work.js';
import { useDatabase } from '../../support/database.js';
import { expireLeases } from '../../support/leases.js';
import { addPerson, testAct } from '../../support/people.js';
import { add, addPost, ann, edit, requireStored, violations, write } from '../nodes/node-support.js';
import { addPictures, beginExport, exported, exportLoop, fileOf, grow, moveAround } from './grown-content.js';
import { readRealPosts, useImports } from './import-support.js';

const database = useDatabase();
const { importAll, rejectsOf, undo } = useImports(database);
const empty = useDatabase();
const imports = useImports(empty);
let count = 0;
let root: NodeDocument;

beforeEach(async () => {
  count += 1;
  root = await add(database.db, { type: 'FOLDER', title: 'Everything', slug: `all-${count}` });
});

/** What `growAll` makes. */
const VERSIONS = 28;
const REDIRECTS = 4;
const PICTURES = 3;

async function growAll(): Promise<AssetDocument[]> {
  const { db } = database;
  if (!(await findUser(db, ann._id))) await addPerson(db, 'Ann', [], ann._id);
  const { news, inner } = await grow(db, root);
  const pictures = await addPictures(db, root, news);
  await moveAround(db, root, news, inner);
  return pictures;
}

/** They do not exist elsewhere. */
const withoutAccounts = (file: string): string => file.replaceAll(/,"authorId":"[^"]*"/g, '');

/** @returns what is left of each */
async function importsUndone(...works: readonly WorkDocument[]): Promise<unknown[]> {
  const left: unknown[] = [];
  for (const { _id } of works) left.push((await undo(_id)).imported);
  return left;
}

async function bytesOf(db: Db, asset: AssetDocument | null | undefined): Promise<Buffer> {
  const chunks: Buffer[] = [];
  if (asset) for await (const chunk of readFile(db, asset, 0, asset.length)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function assetViolations(db: Db): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const violation of findAssetViolations(db, visitOnly)) found.push(violation);
  return found;
}

describe('an export of content', () => {
  it('has a line for each version of each node below, parents first, in the order of slugs', async () => {
    await grow(database.db, root);
    const rows = (await exported(database.db, root))
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
      authorId: 'VXNlcjphbm4',
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
      authorId: 'VXNlcjphbm4',
    });
  });

  it('is the same file after an import elsewhere, and nothing is missing', async () => {
    await growAll();
    const file = await exported(database.db, root);
    expect(await exported(database.db, root)).toBe(file);
    const copy = await add(database.db, { type: 'FOLDER', title: 'A copy', slug: `copy-${count}` });
    const done = await importAll(file, { parent: copy });
    expect(await rejectsOf(done._id)).toEqual([]);
    expect(done).toMatchObject({ state: 'FINISHED', imported: VERSIONS + REDIRECTS, skipped: PICTURES, rejected: 0 });
    expect(await exported(database.db, copy)).toBe(file);
    const rows = VERSIONS + REDIRECTS + PICTURES;
    expect(await importAll(file, { parent: copy })).toMatchObject({ imported: 0, skipped: rows, rejected: 0 });
    expect(await violations(database.db)).toEqual([]);
  });

  it('imported where it comes from is here already, row by row; what differs is named', async () => {
    await growAll();
    const file = await exported(database.db, root);
    const rows = VERSIONS + REDIRECTS + PICTURES;
    const done = await importAll(file, { parent: root });
    expect(await rejectsOf(done._id, 'field')).toEqual([]);
    expect(done).toMatchObject({ state: 'FINISHED', imported: 0, skipped: rows, rejected: 0, done: rows, total: rows });
    const changed = file
      .replace('"path":"news/a-quote","type":"QUOTE","title":"', '$&Not ')
      .replace('"path":"news/a-post","version":2,"title":"', '$&Not ');
    expect(changed.length).toBe(file.length + 2 * 'Not '.length);
    const differing = await importAll(changed, { parent: root });
    expect(differing).toMatchObject({ imported: 0, skipped: rows - 2, rejected: 2, done: rows });
    expect((await rejectsOf(differing._id, 'field')).map(([, ...rest]) => rest)).toEqual([
      ['DIFFERS', 'version'],
      ['DIFFERS', 'path'],
    ]);
    expect(await importsUndone(done, differing)).toEqual([0, 0]);
    expect(await exported(database.db, root)).toBe(file);
  });

  it('brings everything into an empty database, with the same bytes of pictures', async () => {
    const pictures = await growAll();
    const file = await exported(database.db, root);
    const done = await imports.importAll(file, { parent: null });
    expect(await imports.rejectsOf(done._id)).toEqual([]);
    expect(done).toMatchObject({ state: 'FINISHED', imported: VERSIONS + REDIRECTS + PICTURES, skipped: 0 });
    expect(await exported(empty.db, null)).toBe(withoutAccounts(file));
    const copies = await findAssets(
      empty.db,
      pictures.map(({ _id }) => _id),
    );
    for (const [index, { metadata, length, filename, uploadDate }] of pictures.entries()) {
      const { sha256, content_type, width, height } = metadata;
      expect(copies[index]).toMatchObject({
        length,
        filename,
        uploadDate,
        metadata: { sha256, content_type, width, height },
      });
      expect(await bytesOf(empty.db, copies[index])).toEqual(await bytesOf(database.db, pictures[index]));
    }
    expect((await findByPath(empty.db, '/zero'))?.node).toMatchObject({ title: 'Travels', slug: 'travels' });
    expect((await findByPath(empty.db, '/a-folder/within'))?.node).toMatchObject({ title: 'Within' });
    expect(await violations(empty.db)).toEqual([]);
    expect(await assetViolations(empty.db)).toEqual([]);

    expect(await imports.undo(done._id)).toMatchObject({ state: 'UNDONE', imported: 0, done: 0 });
    expect(await empty.db.collection('cms.nodes').countDocuments()).toBe(0);
    expect(await empty.db.collection('cms.redirects').countDocuments()).toBe(0);
    while ((await removeUnused(empty.db, [assetUses], new Date())) > 0);
    expect(await empty.db.collection('cms.assets.files').countDocuments()).toBe(0);
  });

  it('is the same file when it was interrupted at each of its steps', async () => {
    const news = await add(database.db, { type: 'BLOG', title: 'News', slug: 'news', parentId: root._id });
    const text = 'é'.repeat(150_000); // 300 kB: a step after every four of them
    let post = await addPost(database.db, news, 'Long', { text });
    for (let version = 2; version <= 9; version += 1)
      post = requireStored(await edit(database.db, post, { text: `${version} ${text}` }));
    await add(database.db, { type: 'PAGE', title: 'Z', slug: 'z', parentId: root._id });
    await addPictures(database.db, root, news); // one of them takes several steps
    const file = await exported(database.db, root);
    const { _id } = await beginExport(database.db, root._id);
    const stepsOf = async () => (await backgroundWork(database.db).findOne({ _id }))?.steps ?? 0;
    for (let deaths = 0; deaths < 3; deaths += 1) {
      const before = await stepsOf();
      void exportLoop(database.db, () => new Promise(() => undefined)).run(_id);
      await expect.poll(stepsOf, { timeout: 20_000 }).toBeGreaterThan(before);
      await expireLeases(database.db);
    }
    const done = await exportLoop(database.db).run(_id);
    expect(done).toMatchObject({ state: 'FINISHED', done: 22, total: 22, bytes: Buffer.byteLength(file) });
    expect(Buffer.byteLength(file)).toBeGreaterThan(3 * PART_BYTES);
    expect(await fileOf(database.db, _id)).toBe(file);
  });

  it('of nothing is an empty file', async () => {
    expect(await exported(database.db, root)).toBe('');
  });

  it('is not started for a node that does not exist or is in the trash', async () => {
    const page = await add(database.db, { title: 'A page', slug: `page-${count}` });
    await deleteNode(database.db, write(), testAct(), { id: page._id, nonce: page.nonce });
    await expect(beginExport(database.db, page._id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(beginExport(database.db, 'none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

const posts = readRealPosts();
if (!posts)
  process.stderr.write('The posts of a real blog are not at ../shared/data/blog-18f: their test is skipped\n');

describe.skipIf(!posts)('the posts of a real blog', () => {
  it('are the same after export, import and export', async () => {
    const [one, two] = [
      await add(database.db, { type: 'BLOG', title: 'One', slug: 'one', parentId: root._id }),
      await add(database.db, { type: 'BLOG', title: 'Two', slug: 'two', parentId: root._id }),
    ];
    expect(await importAll(posts ?? '', { parent: one })).toMatchObject({ imported: 508, rejected: 0 });
    const file = await exported(database.db, one);
    expect(await importAll(file, { parent: two })).toMatchObject({ imported: 508, rejected: 0 });
    expect(await exported(database.db, two)).toBe(file);
  });
});
