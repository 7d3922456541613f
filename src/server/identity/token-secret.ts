/** The secret that signs tokens: from the configuration, or generated once and kept in the data folder. */
import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config/config.js';

const FILE_NAME = 'token-secret';

/** Processes that start concurrently end up with the same secret: only one can link its file to the name, and that file is complete. */
export async function loadTokenSecret({ TOKEN_SECRET, DATA_DIR }: Config): Promise<string> {
  if (TOKEN_SECRET) return TOKEN_SECRET;
  const file = path.join(DATA_DIR, FILE_NAME);
  await mkdir(DATA_DIR, { recursive: true });
  const own = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(own, randomBytes(48).toString('base64url'), { mode: 0o600, flush: true });
  try {
    await link(own, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(own);
  }
  return (await readFile(file, 'utf8')).trim();
}
