/** What the viewer may open. The server enforces access; this only hides what the user cannot open. */
import type { Role } from '../../generated/graphql.js';
import { type Viewer, viewerStore } from '../api/session.js';
import { useStore } from '../kit/base/store.js';

/** What editors may do as well. */
const rolesOfEditors: readonly Role[] = ['AUTHOR', 'ADVERTISER'];

/** An administrator has every role, and an editor is an author and an advertiser. */
export function hasRole({ roles }: Pick<Viewer, 'roles'>, role: Role): boolean {
  return roles.includes('ADMIN') || roles.includes(role) || (rolesOfEditors.includes(role) && roles.includes('EDITOR'));
}

/** Whether the viewer has the role. */
export function useRole(role: Role): boolean {
  const viewer = useStore(viewerStore);
  return viewer ? hasRole(viewer, role) : false;
}

/** The server marks its page when GraphiQL is turned off. */
export const hasGraphiQL = document.documentElement.dataset.graphiql !== 'off';
