/** The storage used by collections and indexes, as reported by the database server. The request log counts as one collection. */
import type { Collection, Db, Document } from 'mongodb';
import { MongoServerError } from 'mongodb';
import { declarationOf } from '../../database/index.js';
import { segmentStatistics } from '../analytics/log-growth/log-collections.js';
import { findGrowth } from '../analytics/log-growth/log-growth.js';
import { logEvents, segmentCollection } from '../analytics/log-growth/log-segment.js';

export interface IndexStorage {
  readonly name: string;
  /** On disk. */
  readonly bytes: number;
  /** Queries that used it since the database server started; summed over shards. */
  readonly uses: number;
}

export interface CollectionStorage {
  readonly collection: string;
  readonly documents: number;
  /** Uncompressed. */
  readonly dataBytes: number;
  /** On disk, without indexes. */
  readonly storageBytes: number;
  /** Sorted by name. */
  readonly indexes: readonly IndexStorage[];
}

const COLLECTIONS_MAX = 100;
const AT_ONCE = 8;
const NOT_FOUND = new Set([26, 166]); // NamespaceNotFound; CommandNotSupportedOnView: nothing is stored under that name

/** All collections, the largest on disk first, at most COLLECTIONS_MAX. */
export async function findAllStorage(db: Db): Promise<CollectionStorage[]> {
  const collections = await db.listCollections({ type: { $ne: 'view' } }, { nameOnly: false }).toArray();
  const own = collections.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
  const names = [...new Set(own.map((name) => (declarationOf(name)?.isSegmented ? logEvents.collectionName : name)))];
  const found: (CollectionStorage | null)[] = [];
  for (let start = 0; start < names.length; start += AT_ONCE) {
    found.push(...(await Promise.all(names.slice(start, start + AT_ONCE).map((name) => findStorage(db, name)))));
  }
  return found
    .filter((storage) => storage !== null)
    .sort((left, right) => right.storageBytes - left.storageBytes)
    .slice(0, COLLECTIONS_MAX);
}

/** @returns null when there is no such collection */
export async function findStorage(db: Db, name: string): Promise<CollectionStorage | null> {
  if (!isCollectionName(name)) return null;
  try {
    return name === logEvents.collectionName ? await logStorage(db) : await storageOf(db.collection(name));
  } catch (error) {
    if (error instanceof MongoServerError && NOT_FOUND.has(Number(error.code))) return null;
    throw error;
  }
}

async function storageOf(collection: Collection): Promise<CollectionStorage> {
  // One document from each shard that holds a part of the collection.
  const parts = await collection.aggregate([{ $collStats: { storageStats: {} } }]).toArray();
  const uses = await collection.aggregate([{ $indexStats: {} }]).toArray();
  return describe(
    collection.collectionName,
    parts.map(({ storageStats }) => storageStats),
    uses,
  );
}

/** The sum over the collections that hold the log. */
async function logStorage(db: Db): Promise<CollectionStorage> {
  const parts: Document[] = [];
  const uses: Document[] = [];
  for (const segment of (await findGrowth(db)).segments) {
    parts.push(...(await segmentStatistics(db, segment)));
    uses.push(
      ...(await segmentCollection(db, segment)
        .aggregate([{ $indexStats: {} }])
        .toArray()),
    );
  }
  return describe(logEvents.collectionName, parts, uses);
}

function describe(collection: string, parts: readonly Document[], uses: readonly Document[]): CollectionStorage {
  const total = (field: string) => parts.reduce((sum, part) => sum + Number(part[field] ?? 0), 0);
  const bytesOf = (index: string) => parts.reduce((sum, { indexSizes }) => sum + Number(indexSizes?.[index] ?? 0), 0);
  const usesOf = (index: string) =>
    uses.filter(({ name }) => name === index).reduce((sum, { accesses }) => sum + Number(accesses.ops), 0);
  const indexes = new Set(parts.flatMap(({ indexSizes }) => Object.keys(indexSizes ?? {})));
  return {
    collection,
    documents: total('count'),
    dataBytes: total('size'),
    storageBytes: total('storageSize'),
    indexes: [...indexes].sort().map((name) => ({ name, bytes: bytesOf(name), uses: usesOf(name) })),
  };
}

/** The driver throws on names that MongoDB does not allow. For the caller, there is no such collection. */
const isCollectionName = (name: string): boolean =>
  /^[^$\0.][^$\0]{0,200}$/.test(name) && !name.endsWith('.') && !name.includes('..');
