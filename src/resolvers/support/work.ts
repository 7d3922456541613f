/** Background work in the API, for each domain that has a type of it. */
import { workKindsOf } from '../../models/domain.js';
import { findVisibleWork } from '../../models/system/work/background-work.js';
import type { WorkDocument } from '../../models/work.js';
import type { Context } from '../../server/context/context.js';
import { hasRole, requirePerson, type Viewer } from '../../server/identity/viewer.js';
import { toGlobalId } from '../../shared/global-id.js';
import { signedIn } from './access.js';
import type { NodeFinder } from './domain-resolvers.js';

/** The fields of the interface `BackgroundWork` that are stored under other names. */
export const workFields = {
  id: ({ type, _id }: WorkDocument) => toGlobalId(type, _id),
  total: ({ total }: WorkDocument) => total ?? null,
  startedAt: ({ started_at }: WorkDocument) => started_at ?? null,
  finishedAt: ({ finished_at }: WorkDocument) => finished_at ?? null,
  failure: ({ failure }: WorkDocument) => failure ?? null,
};

/**
 * @param own whether administrators, too, see only what is their own
 * @returns the user whose work the viewer may see; null for administrators, who see everything
 */
export function workOwnerFilter(viewer: Viewer, own = false): string | null {
  const id = requirePerson(viewer);
  return hasRole(viewer, 'ADMIN') && !own ? null : id;
}

/** How `node(id:)` finds work of a type: for its owner and for administrators. */
export const workNode = (type: string): NodeFinder => ({
  mayAsk: signedIn,
  find: ({ db, viewer }, id) => findVisibleWork(db, workOwnerFilter(viewer), id, type),
});

/** The types of work that the domains of this server have. */
export const workTypesOf = ({ domains }: Pick<Context, 'domains'>): string[] => [
  ...new Set(workKindsOf(domains).map(({ type }) => type)),
];
