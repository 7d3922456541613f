/** The invariants of all domains, for `sextant doctor` and the crash tests. A domain adds one line. */
import type { Db } from 'mongodb';
import { findHitViolations } from './analytics/invariants.js';
import { findLogImportViolations } from './analytics/log-invariants.js';
import { lacksAdministrator } from './people/invariants.js';

export interface Violation {
  readonly invariant: string;
  /** Of what it is broken: a document's id, and the part of it. */
  readonly subject: string;
  readonly expected: number;
  readonly found: number;
}

/** Yields whatever is wrong in a database at rest. Reads all documents that have invariants. */
export async function* findViolations(db: Db): AsyncGenerator<Violation> {
  for await (const { invariant, document, counter, expected, found } of findHitViolations(db)) {
    yield { invariant, subject: `${document} ${counter}`, expected, found };
  }
  for await (const { import: id, what, expected, found } of findLogImportViolations(db)) {
    yield { invariant: `import-has-${what.replaceAll(' ', '-')}`, subject: id, expected, found };
  }
  if (await lacksAdministrator(db))
    yield { invariant: 'an-administrator-stays', subject: 'users', expected: 1, found: 0 };
}
