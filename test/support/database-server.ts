/** One MongoDB for the whole run: `MONGODB_URI`, or an embedded server that ends with the run. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
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

const MEMORY = '/dev/shm';
/** More than the databases of a run take, and more than its processes take besides. */
const ROOM_MIN_BYTES = 2_000_000_000;
const AVAILABLE_MIN_BYTES = 4_000_000_000;

/**
 * Where the files of databases are. A fresh database waits for the disk several hundred times; in memory it is there in half the time. Tests that
 * kill `mongod` prove the same there: a disk also keeps what a killed process has written.
 */
async function databasesFolder(): Promise<string> {
  const room = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0, // there is no such folder
  );
  return room > ROOM_MIN_BYTES && process.availableMemory() > AVAILABLE_MIN_BYTES ? MEMORY : tmpdir();
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const binary = await findMongod({ binary: process.env.MONGOD_BINARY, cacheFolder, onStep: () => {} });
  process.env.MONGOD_BINARY = binary; // for tests that start their own servers
  process.env.TEST_DATABASES_FOLDER ??= await databasesFolder(); // and for these
  const own = process.env.MONGODB_URI;
  const prefix = `sextant_test_${randomBytes(2).toString('hex')}`;
  project.provide('databasePrefix', prefix);
  if (own) {
    project.provide('mongodbUri', own);
    return () => dropDatabases(own, prefix);
  }
  const folder = await mkdtemp(join(process.env.TEST_DATABASES_FOLDER, 'sextant-test-'));
  const server = await openEmbeddedServer({ folder, cacheFolder, binary, parameters: PARAMETERS });
  project.provide('mongodbUri', server.uri);
  return async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
}

async function dropDatabases(uri: string, prefix: string): Promise<void> {
  const client = await MongoClient.connect(uri);
  const { databases } = await client
    .db('admin')
    .admin()
    .listDatabases({ nameOnly: true, filter: { name: new RegExp(`^${prefix}`) } });
  for (const { name } of databases) await client.db(name).dropDatabase();
  await client.close();
}
