/** `sextant import-content`, as a process. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { runSextantOn } from '../../analytics/log-import/import-command.js';
import { useDatabase } from '../../support/database.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { addBlog, edit } from '../nodes/node-support.js';
import { below, lines } from './import-support.js';

const database = useDatabase();

const run = (file: string, ...options: string[]) => runSextantOn(database, ['import-content', file, ...options]);

async function put(name: string, content: string | Buffer): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, content);
  return path;
}

describe('sextant import-content', { timeout: 60_000 }, () => {
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
    expect(again.output.replaceAll(/\s+/g, ' ')).toContain('1 imported, 2 there already, 2 rejected');
    expect(again.output).toContain('line 4: Another node has this slug');
    expect(again.output).toContain('line 5: There is no title');
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
    ['damaged gzip data', '/blog', Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]), ''],
  ])('refuses %s', async (_what, parent, content, message) => {
    const { code, output } = await run(await put('x.jsonl', content), '--parent', parent, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(output)).toMatchObject({ state: 'REFUSED', failure: expect.stringContaining(message) });
  });
});
