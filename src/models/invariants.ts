/** The invariants of all domains, for `sextant doctor` and the crash tests. A domain adds one line. */
import type { Db } from 'mongodb';
import { findHitViolations } from './analytics/invariants.js';
import { findLogGrowthViolations } from './analytics/log-growth-invariants.js';
import { findLogImportViolations } from './analytics/log-invariants.js';
import { findRollUpViolations } from './analytics/roll-up-invariants.js';
import { findCatalogViolations } from './commerce/catalog-invariants.js';
import { findCommerceViolations } from './commerce/invariants.js';
import { lacksAdministrator } from './people/invariants.js';

export interface Violation {
  readonly domain: 'analytics' | 'commerce' | 'people';
  readonly invariant: string;
  /** Of what it is broken: a document's id, and the part of it. */
  readonly subject: string;
  readonly expected: number;
  readonly found: number;
}

/** Yields whatever is wrong in a database at rest. Reads all documents that have invariants. */
export async function* findViolations(db: Db): AsyncGenerator<Violation> {
  for await (const { invariant, document, counter, expected, found } of findHitViolations(db)) {
    yield { domain: 'analytics', invariant, subject: `${document} ${counter}`, expected, found };
  }
  for await (const { import: id, what, expected, found } of findLogImportViolations(db)) {
    yield { domain: 'analytics', invariant: `import-has-${what.replaceAll(' ', '-')}`, subject: id, expected, found };
  }
  for await (const violation of findLogGrowthViolations(db)) yield { domain: 'analytics', ...violation };
  for await (const { level, user, begin, figure, expected, found } of findRollUpViolations(db)) {
    const subject = `${figure} of ${user}, ${level} ${begin.toISOString()}`;
    yield { domain: 'analytics', invariant: 'roll-up-is-sum-of-its-children', subject, expected, found };
  }
  for await (const violation of findCatalogViolations(db)) yield { domain: 'commerce', ...violation };
  if (await lacksAdministrator(db))
    yield { domain: 'people', invariant: 'an-administrator-stays', subject: 'users', expected: 1, found: 0 };
  for await (const violation of findCommerceViolations(db)) yield { domain: 'commerce', ...violation };
}

/** The first of them: a database that is broken all over is not understood better by all of them. */
export async function findFirstViolations(db: Db, max: number): Promise<Violation[]> {
  const violations: Violation[] = [];
  for await (const violation of findViolations(db)) if (violations.push(violation) === max) break;
  return violations;
}
