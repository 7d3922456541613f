/** After a whole run: what the capture saw, and unused exemptions. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { exemptOperations, exemptQueries, multiDocumentWrites, shardKeyOnlyWhereSharded } from '../rules/exemptions.js';

/** What each test file leaves in the run's folder. */
export interface CaptureSummary {
  readonly shapes: readonly string[];
  /** Keys of the exemption lists. */
  readonly usedExemptions: readonly string[];
}

declare module 'vitest' {
  interface ProvidedContext {
    captureFolder: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'sextant-capture-'));
  project.provide('captureFolder', folder);
  return async () => {
    const summaries = await readSummaries(folder);
    await rm(folder, { recursive: true });
    const shapes = new Set(summaries.flatMap((summary) => summary.shapes));
    process.stdout.write(`${shapes.size} query shapes were explained\n`);
    if (!(await everythingPassed(project))) return;
    const used = new Set(summaries.flatMap((summary) => summary.usedExemptions));
    const lists = [exemptQueries, multiDocumentWrites, shardKeyOnlyWhereSharded, exemptOperations];
    const exemptions = lists.flatMap((list) => Object.keys(list));
    const unused = exemptions.filter((name) => !used.has(name));
    if (unused.length > 0) throw new Error(`Unused exemptions:\n  ${unused.join('\n  ')}`);
  };
}

async function readSummaries(folder: string): Promise<CaptureSummary[]> {
  const names = await readdir(folder);
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))));
}

/** After a partial or failed run, unused exemptions cannot be determined. */
async function everythingPassed(project: TestProject): Promise<boolean> {
  const { testFiles } = await project.globTestFiles();
  const ran = project.vitest.state.getFiles();
  return ran.length === testFiles.length && ran.every(({ result }) => result?.state === 'pass');
}
