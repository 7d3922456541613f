/** Who may fetch an object by its id: the same callers as for the queries that list such objects. */
import type { Context } from '../../server/context/context.js';
import { hasRole, type Scope } from '../../server/identity/viewer.js';

export const readersOf =
  (scope: Scope) =>
  ({ viewer }: Context): boolean =>
    hasRole(viewer, 'EDITOR') || viewer.scopes.includes(scope);

export const anybody = (): boolean => true;
export const signedIn = ({ viewer }: Context): boolean => viewer.id !== null;
export const administrators = ({ viewer }: Context): boolean => hasRole(viewer, 'ADMIN');
export const editors = ({ viewer }: Context): boolean => hasRole(viewer, 'EDITOR');
