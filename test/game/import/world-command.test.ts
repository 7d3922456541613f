/** `sextant import-world` and `sextant export-world`, as processes. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { locations } from '../../../src/models/game/world/location.js';
import { runSextantOn } from '../../analytics/log-import/import-command.js';
import { lines } from '../../content/import/import-support.js';
import { useDatabase } from '../../support/database.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const database = useDatabase({ checked: false }); // other processes send the commands
const run = (...args: string[]) => runSextantOn(database, args);

async function put(name: string, content: string | Buffer): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, content);
  return path;
}

const rooms = [
  { location: 'hall', name: 'Hall', exits: [{ direction: 'up', to: 'attic' }] },
  { location: 'attic', name: 'Attic' },
];

describe('sextant import-world', () => {
  it('joins the files of a world, and says in which of them something is wrong', async () => {
    const first = await put('items.jsonl.gz', gzipSync(lines([{ item: 'lamp', name: 'lamp', place: 'hall' }]).trim()));
    const second = await put('rooms.jsonl', lines(rooms));
    const imported = await run('import-world', first, second, '--json');
    expect(imported.code, imported.errors).toBe(0);
    expect(JSON.parse(imported.output)).toMatchObject({ state: 'FINISHED', imported: 3, skipped: 0, rejected: 0 });
    const third = await put('more.jsonl', lines([...rooms, { item: 'hat', name: 'hat', place: 'nowhere' }]));
    const again = await run('import-world', first, third);
    expect(again.code).toBe(1);
    expect(again.output.replaceAll(/\s+/g, ' ')).toContain('3 already here, 1 rejected');
    expect(again.output.replaceAll(/\s+/g, '')).toContain(
      `${third},line3,place:Thereisnolocation`.replaceAll(/\s+/g, ''),
    );
    expect(again.output).not.toContain('undo');
  });

  it('lists all rejected rows on request', async () => {
    const wrong = Array.from({ length: 25 }, (_, at) => ({ item: `hat-${at}`, name: 'hat', place: 'nowhere' }));
    const file = await put('hats.jsonl', lines([...rooms, ...wrong]));
    const short = await run('import-world', file);
    expect(short.output).toContain('and 5 more');
    const long = await run('import-world', file, '--all-rejects');
    expect(long.output.match(/line \d+/g)).toHaveLength(25);
    expect(long.output).not.toContain('more\n');
    const { rejects } = JSON.parse((await run('import-world', file, '--all-rejects', '--json')).output);
    expect(rejects).toHaveLength(25);
  });

  it('exports what another world imports', async () => {
    const path = join(await temporaryFolder(), 'world.jsonl');
    expect(await run('export-world', '--output', path)).toMatchObject({ code: 0 });
    const file = await readFile(path, 'utf8');
    expect(file.split('\n')).toHaveLength(4);
    const copied = await run('import-world', path, '--prefix', 'copy', '--json');
    expect(JSON.parse(copied.output)).toMatchObject({ imported: 3, rejected: 0 });
    expect(await locations(database.db).countDocuments({ _id: /^copy:/ })).toBe(2);
  });

  it('refuses other formats, prefixes and files', async () => {
    const file = await put('rooms.jsonl', lines(rooms));
    expect(await run('import-world', file, '--format', 'zork')).toMatchObject({ code: 2 });
    const refused = await run('import-world', file, '--prefix', 'a b', '--json');
    expect(JSON.parse(refused.output)).toMatchObject({
      state: 'REFUSED',
      failure: 'The prefix must have 1 to 20 letters and digits',
    });
    const none = await run('import-world', file, `${file}.none`);
    expect(none.code).toBe(1);
    expect(none.output).toContain('The file cannot be read');
  });
});
