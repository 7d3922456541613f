/** `sextant import-content`, as a process. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { startContentExport } from '../../../src/models/content/export/content-export.js';
import { findByPath } from '../../../src/models/content/nodes/node-path.js';
import { workParts } from '../../../src/models/system/work/work-file.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { runSextantOn } from '../../analytics/log-import/import-command.js';
import { useDatabase } from '../../support/database.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { addBlog, edit } from '../nodes/node-support.js';
import { exportLoop, fileOf } from './grown-content.js';
import { below, lines } from './import-support.js';

const database = useDatabase();

const run = (file: string, ...options: string[]) => runSextantOn(database, ['import-content', file, ...options]);

async function put(name: string, content: string | Buffer): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, content);
  return path;
}

describe('sextant import-content', () => {
  it('imports a compressed file below a path, and again only what is missing', async () => {
    const blog = await addBlog(database.db, 'blog');
    const rows = [{ title: 'One', date: '2020-01-01' }, { title: 'Two' }];
    const one = await put('posts.jsonl.gz', gzipSync(lines(rows)));
    const first = await run(one, '--parent', '/blog', '--json', '--author', 'Cleo');
    expect(first.code, first.errors).toBe(0);
    expect(JSON.parse(first.output)).toEqual({
      file: one,
      state: 'FINISHED',
      import: expect.any(String),
      imported: 2,
      skipped: 0,
      rejected: 0,
      failure: null,
      rejects: [],
    });
    expect(await below(database.db, blog)).toMatchObject([
      { slug: 'one', author: { name: 'Cleo' } },
      { slug: 'two', author: { name: 'Cleo' } },
    ]);
    const more = await put('posts.jsonl', lines([...rows, { title: 'Three' }, { title: 'One' }, {}]));
    const again = await run(more, '--parent', '/blog');
    expect(again.code).toBe(1);
    expect(again.output.replaceAll(/\s+/g, ' ')).toContain('1 imported, 2 already here, 2 rejected');
    expect(again.output).toContain('line 4, path: There is a node with this path already, and its content differs');
    expect(again.output).toContain('line 5, title: There is no title');
  });

  it('imports a feed by its name, as drafts', async () => {
    const blog = await addBlog(database.db, 'feed');
    const feed =
      '<rss><channel><item><title>News</title><pubDate>Wed, 01 Jan 2020 10:00:00 GMT</pubDate></item></channel></rss>';
    const { code, errors } = await run(await put('feed.xml', feed), '--parent', '/feed', '--drafts');
    expect(code, errors).toBe(0);
    expect(await below(database.db, blog)).toMatchObject([{ slug: 'news', published: null }]);
  });

  it('is undone by its id, except what was edited since', async () => {
    const blog = await addBlog(database.db, 'undone');
    const file = await put('pages.jsonl', lines([{ title: 'One' }, { title: 'Two' }]));
    const { output } = await run(file, '--parent', '/undone');
    const [, id = ''] = /sextant undo-import (\S+)/.exec(output) ?? [];
    const [one] = await below(database.db, blog);
    if (!one) throw new Error('Nothing was imported');
    await edit(database.db, one, { title: 'By hand' });
    const undo = () => runSextantOn(database, ['undo-import', id]);
    expect(await undo()).toMatchObject({
      code: 0,
      output: 'pages.jsonl: undone. 1 rows stay, because something was edited since\n',
    });
    expect(await below(database.db, blog)).toMatchObject([{ title: 'By hand' }]);
    expect(await undo()).toMatchObject({ code: 0 });
    const unknown = toGlobalId('DataImport', 'none');
    expect(await runSextantOn(database, ['undo-import', unknown])).toMatchObject({
      code: 1,
      output: 'none: No import has this id, or it cannot be undone\n',
    });
  });

  it.each([
    ['a path that does not exist', '/none', '{}', 'There is no node at /none'],
    ['another format', '/blog', 'text', 'it does not start with an object'],
    ['damaged gzip data', '/blog', Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]), 'The gzip file is truncated'],
  ])('refuses %s', async (_what, parent, content, message) => {
    const { code, output } = await run(await put('x.jsonl', content), '--parent', parent, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(output)).toMatchObject({ state: 'REFUSED', failure: expect.stringContaining(message) });
  });
});

describe('sextant export-content', () => {
  const exportContent = (...args: string[]) => runSextantOn(database, ['export-content', ...args]);
  const rows = [{ title: 'One', text: 'x'.repeat(100_000) }, { title: 'Two' }];

  /** An export that has ended. */
  const grown = async () => {
    if (!(await findByPath(database.db, '/grown'))) {
      await addBlog(database.db, 'grown');
      await run(await put('posts.jsonl', lines(rows)), '--parent', '/grown');
    }
    const work = await startContentExport(database.db, { id: randomUUID(), parentId: null, owner: null }, new Date());
    await exportLoop(database.db).run(work._id);
    return { id: work._id, output: await fileOf(database.db, work._id) };
  };

  it('writes what import-content finds to be here already', async () => {
    const blog = await addBlog(database.db, 'exported');
    await run(await put('posts.jsonl', lines(rows)), '--parent', '/exported');
    const { code, output, errors } = await exportContent('/exported');
    expect(code, errors).toBe(0);
    expect(
      output
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).path),
    ).toEqual(['one', 'two']);
    const path = join(await temporaryFolder(), 'exported.jsonl');
    expect(await exportContent('/exported', '--output', path)).toMatchObject({ code: 0, output: '' });
    expect(await readFile(path, 'utf8')).toBe(output);
    const again = await run(path, '--parent', '/exported');
    expect(again).toMatchObject({ code: 0, output: expect.stringContaining('0 imported, 2 already here, 0 rejected') });
    expect(await below(database.db, blog)).toHaveLength(2);
  });

  it('continues what was interrupted: the export, and the file', async () => {
    await addBlog(database.db, 'resumed');
    await run(await put('posts.jsonl', lines(rows)), '--parent', '/resumed');
    const path = join(await temporaryFolder(), 'resumed.jsonl');
    const environment = { SEXTANT_FAILPOINT: 'work.stepped' };
    const killed = await runSextantOn(database, ['export-content', '/resumed', '--output', path], { environment });
    expect(killed.signal, killed.errors).toBe('SIGKILL');
    const [, id = ''] = /--resume (\S+)/.exec(killed.errors) ?? [];
    const whole = await exportContent('/resumed');
    await writeFile(`${path}.part`, whole.output.slice(0, 60_000)); // what a broken download has left
    expect(await exportContent('--resume', id, '--output', path)).toMatchObject({ code: 0 });
    expect(await readFile(path, 'utf8')).toBe(whole.output);
    expect(existsSync(`${path}.part`)).toBe(false);
  });

  it.each([
    ['of another export', (whole: string) => whole.replace('"One"', '"Two"')],
    ['of a longer one', (whole: string) => `${whole}{"path":"three","title":"Three"}\n`],
    ['of another one that is longer', (whole: string) => 'x'.repeat(whole.length + 1)],
  ])('starts over where the file that it finds is %s', async (_what, found) => {
    const { id, output } = await grown();
    const path = join(await temporaryFolder(), 'found.jsonl');
    await writeFile(`${path}.part`, found(output));
    expect(await exportContent('--resume', id, '--output', path)).toMatchObject({ code: 0 });
    expect(await readFile(path, 'utf8')).toBe(output);
    expect(existsSync(`${path}.part`)).toBe(false);
  });

  it('fails when a part of the export is gone, and names no file as if it was whole', async () => {
    const { id } = await grown();
    await workParts(database.db).deleteOne({ _id: new RegExp(`^${id}`) as never });
    const path = join(await temporaryFolder(), 'short.jsonl');
    expect(await exportContent('--resume', id, '--output', path)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('The file of this export is no longer kept. Export it again'),
    });
    expect(existsSync(path)).toBe(false);
  });

  it.each([
    ['a path that does not exist', ['/none'], 'There is no node at /none'],
    ['an unknown export', ['--resume', 'none'], 'No export has this id'],
  ])('refuses %s', async (_what, args, message) => {
    expect(await exportContent(...args)).toMatchObject({
      code: 1,
      output: '',
      errors: expect.stringContaining(message),
    });
  });
});
