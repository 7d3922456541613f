/** `sextant import-comments` and `sextant export-comments`, as processes. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { comments } from '../../../src/models/comments/discussion/comment.js';
import { runSextantOn } from '../../analytics/log-import/import-command.js';
import { lines } from '../../content/import/import-support.js';
import { addBlog, addPost } from '../../content/nodes/node-support.js';
import { useDatabase } from '../../support/database.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const database = useDatabase();
const run = (...args: string[]) => runSextantOn(database, args);

async function put(name: string, content: string | Buffer): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, content);
  return path;
}

describe('sextant import-comments', () => {
  it('imports a compressed file, which export-comments writes again', async () => {
    const blog = await addBlog(database.db, 'blog');
    await addPost(database.db, blog, 'Post', { slug: 'post' });
    const rows = [
      { on: 'post', id: '1', author: 'Cleo', postedAt: '2020-01-01T00:00:00.000Z', text: 'First' },
      { on: 'post', id: '2', replyTo: '1', postedAt: '2020-01-02T00:00:00.000Z', text: 'Second' },
    ];
    const file = await put('comments.jsonl.gz', gzipSync(lines(rows)));
    const first = await run('import-comments', file, '--on', '/blog', '--json');
    expect(first.code, first.errors).toBe(0);
    expect(JSON.parse(first.output)).toMatchObject({ state: 'FINISHED', imported: 2, skipped: 0, rejected: 0 });
    const path = join(await temporaryFolder(), 'exported.jsonl');
    expect(await run('export-comments', '/blog', '--output', path)).toMatchObject({ code: 0 });
    expect(await readFile(path, 'utf8')).toBe(lines(rows));
    const more = await put('more.jsonl', lines([...rows, { id: 3 }]));
    const again = await run('import-comments', more, '--on', '/blog');
    expect(again.code).toBe(1);
    expect(again.output.replaceAll(/\s+/g, ' ')).toContain('0 imported, 2 already here, 1 rejected');
    expect(again.output).toContain('line 3, postedAt: A time is missing');
    expect(again.output).not.toContain('undo');
  });

  it('stores nothing of a file with a wrong row if it is strict, nor at a path without anything', async () => {
    const file = await put(
      'strict.jsonl',
      lines([{ on: 'strict', id: 1, postedAt: '2020-01-01T00:00:00Z', text: 'x' }, {}]),
    );
    await addBlog(database.db, 'strict');
    const before = await comments(database.db).countDocuments();
    const strict = await run('import-comments', file, '--strict');
    expect(strict.code).toBe(1);
    expect(strict.output).toContain('Rows were rejected, so nothing was imported');
    const nowhere = await run('import-comments', file, '--on', '/none', '--json');
    expect(JSON.parse(nowhere.output)).toMatchObject({
      state: 'REFUSED',
      failure: 'There is nothing at /none that can be commented on',
    });
    expect(await comments(database.db).countDocuments()).toBe(before);
    expect(await run('export-comments', '/none')).toMatchObject({ code: 1 });
  });
});
