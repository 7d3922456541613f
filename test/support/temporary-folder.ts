/** A folder for one test, removed after it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sextant-test-'));
  // A server that a test has killed may still be closing its files.
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 100, retryDelay: 100 }));
  return folder;
}
