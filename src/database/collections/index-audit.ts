/** Compares the declared indexes with those in the database. */
import type { Db, Document, IndexSpecification } from 'mongodb';
import { isServerError } from '../connection/server-errors.js';
import type { CollectionPlan } from './collection.js';

export interface IndexFinding {
  readonly collection: string;
  /** The index's key, as JSON. */
  readonly key: string;
  /** MISSING: its queries scan. UNDECLARED: no query of Sextant uses it, but every write maintains it. */
  readonly problem: 'MISSING' | 'UNDECLARED';
}

/** All differences, by collection. Segmented collections are skipped. */
export async function auditIndexes(db: Db, collections: readonly CollectionPlan[]): Promise<IndexFinding[]> {
  const findings = await Promise.all(
    wholeOf(collections).map(async ({ collectionName, indexes, shardKey }) => {
      const present = new Set((await presentIndexes(db, collectionName)).map((index) => keyOf(declaredKey(index))));
      const declared = new Set([keyOf({ _id: 1 }), ...indexes.map(({ key }) => keyOf(key))]);
      const finding = (problem: IndexFinding['problem']) => (key: string) => ({
        collection: collectionName,
        key,
        problem,
      });
      return [
        ...[...declared].filter((key) => !present.has(key)).map(finding('MISSING')),
        // A sharded collection has an index on its shard key, which `sextant shard-plan` creates.
        ...[...present].filter((key) => !declared.has(key) && key !== keyOf(shardKey)).map(finding('UNDECLARED')),
      ];
    }),
  );
  return findings.flat();
}

/** The collections that are not split into segments. */
export const wholeOf = (collections: readonly CollectionPlan[]): CollectionPlan[] =>
  collections.filter(({ isSegmented }) => !isSegmented);

async function presentIndexes(db: Db, name: string): Promise<Document[]> {
  try {
    return await db.collection(name).listIndexes().toArray();
  } catch (error) {
    if (isServerError(error, 'namespaceNotFound')) return []; // the collection itself is missing
    throw error;
  }
}

/** MongoDB stores a text index under another key than the declared one: its fields are those with weights. */
function declaredKey({ key, weights }: Document): Document {
  const fields = Object.entries(key).flatMap(([name, kind]) => {
    if (name === '_ftsx') return [];
    return name === '_fts' ? Object.keys(weights).map((field) => [field, 'text']) : [[name, kind]];
  });
  return Object.fromEntries(fields);
}

function keyOf(key: IndexSpecification | Document): string {
  return JSON.stringify(key);
}
