/** A separate database for each test file, on the run's server. Checked by the capture's rules afterwards. */
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, inject } from 'vitest';
import { buildIndexes } from '../../src/database/index.js';
import { checkCaptured } from '../capture/capture-check.js';
import { freeDatabase, takeDatabase } from './database-pool.js';

export interface TestDatabase {
  readonly client: MongoClient;
  readonly db: Db;
  /** The server's address, for processes that a test starts. */
  readonly uri: string;
}

/**
 * Call at the top of a test file or a `describe`. Creates the collections that the file's imports declare, with their indexes.
 * @param options `checked: false` for random operations: their plans and write sequences say nothing about real operations
 */
export function useDatabase({ checked = true }: { readonly checked?: boolean } = {}): TestDatabase {
  const held: { client?: MongoClient; db?: Db } = {};
  const uri = inject('mongodbUri');
  beforeAll(async () => {
    held.client = await MongoClient.connect(uri, { writeConcern: { w: 'majority' }, ignoreUndefined: true });
    held.db = held.client.db(takeDatabase());
    await buildIndexes(held.db);
  });
  afterAll(async () => {
    try {
      if (held.db && checked) await checkCaptured(held.db);
    } finally {
      if (held.db) await freeDatabase(held.db);
      await held.client?.close();
    }
  });
  const required = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('The database is available after beforeAll');
    return value;
  };
  return {
    uri,
    get client() {
      return required(held.client);
    },
    get db() {
      return required(held.db);
    },
  };
}

declare module 'vitest' {
  interface ProvidedContext {
    mongodbUri: string;
  }
}
