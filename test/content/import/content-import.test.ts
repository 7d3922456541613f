/** Imports of JSON lines: what becomes of each row, repeats, interruptions, undoing. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NodeDocument } from '../../../src/models/content/nodes/node.js';
import { nodes } from '../../../src/models/content/nodes/node.js';
import { findByPath } from '../../../src/models/content/nodes/node-path.js';
import { versions } from '../../../src/models/content/nodes/node-version.js';
import { findTags } from '../../../src/models/content/nodes/tag.js';
import { backgroundWork } from '../../../src/models/system/work/background-work.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { useDatabase } from '../../support/database.js';
import { expireLeases } from '../../support/leases.js';
import { makePicture } from '../../system/assets/picture-support.js';
import { add, addPost, ann, edit, requireStored, violations } from '../nodes/node-support.js';
import { below, lines, readRealPosts, useImports } from './import-support.js';

const database = useDatabase();
const { loop, begin, accept, run, importAll, undo, rejectsOf } = useImports(database);
let blog: NodeDocument;
let blogs = 0;

beforeEach(async () => {
  blogs += 1;
  blog = await add(database.db, { type: 'BLOG', title: 'A blog', slug: `blog-${blogs}` });
});

const UTF16 = 'The file is in UTF-16. Save it in UTF-8';
const post = (path: string, fields: object = {}) => ({ path, title: `About ${path}`, text: 'A text\n', ...fields });

describe('an import of content', () => {
  it('stores each row as a node, with its author, times, tags and versions', async () => {
    const first = {
      path: 'one',
      type: 'QUOTE',
      title: 'One',
      excerpt: 'In short',
      text: 'It is\nsaid\n',
      source: 'A book',
      tags: ['b', 'a'],
      publishedAt: '2020-01-02T03:04:05.000Z',
      at: '2020-01-01T00:00:00.000Z',
      author: 'Cleo',
      commentPolicy: 'NOBODY',
      commentDesign: 'HYBRID',
    };
    const second = {
      path: 'one',
      version: 2,
      title: 'One!',
      text: 'It is\nsaid\n',
      at: '2020-02-01T00:00:00.000Z',
      author: 'Dan',
    };
    const done = await importAll(lines([first, second, post('two')]), { parent: blog });
    expect(done).toMatchObject({
      state: 'FINISHED',
      done: 3,
      total: 3,
      imported: 3,
      skipped: 0,
      rejected: 0,
      owner: 'ann',
    });
    const [one, two] = await below(database.db, blog);
    expect(one).toMatchObject({
      slug: 'one',
      type: 'QUOTE',
      title: 'One!',
      excerpt: '',
      detail: { text: 'It is\nsaid\n' },
      tags: ['b', 'a'],
      published: null,
      created: new Date('2020-01-01'),
      edited: new Date('2020-02-01'),
      author: { name: 'Cleo' },
      version: 2,
      comment_policy: 'NOBODY',
      comment_design: 'HYBRID',
    });
    const stored = await versions(database.db)
      .find({ '_id.node': one?._id ?? '' })
      .sort({ version: 1 })
      .toArray();
    expect(stored.map(({ version, title, published, author }) => [version, title, published, author])).toEqual([
      [1, 'One', new Date('2020-01-02T03:04:05Z'), { name: 'Cleo' }],
      [2, 'One!', null, { name: 'Dan' }],
    ]);
    expect(two).toMatchObject({ slug: 'two', type: 'BLOG_POST', author: ann, version: 1, published: null });
    expect(await violations(database.db)).toEqual([]);
  });

  it('stores a tree, at the root as well', async () => {
    const rows = [
      { path: `all-${blogs}`, type: 'FOLDER', title: 'All' },
      { path: `all-${blogs}/news`, type: 'BLOG', title: 'News', description: 'What is new' },
      { path: `all-${blogs}/news/today`, type: 'BLOG_POST', title: 'Today' },
      { path: `none-${blogs}/lost`, type: 'PAGE', title: 'Lost' },
      { path: `all-${blogs}/photo`, type: 'PHOTO', title: 'Not here' },
    ];
    const done = await importAll(lines(rows), { parent: null });
    expect(done).toMatchObject({ imported: 3, rejected: 2, reject_reasons: { NO_PARENT: 2 } });
    expect(await rejectsOf(done._id)).toEqual([
      [4, 'NO_PARENT'],
      [5, 'NO_PARENT'],
    ]);
    expect(await nodes(database.db).findOne({ title: 'Today' })).toMatchObject({ slug: 'today' });
  });

  it('can make everything a draft', async () => {
    const rows = [post('public', { publishedAt: '2020-01-01T00:00:00Z', tags: [`draft-${blogs}`] })];
    await importAll(lines(rows), { parent: blog, asDrafts: true });
    expect(await below(database.db, blog)).toMatchObject([{ state: 'DRAFT', published: null }]);
    expect(await findTags(database.db, `draft-${blogs}`, 5)).toEqual([]);
  });

  it('tells for each row that is not stored on which line it is and why', async () => {
    await addPost(database.db, blog, 'Taken', { slug: 'taken' });
    const file = [
      '{"path":"fine","title":"Fine"}',
      'no JSON',
      '[1]',
      '',
      '{"path":"taken","title":"Taken"}',
      '{"path":"fine","title":"Another of this name"}',
      '{"path":"untitled"}',
      '{"path":"Not A Slug","title":"x"}',
      '{"path":"/x","title":"x"}',
      '{"path":"x","title":"\\u202e"}',
      '{"path":"x","title":"x","type":"NOVEL"}',
      '{"path":"x","title":"x","publishedAt":"yesterday"}',
      '{"path":"x","title":"x","tags":["a",1]}',
      '{"path":"x","title":"x","tags":[""]}',
      '{"path":"x","title":"x","text":"\\u0000"}',
      '{"path":"x","title":"x","version":0}',
      '{"path":"unknown","title":"x","version":2}',
      '{"path":"x","title":"x","description":"not for posts"}',
      '{"title":"\u0416"}',
      `{"path":"x","title":"x","text":"${'x'.repeat(8 * 1024 * 1024)}"}`,
      '{"path":"x","title":"x","rank":"first"}',
      `{"path":"x","title":"x","tags":${JSON.stringify(Array.from({ length: 51 }, (_, number) => `tag ${number}`))}}`,
    ];
    const bytes = Buffer.concat([Buffer.from(`${file.join('\r\n')}\n`), Buffer.from([0x7b, 0xff, 0x7d])]);
    const done = await importAll(bytes, { parent: blog });
    expect(done).toMatchObject({ state: 'FINISHED', imported: 1, rejected: 21, done: 22 });
    expect(await rejectsOf(done._id, 'field')).toEqual([
      [2, 'NOT_JSON', undefined],
      [3, 'NOT_JSON', undefined],
      [5, 'DIFFERS', 'path'],
      [6, 'DIFFERS', 'path'],
      [7, 'NO_TITLE', 'title'],
      [8, 'INVALID_PATH', 'path'],
      [9, 'INVALID_PATH', 'path'],
      [10, 'INVALID_TITLE', 'title'],
      [11, 'INVALID_TYPE', 'type'],
      [12, 'INVALID_DATE', 'publishedAt'],
      [13, 'INVALID_FIELD', 'tags'],
      [14, 'INVALID_TAGS', 'tags'],
      [15, 'INVALID_TEXT', 'text'],
      [16, 'INVALID_VERSION', 'version'],
      [17, 'NO_PREVIOUS_VERSION', 'version'],
      [18, 'INVALID', 'description'],
      [19, 'NO_SLUG', 'slug'],
      [20, 'TOO_LONG', undefined],
      [21, 'INVALID_FIELD', 'rank'],
      [22, 'INVALID_TAGS', 'tags'],
      [23, 'NOT_UTF8', undefined],
    ]);
    expect((await below(database.db, blog)).map(({ slug }) => slug)).toEqual(['fine', 'taken']);
    expect(await violations(database.db)).toEqual([]);
  });

  it.each([
    ['an empty file', '', 'JSON_LINES', 'The file is empty'],
    [
      'another format',
      '<rss/>',
      'JSON_LINES',
      'The file does not consist of JSON lines: it does not start with an object',
    ],
    ['no feed', '{}', 'FEED', 'The file is no feed: it does not start with an XML element'],
    ['UTF-16', Buffer.from('\ufeff{"title":"One"}', 'utf16le'), 'JSON_LINES', UTF16],
    ['UTF-16 without a mark', Buffer.from('{"title":"One"}', 'utf16le'), 'JSON_LINES', UTF16],
    ['UTF-16, the high byte first', Buffer.from('{"title":"One"}', 'utf16le').swap16(), 'JSON_LINES', UTF16],
    ['truncated gzip', gzipSync('{"title":"One"}').subarray(0, 20), 'JSON_LINES', 'The gzip file is truncated'],
    [
      'damaged gzip',
      Buffer.concat([gzipSync('x').subarray(0, 10), Buffer.alloc(50, 0xff)]),
      'JSON_LINES',
      'The gzip file is damaged',
    ],
    [
      'a bomb',
      gzipSync(Buffer.alloc(64 * 1024 * 1024, ' ')),
      'JSON_LINES',
      'The file unpacks to more than 200 times its size',
    ],
    ['gzip in gzip', gzipSync(gzipSync('{"title":"One"}')), 'JSON_LINES', 'The file is packed twice with gzip'],
  ] as const)('refuses %s, and keeps nothing', async (_what, file, format, message) => {
    const before = await database.db.collection('work.parts').countDocuments();
    expect(await begin(file, { parent: blog, format })).toEqual({ __typename: 'ImportFileRefused', message });
    expect(await database.db.collection('work.parts').countDocuments()).toBe(before);
  });

  it.each([
    ['gzip', gzipSync],
    ['UTF-8 with a byte order mark', (text: string) => `\ufeff${text}`],
  ] as const)('reads %s', async (_what, written) => {
    const done = await importAll(written(lines([post('one'), post('two')])), { parent: blog });
    expect(done).toMatchObject({ state: 'FINISHED', imported: 2, rejected: 0 });
  });

  it('rejects what was stored in the future, and takes other programs’ time of publication for no such time', async () => {
    const at = '2999-01-01T00:00:00.000Z';
    const rows = [
      post('one', { at }),
      post('two'),
      { path: 'two', version: 2, title: 'Two', at },
      { redirect: 'former', path: 'two', at },
      { title: 'Three', date: at },
    ];
    const done = await importAll(lines(rows), { parent: blog });
    expect(await rejectsOf(done._id, 'field')).toEqual([
      [1, 'IN_THE_FUTURE', 'at'],
      [3, 'IN_THE_FUTURE', 'at'],
      [4, 'IN_THE_FUTURE', 'at'],
    ]);
    const [three] = await below(database.db, blog);
    expect(three).toMatchObject({ slug: 'three', state: 'SCHEDULED', published: new Date(at) });
    expect(three?.created.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('refuses a parent that groups nothing', async () => {
    const page = await add(database.db, { title: 'A page' });
    expect(await begin('{}', { parent: page })).toMatchObject({ __typename: 'ParentNotFound' });
    expect(await begin('{}', { parent: { _id: 'none' } })).toMatchObject({ __typename: 'ParentNotFound' });
  });

  it('of the same file again stores only what is missing', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => post(`post-${index}`));
    await importAll(lines(rows.slice(0, 10)), { parent: blog });
    const edited = (await below(database.db, blog))[0];
    if (!edited) throw new Error('Nothing was imported');
    requireStored(await edit(database.db, edited, { title: 'Edited since' }));
    const again = await importAll(lines(rows), { parent: blog });
    expect(again).toMatchObject({ imported: 20, skipped: 10, rejected: 0, done: 30 });
    expect(await below(database.db, blog)).toHaveLength(30);
    expect(await nodes(database.db).findOne({ _id: edited._id })).toMatchObject({ title: 'Edited since', version: 2 });
  });

  it('gives a photo the rank of its row in a gallery with ranks, and the first place if another one has it', async () => {
    const rows = [
      { path: 'wall', type: 'GALLERY', title: 'Wall', photoOrder: 'BY_HAND' },
      ...[0.5, -3, 0.5, undefined, 'x', 1e12].map((rank, at) => ({
        path: `wall/photo-${at}`,
        title: `Photo ${at}`,
        type: 'PHOTO',
        rank,
      })),
      { path: 'plain', type: 'GALLERY', title: 'Plain' },
      { path: 'plain/photo', type: 'PHOTO', title: 'Photo', rank: 7 },
    ];
    const folder = await add(database.db, { type: 'FOLDER', title: 'Ranks' });
    const done = await importAll(lines(rows), { parent: folder });
    expect(await rejectsOf(done._id)).toEqual([
      [6, 'INVALID_FIELD'],
      [7, 'INVALID_FIELD'],
    ]);
    const [plain, wall] = await below(database.db, folder);
    const ranks = async (group: NodeDocument | undefined) =>
      (await below(database.db, group ?? folder)).map(({ rank }) => rank);
    expect(await ranks(wall)).toEqual([0.5, -3, -4, -5]);
    expect(await ranks(plain)).toEqual([undefined]);
    expect(await violations(database.db)).toEqual([]);
  });

  it('continues after a death without storing anything twice', async () => {
    const rows = Array.from({ length: 250 }, (_, index) => post(`post-${String(index).padStart(3, '0')}`));
    const { _id } = await accept(lines(rows), { parent: blog });
    for (let deaths = 0; deaths < 2; deaths += 1) {
      await new Promise<void>((resolve) => {
        const rest = () => new Promise<void>(() => resolve()); // it never goes on
        void loop({ rest }).run(_id);
      });
      expect(await backgroundWork(database.db).findOne({ _id })).toMatchObject({ done: 100 * (deaths + 1) });
      await expireLeases(database.db);
    }
    expect(await run(_id)).toMatchObject({ state: 'FINISHED', imported: 250, skipped: 0, done: 250 });
    expect((await below(database.db, blog)).map(({ slug }) => slug)).toEqual(rows.map(({ path }) => path));
    expect(await violations(database.db)).toEqual([]);
  });
});

describe('a picture in an import', () => {
  const ID = '00000000-0000-4000-8000-00000000000a';
  const picture = toGlobalId('Asset', ID);
  const bytesOf = () => makePicture('image/png', { width: 20, height: 10 }, 7);
  const head = (bytes: Buffer, fields: object = {}) => ({
    picture,
    name: 'a.png',
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    ...fields,
  });
  const part = (bytes: Buffer) => ({ picture, data: bytes.toString('base64') });
  const shown = (path: string, id = picture) => post(path, { text: `![a](asset:${id})` });
  const files = () => database.db.collection('cms.assets.files');
  const chunks = () => database.db.collection('cms.assets.chunks');

  afterEach(async () => {
    await nodes(database.db).updateMany({ asset_ids: ID }, { $set: { asset_ids: [] } });
    await files().deleteMany({});
    await chunks().deleteMany({});
  });

  it('is stored before the rows that show it, and only once', async () => {
    const bytes = await bytesOf();
    const rows = [head(bytes), part(bytes.subarray(0, 300)), part(bytes.subarray(300)), shown('one'), shown('two')];
    expect(await importAll(lines(rows), { parent: blog })).toMatchObject({ imported: 3, skipped: 0, rejected: 0 });
    expect((await below(database.db, blog)).map(({ asset_ids }) => asset_ids)).toEqual([[ID], [ID]]);
    expect(await importAll(lines(rows), { parent: blog })).toMatchObject({ imported: 0, skipped: 3 });
    expect(await files().countDocuments()).toBe(1);
  });

  it('that is not in the file nor stored leaves out what shows it, and changes nothing else', async () => {
    const missing = toGlobalId('Asset', '00000000-0000-4000-8000-00000000000b');
    const rows = [
      shown('one', missing),
      post('two'),
      { path: 'two', version: 2, title: 'Two', text: `![a](asset:${missing})` },
      { path: 'three', title: 'Three', type: 'IMAGE', imageId: missing },
      { path: 'four', title: 'Four', type: 'IMAGE', imageId: 'nonsense' },
    ];
    const done = await importAll(lines(rows), { parent: blog });
    expect(done).toMatchObject({ imported: 1, rejected: 4 });
    expect(await rejectsOf(done._id, 'field')).toEqual([
      [1, 'UNKNOWN_PICTURE', 'text'],
      [3, 'UNKNOWN_PICTURE', 'text'],
      [4, 'UNKNOWN_PICTURE', 'imageId'],
      [5, 'UNKNOWN_PICTURE', 'imageId'],
    ]);
    expect(await below(database.db, blog)).toMatchObject([{ slug: 'two', version: 1, detail: { text: 'A text\n' } }]);
    expect(await violations(database.db)).toEqual([]);
  });

  it('is rejected when it is damaged, too large, no picture, or another one', async () => {
    const bytes = await bytesOf();
    const text = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const vast = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const rows = [
      ...[head(bytes), part(bytes.subarray(0, 100))], // 1
      ...[head(bytes), part(bytes), part(bytes)], // 3
      ...[head(bytes, { sha256: '0'.repeat(64) }), part(bytes)], // 6
      ...[head(text), part(text)], // 8
      ...[head(vast), part(vast)], // 10
      ...[head(bytes, { bytes: 200 * 1024 ** 2 })], // 12
      part(bytes), // 13: of no picture
      ...[head(bytes, { picture: toGlobalId('Asset', '../x') })], // 14
      ...[head(bytes, { sha256: 'x' })], // 15
      post('after'),
    ];
    const done = await importAll(lines(rows.toSpliced(12, 0, post('between'))), { parent: blog });
    expect(await rejectsOf(done._id, 'field')).toEqual([
      [1, 'DAMAGED_PICTURE', 'data'],
      [3, 'DAMAGED_PICTURE', 'data'],
      [6, 'DAMAGED_PICTURE', 'data'],
      [8, 'NO_PICTURE', 'data'],
      [10, 'PICTURE_TOO_LARGE', 'data'],
      [12, 'DAMAGED_PICTURE', 'data'],
      [14, 'INVALID_PICTURE', 'data'],
      [15, 'INVALID_PICTURE', 'picture'],
      [16, 'INVALID_PICTURE', 'sha256'],
    ]);
    expect(done).toMatchObject({ state: 'FINISHED', imported: 2 });
    expect(await files().countDocuments()).toBe(0);
    expect(await chunks().countDocuments()).toBe(0);

    const other = await makePicture('image/png', { width: 20, height: 10 }, 8);
    await importAll(lines([head(other), part(other)]), { parent: blog });
    const again = await importAll(lines([head(bytes), part(bytes)]), { parent: blog });
    expect(await rejectsOf(again._id, 'field')).toEqual([[1, 'PICTURE_TAKEN', 'picture']]);
    expect(await files().findOne()).toMatchObject({ length: other.length });
  });
});

describe('a former path in an import', () => {
  it('leads to the node, as long as its place is free', async () => {
    await addPost(database.db, blog, 'Taken', { slug: 'taken' });
    const rows = [
      post('one'),
      { redirect: 'former', path: 'one' },
      { redirect: 'taken', path: 'one' },
      { redirect: 'none/former', path: 'one' },
      { redirect: 'one/former', path: 'one' },
      { redirect: 'former', path: 'unknown' },
      { redirect: 'Not/A/Path', path: 'one' },
      post('two'),
      { redirect: 'former', path: 'two' },
    ];
    const done = await importAll(lines(rows), { parent: blog });
    expect(await rejectsOf(done._id)).toEqual([
      [3, 'SLUG_TAKEN'],
      [4, 'NO_PARENT'],
      [5, 'NO_PARENT'],
      [6, 'NO_NODE'],
      [7, 'INVALID_PATH'],
      [9, 'REDIRECT_TAKEN'],
    ]);
    expect(await findByPath(database.db, `/${blog.slug}/former`)).toMatchObject({
      isMoved: true,
      node: { slug: 'one' },
    });
    expect(await undo(done._id)).toMatchObject({ imported: 0 });
    expect(await findByPath(database.db, `/${blog.slug}/former`)).toBeNull();
  });
});

describe('undoing an import of content', () => {
  it('removes what it created, and keeps what was edited since and the groups above it', async () => {
    const mine = await addPost(database.db, blog, 'Mine', { slug: 'mine' });
    const folder = await add(database.db, { type: 'FOLDER', title: 'A folder', slug: `folder-${blogs}` });
    const rows = [
      { path: 'full', type: 'BLOG', title: 'Full' },
      { path: 'full/edited', title: 'Edited', type: 'BLOG_POST', tags: ['kept'], publishedAt: '2020-01-01T00:00:00Z' },
      {
        path: 'full/gone',
        title: 'Gone',
        type: 'BLOG_POST',
        tags: ['kept', 'gone'],
        publishedAt: '2020-01-01T00:00:00Z',
      },
      { path: 'empty', type: 'FOLDER', title: 'Empty' },
      { path: 'empty/inner', type: 'BLOG', title: 'Inner' },
      { path: 'empty/inner/post', type: 'BLOG_POST', title: 'Post' },
      { path: 'empty/inner/post', version: 2, title: 'Post, better' },
    ];
    const done = await importAll(lines(rows), { parent: folder });
    expect(done).toMatchObject({ imported: 7, rejected: 0 });
    const edited = await nodes(database.db).findOne({ imports: done._id, slug: 'edited' });
    if (!edited) throw new Error('It was not imported');
    requireStored(await edit(database.db, edited, { text: 'By hand' }));

    expect(await undo(done._id)).toMatchObject({ state: 'UNDONE', imported: 2, done: 2 });
    expect((await nodes(database.db).find({ imports: done._id }).toArray()).map(({ slug }) => slug).toSorted()).toEqual(
      ['edited', 'full'],
    );
    expect(await nodes(database.db).findOne({ _id: mine._id })).toMatchObject({ slug: 'mine' });
    expect(await findTags(database.db, 'gone', 5)).toEqual([]);
    expect(await violations(database.db)).toEqual([]);
  });

  it('lets the same file be imported again', async () => {
    const file = lines([post('one'), post('two')]);
    const first = await importAll(file, { parent: blog });
    expect(await undo(first._id)).toMatchObject({ state: 'UNDONE', imported: 0, done: 0 });
    expect(await below(database.db, blog)).toEqual([]);
    expect(await importAll(file, { parent: blog })).toMatchObject({ imported: 2, skipped: 0 });
  });
});

const posts = readRealPosts();
if (!posts)
  process.stderr.write('The posts of a real blog are not at ../shared/data/blog-18f: their test is skipped\n');

describe.skipIf(!posts)('the posts of a real blog', () => {
  it('are all imported, and all undone', async () => {
    const done = await importAll(posts ?? '', { parent: blog });
    expect(await rejectsOf(done._id)).toEqual([]);
    expect(done).toMatchObject({ state: 'FINISHED', imported: 508, rejected: 0 });
    expect(await nodes(database.db).findOne({ parent_id: blog._id, slug: '2014-03-12-coming-soon' })).toMatchObject({
      title: 'Coming soon',
      published: new Date('2014-03-12T14:11:00Z'),
      tags: ['18f'],
      author: { name: '18F' },
      state: 'PUBLISHED',
    });
    expect(await violations(database.db)).toEqual([]);
    expect(await undo(done._id)).toMatchObject({ state: 'UNDONE', imported: 0 });
    expect(await below(database.db, blog)).toEqual([]);
    expect(await violations(database.db)).toEqual([]);
  });
});
