/** One MongoDB for the whole run: `MONGODB_URI`, or an embedded server that ends with the run. */
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openEmbeddedServer } from '../../src/database/embedded/index.js';

export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const own = process.env.MONGODB_URI;
  if (own) {
    project.provide('mongodbUri', own);
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'sextant-test-'));
  const server = await openEmbeddedServer({
    folder,
    cacheFolder: join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sextant'),
    binary: process.env.MONGOD_BINARY,
    parameters: { enableTestCommands: 1 }, // failCommand and other faults on demand
  });
  project.provide('mongodbUri', server.uri);
  return async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
}
