/** Runs `sextant import-log` in its own process, on a test's database. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { spawnGuarded } from '../../../harness/process.js';
import { projectRoot } from '../../../harness/project-root.js';
import type { FileOutcome } from '../../../src/cli/support/import-outcome.js';
import { monthlyHits } from '../../../src/models/analytics/hits/hit.js';
import { findLogImportViolations } from '../../../src/models/analytics/log-import/log-import-invariants.js';
import type { TestDatabase } from '../../support/database.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { logLine } from '../log/log-support.js';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  readonly errors: string;
}

export interface RunOptions {
  readonly input?: Buffer;
  readonly environment?: Record<string, string>;
  /** What happens to the process while it runs. */
  during?(kill: (signal: NodeJS.Signals) => void): Promise<void>;
}

export async function runSextantOn(
  database: TestDatabase,
  args: readonly string[],
  { input, environment, during }: RunOptions = {},
): Promise<Ended> {
  const { child, ended } = await spawnGuarded(process.execPath, [join(projectRoot, 'dist/cli/main.js'), ...args], {
    env: {
      PATH: process.env.PATH,
      MONGODB_URI: database.uri,
      MONGODB_DATABASE: database.db.databaseName,
      ...environment,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdin?.on('error', () => undefined); // a process that has ended stops reading; its exit is reported
  child.stdin?.end(input);
  const closed = once(child, 'close');
  await during?.((signal) => child.kill(signal));
  await closed;
  return { ...(await ended), output, errors };
}

export const outcomes = ({ output }: Ended) => JSON.parse(output) as FileOutcome[];
export const log = (lines: number, path = (line: number) => `/${line % 5}`) =>
  Buffer.from(Array.from({ length: lines }, (_, line) => `${logLine({ path: path(line) })}\n`).join(''));

export async function fileOf(bytes: Buffer, name = 'access.log'): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, bytes);
  return path;
}

export async function hitsOf(database: TestDatabase, site: string): Promise<number> {
  const months = await monthlyHits(database.db).find({ 'metadata.site': site }).toArray();
  return months.flatMap(({ daily }) => Object.values(daily ?? {})).reduce((sum, count) => sum + count, 0);
}

export async function expectSound(database: TestDatabase): Promise<void> {
  for await (const violation of findLogImportViolations(database.db)) expect(violation).toBeUndefined();
}
