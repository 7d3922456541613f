/** Collections are declared next to their queries, with name, indexes and shard key. All declared collections are created at startup. */
import type { Collection, CreateIndexesOptions, Db, Document, IndexSpecification } from 'mongodb';
import { isServerError } from '../connection/server-errors.js';
import { timed } from './write-clock.js';

/** An index, declared next to the query that it serves. */
export interface IndexDeclaration extends CreateIndexesOptions {
  key: IndexSpecification;
}

export interface CollectionOptions {
  /** The fields that every single-document write names, so that a sharded cluster routes it to one shard. */
  shardKey?: Readonly<Record<string, 1 | 'hashed'>>;
  /** Its writes only accompany others and do not count for `extensions.writtenAt`: leases, throttles, stored responses. */
  isBookkeeping?: boolean;
  /**
   * It consists of any number of segments: collections `name`, `name_2` and so on, here or in separate databases. Its model creates
   * them all, with their indexes, and knows which exist.
   */
  isSegmented?: boolean;
  /** The names of indexes that earlier releases declared: dropped at startup, since each index slows down every write. */
  retiredIndexes?: readonly string[];
}

/** Returns the collection in a database; knows its name, indexes and shard key. */
export interface CollectionDeclaration<T extends Document> {
  (db: Db): Collection<T>;
  readonly collectionName: string;
  readonly indexes: readonly IndexDeclaration[];
  readonly shardKey: Required<CollectionOptions>['shardKey'];
  readonly isSegmented: boolean;
  readonly retiredIndexes: readonly string[];
}

/** The declaration of a collection, without its document type. */
export type CollectionPlan = Pick<CollectionDeclaration<Document>, keyof CollectionDeclaration<Document>>;

const declared = new Map<string, CollectionDeclaration<Document>>();

/** Declares a collection. @param indexes each with a comment that names the query it serves */
export function defineCollection<T extends Document>(
  name: string,
  indexes: readonly IndexDeclaration[] = [],
  {
    shardKey = { _id: 'hashed' },
    isBookkeeping = false,
    isSegmented = false,
    retiredIndexes = [],
  }: CollectionOptions = {},
): CollectionDeclaration<T> {
  const open = (db: Db) => (isBookkeeping ? db.collection<T>(name) : timed(db, db.collection<T>(name)));
  const collection = Object.assign(open, { collectionName: name, indexes, shardKey, isSegmented, retiredIndexes });
  declared.set(name, collection as unknown as CollectionDeclaration<Document>);
  return collection;
}

/** All collections that the imported modules declare, by name. */
export function declaredCollections(): ReadonlyMap<string, CollectionDeclaration<Document>> {
  return declared;
}

/** The declaration of the collection with this name; for `name_2` that of the segmented `name`. */
export function declarationOf(name: string): CollectionDeclaration<Document> | undefined {
  const whole = declared.get(name.replace(/_\d+$/, ''));
  return declared.get(name) ?? (whole?.isSegmented ? whole : undefined);
}

/**
 * Creates missing collections and indexes, except segmented ones, and drops retired indexes. Safe to repeat, and to run in many
 * processes concurrently.
 * @param collections default: all that the imported modules declare
 */
export async function buildIndexes(db: Db, collections: Iterable<CollectionPlan> = declared.values()): Promise<void> {
  const present = new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));
  for (const { collectionName, indexes, isSegmented, retiredIndexes } of collections) {
    if (isSegmented) continue;
    // Created in advance: a transaction that creates a collection takes a lock that all others must wait for.
    if (!present.has(collectionName)) await createCollection(db, collectionName);
    if (indexes.length > 0)
      await db.collection(collectionName).createIndexes(indexes.map((index) => ({ ...index })) as never);
    for (const name of retiredIndexes) await dropIndex(db, collectionName, name);
  }
}

async function dropIndex(db: Db, collectionName: string, name: string): Promise<void> {
  await db
    .collection(collectionName)
    .dropIndex(name)
    .catch((error: unknown) => {
      if (!isServerError(error, 'indexNotFound')) throw error; // a new database, or dropped already
    });
}

async function createCollection(db: Db, name: string): Promise<void> {
  await db.createCollection(name).catch((error: unknown) => {
    if (!isServerError(error, 'namespaceExists')) throw error; // another process was quicker
  });
}
