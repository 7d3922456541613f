/** The invariants of user accounts, see `user.ts`. For tests and `sextant doctor`. */
import type { Db } from 'mongodb';
import { users } from './user.js';

/** @returns whether there are accounts but no administrator */
export async function lacksAdministrator(db: Db): Promise<boolean> {
  const [anybody, administrator] = await Promise.all([
    users(db).findOne({ _id: { $gt: '' } }, { projection: { _id: 1 } }),
    users(db).findOne({ roles: 'ADMIN' }, { projection: { _id: 1 } }),
  ]);
  return anybody !== null && administrator === null;
}
