import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { DiskFile } from '../../src/cli/support/log-file.js';
import { temporaryFolder } from '../support/temporary-folder.js';

it('a log on disk stays the same file when it is rotated between two reads', async () => {
  const path = join(await temporaryFolder(), 'access.log');
  await writeFile(path, 'before\n');
  const file = await DiskFile.find(path);
  try {
    for await (const _chunk of file.open()) break; // like a caller that reads only its start
    await rename(path, `${path}.1`);
    await writeFile(path, 'after\n');
    expect(await text(file.open())).toBe('before\n');
    expect(file).toMatchObject({ name: 'access.log', size: 7 });
  } finally {
    await file.close();
  }
});

it('a folder is not a log', async () => {
  const path = join(await temporaryFolder(), 'logs');
  await mkdir(path);
  await expect(DiskFile.find(path)).rejects.toThrow('It is not a file');
});
