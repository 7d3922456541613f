/** Whose orders and accounts a caller may see. */
import { hasRole, requirePerson, type Viewer } from '../../server/viewer.js';

/** @param own also for administrators @returns the person that a list is limited to; null for administrators, who see everybody's */
export function ownerFilter(viewer: Viewer, own = false): string | null {
  const id = requirePerson(viewer);
  return hasRole(viewer, 'ADMIN') && !own ? null : id;
}

/** @returns the object if the caller may see it; otherwise null, as if there were none */
export function ifOwned<T extends { readonly owner: string | null }>(object: T | null, viewer: Viewer): T | null {
  const owner = ownerFilter(viewer);
  return object !== null && (owner === null || object.owner === owner) ? object : null;
}
