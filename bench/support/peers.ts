/**
 * The peers of `../shared/bench`, if that folder exists: copied to a temporary folder, with their packages installed.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../harness/project-root.js';

const SOURCE = join(projectRoot, '../shared/bench');

/** @returns the folder of the copy, or null if there are no peers; an earlier copy is reused */
export function preparePeers(log: (line: string) => void): string | null {
  if (!existsSync(SOURCE)) {
    log('../shared/bench does not exist: skipping the peers');
    return null;
  }
  const packages = readFileSync(join(SOURCE, 'node/package.json'));
  const folder = join(tmpdir(), `sextant-peers-${createHash('sha256').update(packages).digest('hex').slice(0, 12)}`);
  if (!existsSync(join(folder, 'node/node_modules/.package-lock.json'))) {
    log(`Installing the peers' packages in ${folder}`);
    cpSync(SOURCE, folder, { recursive: true, mode: 0 });
    execFileSync('chmod', ['-R', 'u+w', folder]); // the source may be read-only
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent'], {
      cwd: join(folder, 'node'),
      stdio: 'inherit',
    });
  }
  return folder;
}
