/** The project's folder, also for code compiled to another place: the nearest parent with its package.json. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function find(folder: string): string {
  const file = join(folder, 'package.json');
  if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name === 'sextant') return folder;
  if (dirname(folder) === folder) throw new Error('This file is not inside the project');
  return find(dirname(folder));
}

export const projectRoot = find(dirname(fileURLToPath(import.meta.url)));
