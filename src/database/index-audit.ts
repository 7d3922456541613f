/** Compares the indexes that are declared with those that the database has. */
import type { Db, Document, IndexSpecification } from 'mongodb';
import { declaredCollections } from './collection.js';

export interface IndexFinding {
  readonly collection: string;
  /** The index's key, as JSON. */
  readonly key: string;
  /** MISSING: its queries scan. UNDECLARED: no query of ours needs it, and every write pays for it. */
  readonly problem: 'MISSING' | 'UNDECLARED';
}

/** All differences, by collection. Only collections of the modules that were imported are looked at. */
export async function auditIndexes(db: Db): Promise<IndexFinding[]> {
  const findings = await Promise.all(
    [...declaredCollections().values()].map(async ({ collectionName, indexes }) => {
      const present = new Set((await presentIndexes(db, collectionName)).map(({ key }) => keyOf(key)));
      const declared = new Set([keyOf({ _id: 1 }), ...indexes.map(({ key }) => keyOf(key))]);
      const finding = (problem: IndexFinding['problem']) => (key: string) => ({
        collection: collectionName,
        key,
        problem,
      });
      return [
        ...[...declared].filter((key) => !present.has(key)).map(finding('MISSING')),
        ...[...present].filter((key) => !declared.has(key)).map(finding('UNDECLARED')),
      ];
    }),
  );
  return findings.flat();
}

async function presentIndexes(db: Db, name: string): Promise<Document[]> {
  const NAMESPACE_NOT_FOUND = 26; // the collection itself is missing
  try {
    return await db.collection(name).listIndexes().toArray();
  } catch (error) {
    if ((error as { code?: number }).code === NAMESPACE_NOT_FOUND) return [];
    throw error;
  }
}

/** Text indexes are kept under other keys than those declared; there are none so far. */
function keyOf(key: IndexSpecification): string {
  return JSON.stringify(key);
}
