/** The invariants of all domains, as one list of violations. */
import type { Db } from 'mongodb';
import { findViolations, type Violation } from '../../src/models/invariants.js';

export async function violationsOf(db: Db): Promise<Violation[]> {
  const violations: Violation[] = [];
  for await (const violation of findViolations(db)) violations.push(violation);
  return violations;
}
