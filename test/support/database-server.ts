/** One MongoDB for the whole run: `MONGODB_URI`, or an embedded server that ends with the run. */
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findMongod } from '../../src/database/embedded/binary.js';
import { openEmbeddedServer } from '../../src/database/embedded/index.js';

const cacheFolder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sextant');

const PARAMETERS = {
  enableTestCommands: 1, // failCommand and other failures on demand
  // The files of dropped collections stay open for that long. With the default of 300 a fast run reaches 20,000, a common limit, at
  // which the server aborts.
  minSnapshotHistoryWindowInSeconds: 30,
};

export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const binary = await findMongod({ binary: process.env.MONGOD_BINARY, cacheFolder, onStep: () => {} });
  process.env.MONGOD_BINARY = binary; // for tests that start their own servers
  const own = process.env.MONGODB_URI;
  if (own) {
    project.provide('mongodbUri', own);
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'sextant-test-'));
  const server = await openEmbeddedServer({ folder, cacheFolder, binary, parameters: PARAMETERS });
  project.provide('mongodbUri', server.uri);
  return async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
}
