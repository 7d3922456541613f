/** `sextant import-network`, as a process. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { people } from '../../../src/models/social/network/person.js';
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

const rows = [
  { circle: 'Friends', of: 'ann', members: ['ben'] },
  { person: 'ann', name: 'Ann' },
  { person: 'ben', name: 'Ben' },
];

describe('sextant import-network', () => {
  it('imports a compressed file, and says at the next time what is there and what is wrong', async () => {
    const file = await put('network.jsonl.gz', gzipSync(lines(rows)));
    const first = await run('import-network', '--source', 'command', file, '--json');
    expect(first.code, first.errors).toBe(0);
    expect(JSON.parse(first.output)).toMatchObject({ state: 'FINISHED', imported: 3, skipped: 0, rejected: 0 });
    const audited = database.db.collection('audit').find({ action: 'NETWORK_IMPORTED' });
    expect(await audited.toArray()).toMatchObject([
      { actor: 'sextant', subject: 'network.jsonl.gz', detail: 'command' },
    ]);
    const more = await put('more.jsonl', lines([...rows, { post: 1, by: 'ann', text: 'Hi' }]));
    const again = await run('import-network', '--source', 'command', more);
    expect(again.code).toBe(1);
    expect(again.output.replaceAll(/\s+/g, ' ')).toContain('0 imported, 3 already here, 1 rejected');
    expect(again.output).toContain('line 4, at: The time is missing');
    expect(again.output).not.toContain('undo');
  });

  it('needs a source and a file', async () => {
    const before = await people(database.db).countDocuments();
    const file = await put('network.jsonl', lines(rows));
    expect(await run('import-network', file)).toMatchObject({ code: 2 });
    const refused = await run('import-network', '--source', ' ', file, '--json');
    expect(JSON.parse(refused.output)).toMatchObject({
      state: 'REFUSED',
      failure: 'The source must have 1 to 100 characters',
    });
    const none = await run('import-network', '--source', 'other', `${file}.none`);
    expect(none.code).toBe(1);
    expect(none.output).toContain('The file cannot be read');
    expect(await people(database.db).countDocuments()).toBe(before);
  });
});
