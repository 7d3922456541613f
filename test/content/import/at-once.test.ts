/** Imports of the same rows below one blog at the same time, of which one is undone: the other has what it would have alone. */
import { describe, expect, it } from 'vitest';
import { chooseSeed, makeRandom, type Random } from '../../../harness/random.js';
import { type NodeDocument, nodes } from '../../../src/models/content/nodes/node.js';
import { versions } from '../../../src/models/content/nodes/node-version.js';
import { redirects } from '../../../src/models/content/nodes/redirect.js';
import { backgroundWork } from '../../../src/models/system/work/background-work.js';
import type { WorkDocument } from '../../../src/models/work.js';
import { useDatabase } from '../../support/database.js';
import { add, addBlog, edit, requireStored, violations } from '../nodes/node-support.js';
import { below, lines, useImports } from './import-support.js';

const database = useDatabase();
const { loop, accept, importAll, undo } = useImports(database);
let folders = 0;

const addFolder = (): Promise<NodeDocument> => {
  folders += 1;
  return add(database.db, { type: 'FOLDER', title: 'A folder', slug: `folder-${folders}` });
};

const sumOf = ({ imported = 0, skipped = 0, rejected = 0 }: WorkDocument): number => imported + skipped + rejected;

type Row = Readonly<Record<string, unknown>>;

/** The rows of each node. A redirect ends a batch, so imports of these rows alternate in many places. */
const TREE: readonly (readonly Row[])[] = ['a', 'b', 'c', 'd'].flatMap((blog) => [
  [{ path: blog, type: 'BLOG', title: `Blog ${blog}` }],
  ...[1, 2, 3].map((number): Row[] => {
    const path = `${blog}/post-${number}`;
    const publishedAt = '2020-01-01T00:00:00Z';
    const first = { path, type: 'BLOG_POST', title: 'First', tags: [blog, 'all'], publishedAt };
    const next = { path, version: 2, title: 'Second', publishedAt };
    return [first, ...(number > 1 ? [next] : []), { redirect: `${blog}/former-${number}`, path }];
  }),
]);

const isPost = ([row]: readonly Row[]): boolean => String(row?.path).includes('/');
/** Without some of the posts, and some of the versions and redirects of the others. */
const withSome = (random: Random): Row[] =>
  TREE.filter((rows) => !isPost(rows) || random.below(3) > 0).flatMap(([first, ...more]) =>
    first ? [first, ...more.filter(() => random.below(4) > 0)] : [],
  );
const pathsOf = (rows: readonly Row[]): string[] => [...new Set(rows.map(({ path }) => String(path)))].sort();

/** Below a folder. */
async function storedPaths(folder: NodeDocument): Promise<string[]> {
  const blogs = await below(database.db, folder);
  const posts = await Promise.all(blogs.map((blog) => below(database.db, blog)));
  return blogs
    .flatMap(({ slug }, index) => [slug, ...(posts[index] ?? []).map((post) => `${slug}/${post.slug}`)])
    .sort();
}

/** How many versions and redirects there are below a folder. */
async function storedRows(folder: NodeDocument): Promise<{ versions: number; redirects: number }> {
  const blogs = await below(database.db, folder);
  const posts = (await Promise.all(blogs.map((blog) => below(database.db, blog)))).flat();
  const ids = [...blogs, ...posts].map(({ _id }) => _id);
  return {
    versions: await versions(database.db).countDocuments({ '_id.node': { $in: ids } }),
    redirects: await redirects(database.db).countDocuments({ node_id: { $in: ids } }),
  };
}

/** Runs both to their ends. After each step, one of them is chosen to go on. */
async function alternate(random: Random, ids: readonly [string, string]): Promise<void> {
  const waiting = new Map<string, () => void>();
  let running = 2;
  const goOn = () => {
    if (waiting.size < running) return;
    const [chosen] = [...waiting].sort().splice(random.below(waiting.size), 1);
    if (!chosen) return;
    waiting.delete(chosen[0]);
    chosen[1]();
  };
  const runOne = async (id: string) => {
    const rest = () =>
      new Promise<void>((resolve) => {
        waiting.set(id, resolve);
        goOn();
      });
    await loop({ rest }).run(id);
    running -= 1;
    goOn();
  };
  await Promise.all(ids.map(runOne));
}

const requireWork = async (id: string): Promise<WorkDocument> => {
  const work = await backgroundWork(database.db).findOne({ _id: id });
  if (!work) throw new Error('The work is gone');
  return work;
};

describe('imports of the same rows at once', () => {
  it('leave to each what it has, in any order, when the other is undone', async () => {
    const random = makeRandom(chooseSeed('imports at once'));
    for (let round = 0; round < 5; round += 1) {
      const folder = await addFolder();
      const files = [withSome(random), withSome(random)] as const;
      const ids = [
        (await accept(lines(files[0]), { parent: folder }))._id,
        (await accept(lines(files[1]), { parent: folder }))._id,
      ] as const;
      await alternate(random, ids);
      for (const [index, id] of ids.entries()) {
        const work = await requireWork(id);
        const rows = files[index as 0 | 1].length;
        expect(work).toMatchObject({ state: 'FINISHED', total: rows, done: rows, rejected: 0 });
        expect(sumOf(work)).toBe(rows);
      }
      const gone = random.below(2) as 0 | 1;
      const stays = (1 - gone) as 0 | 1;
      const undone = await undo(ids[gone]);
      expect(undone).toMatchObject({ state: 'UNDONE', imported: 0, total: files[gone].length });
      expect(undone.done).toBe(sumOf(undone));
      expect(await storedPaths(folder)).toEqual(pathsOf(files[stays]));
      const second = await nodes(database.db).countDocuments({ imports: ids[stays], version: 2, title: 'Second' });
      expect(second).toBe(files[stays].filter(({ version }) => version === 2).length);
      // Nothing is left of what only the other one had.
      expect(await storedRows(folder)).toEqual({
        versions: files[stays].filter(({ redirect }) => redirect === undefined).length,
        redirects: files[stays].filter(({ redirect }) => redirect !== undefined).length,
      });
      expect(await violations(database.db)).toEqual([]);

      const last = await undo(ids[stays]);
      expect(last).toMatchObject({ state: 'UNDONE', imported: 0 });
      expect(last.done).toBe(sumOf(last));
      expect(await storedPaths(folder)).toEqual([]);
      expect(await versions(database.db).countDocuments({ import: { $in: [...ids] } })).toBe(0);
      expect(await redirects(database.db).countDocuments()).toBe(0);
    }
    expect(await violations(database.db)).toEqual([]);
  });

  it('both store what is new when nothing holds either back', async () => {
    const blog = await addBlog(database.db, 'both');
    const rows = Array.from({ length: 450 }, (_, number) => ({ path: `post-${number}`, title: 'A post', tags: ['x'] }));
    const file = lines(rows);
    const [one, other] = [await accept(file, { parent: blog }), await accept(file, { parent: blog })];
    await Promise.all([loop().run(one._id), loop().run(other._id)]);
    const works = [await requireWork(one._id), await requireWork(other._id)];
    for (const work of works) expect(work).toMatchObject({ state: 'FINISHED', done: 450, total: 450, rejected: 0 });
    expect(works.reduce((sum, { imported = 0 }) => sum + imported, 0)).toBe(450);
    await Promise.all([undo(one._id), undo(other._id)]);
    expect(await below(database.db, blog)).toEqual([]);
    expect(await violations(database.db)).toEqual([]);
  });
});

describe('the figures of an undo', () => {
  it('fall with what is removed, down to what stays because it was edited', async () => {
    const blog = await addBlog(database.db, 'figures');
    const rows = Array.from({ length: 250 }, (_, number) => ({ path: `post-${number}`, title: 'A post' }));
    const file = lines([...rows, { path: 'post-7', version: 2, title: 'A better post' }, { path: 'untitled' }]);
    const done = await importAll(file, { parent: blog });
    expect(done).toMatchObject({ done: 252, total: 252, imported: 251, skipped: 0, rejected: 1 });
    const edited = await nodes(database.db).findOne({ imports: done._id, slug: 'post-7' });
    if (!edited) throw new Error('It was not imported');
    requireStored(await edit(database.db, edited, { title: 'By hand' }));

    const seen: WorkDocument[] = [];
    const undone = await undo(done._id, { onStep: (work) => seen.push(work) });
    expect(undone).toMatchObject({ state: 'UNDONE', done: 3, total: 252, imported: 2, skipped: 0, rejected: 1 });
    expect(seen.length).toBeGreaterThan(2);
    for (const work of seen) expect(work.done).toBe(sumOf(work));
    const figures = seen.map((work) => work.done);
    expect(figures).toEqual(figures.toSorted((one, other) => other - one));
    expect(figures[0]).toBeLessThan(252);
  });
});
