/** Finds the violated invariants of domains, for `sextant doctor`, the dashboard and the crash tests. */
import type { Db } from 'mongodb';
import { visitOnly } from '../database/collections/snapshot-batches.js';
import type { InvariantCheck, Violation } from './domain.js';

export interface CheckedDomain {
  readonly name: string;
  readonly invariantChecks: readonly InvariantCheck[];
}

/** The progress of a check. */
export interface CheckProgress {
  /** The name of the data being checked. */
  readonly step: string;
  /** Documents visited so far. */
  readonly done: number;
  /** Documents to visit, as estimated at the start. */
  readonly total: number;
}

/** Called at each step and after each batch. It may wait, to leave database capacity to others. */
export type OnCheckProgress = (progress: CheckProgress) => Promise<void>;

/** Yields the violations in a database at rest. Reads all documents that have invariants. */
export async function* findViolations(
  db: Db,
  domains: readonly CheckedDomain[],
  onProgress: OnCheckProgress = visitOnly,
): AsyncGenerator<Violation> {
  const checks = domains.flatMap(({ name, invariantChecks }) =>
    invariantChecks.map((check) => ({ domain: name, check })),
  );
  const total = onProgress === visitOnly ? 0 : await estimateDocuments(db, domains);
  let done = 0;
  for (const { domain, check } of checks) {
    const step = check.name;
    await onProgress({ step, done, total });
    const visited = (documents: number) => {
      done += documents;
      return onProgress({ step, done, total: Math.max(done, total) });
    };
    for await (const violation of check.find(db, visited)) yield { domain, ...violation };
  }
}

async function estimateDocuments(db: Db, domains: readonly CheckedDomain[]): Promise<number> {
  const checks = domains.flatMap(({ invariantChecks }) => invariantChecks);
  const names = checks.flatMap(({ collections }) => collections.map(({ collectionName }) => collectionName));
  const counts = await Promise.all(names.map((name) => db.collection(name).estimatedDocumentCount()));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The first violations only: a complete list of a badly broken database would not help to understand it. */
export async function findFirstViolations(
  db: Db,
  domains: readonly CheckedDomain[],
  max: number,
  onProgress?: OnCheckProgress,
): Promise<Violation[]> {
  const violations: Violation[] = [];
  for await (const violation of findViolations(db, domains, onProgress)) {
    if (violations.push(violation) === max) break;
  }
  return violations;
}
