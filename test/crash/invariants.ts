/** The invariants of all domains, as one list of violations. */
import type { Db } from 'mongodb';

export async function violationsOf(_db: Db): Promise<string[]> {
  return [];
}
