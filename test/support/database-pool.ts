/**
 * The databases of a run's tests. To create all collections and indexes takes a second or two, to empty them a tenth of that. So files
 * that follow each other in a process use the same database, which is empty and as declared when they begin.
 */
import { randomBytes } from 'node:crypto';
import type { Collection, CollectionInfo, Db } from 'mongodb';
import { inject } from 'vitest';
import { type CollectionPlan, declaredCollections } from '../../src/database/index.js';
import { forgetCaptured } from '../capture/capture.js';
import { takeWriteViolations } from '../capture/operation.js';

/** Above it, a collection is dropped sooner than its documents are deleted. */
const DELETED_MAX = 5000;

/** Files that have a process each would leave their databases behind (`vitest.config.ts`). */
const isShared = process.env.SEXTANT_TEST_PROCESS === 'shared';
/** Of this process: modules stay loaded from file to file. */
const free: string[] = [];

/** @returns the name of a database without documents, and maybe without collections */
export function takeDatabase(): string {
  return free.pop() ?? `${inject('databasePrefix')}${randomBytes(4).toString('hex')}`;
}

export async function freeDatabase(db: Db): Promise<void> {
  await dropRotatedDatabases(db);
  forgetCaptured(db.databaseName);
  takeWriteViolations(); // of a file that is not checked
  if (!isShared) return void (await db.dropDatabase());
  const infos = await db.listCollections<CollectionInfo>().toArray();
  await Promise.all(
    infos.map(async ({ name, type, options = {} }) => {
      const isPlain = type === 'collection' && Object.keys(options).length === 0;
      const declared = isPlain ? declaredCollections().get(name) : undefined;
      const collection = db.collection(name);
      const isKept = declared && !declared.isSegmented && (await isAsDeclared(collection, declared));
      if (isKept) await collection.deleteMany();
      else if (!name.startsWith('system.')) await collection.drop();
    }),
  );
  free.push(db.databaseName);
}

/** Small, and with no other indexes than those of its declaration. */
async function isAsDeclared(collection: Collection, { indexes }: CollectionPlan): Promise<boolean> {
  const names = indexes.map(
    ({ key, name }) =>
      name ??
      Object.entries(key)
        .map((part) => part.join('_'))
        .join('_'),
  );
  const present = (await collection.indexes()).map(({ name }) => name);
  if (!present.every((name) => name === '_id_' || names.includes(String(name)))) return false;
  return (await collection.estimatedDocumentCount()) <= DELETED_MAX;
}

/** A log that rotates databases has one database per period. */
export async function dropRotatedDatabases(db: Db): Promise<void> {
  const name = new RegExp(`^${db.databaseName}_log_\\d+$`);
  const { databases } = await db.admin().listDatabases({ nameOnly: true, filter: { name } });
  for (const rotated of databases) await db.client.db(rotated.name).dropDatabase();
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The names of all databases of the run start with it. */
    databasePrefix: string;
  }
}
