/** The invariants of all domains, as one list of violations. */
import type { Db } from 'mongodb';
import { allDomains } from '../../src/domains.js';
import type { Violation } from '../../src/models/domain.js';
import { findViolations } from '../../src/models/violation.js';

export async function violationsOf(db: Db): Promise<Violation[]> {
  const violations: Violation[] = [];
  for await (const violation of findViolations(db, allDomains)) violations.push(violation);
  return violations;
}
