/** Who asks. */
import type { Role } from '../models/people/user.js';
import { SextantError } from '../shared/errors.js';

export type { Role } from '../models/people/user.js';

export interface Viewer {
  /** Null for a visitor. */
  readonly id: string | null;
  readonly roles: readonly Role[];
  /** Which of the viewer's sessions this is. Null for a visitor. */
  readonly sessionId: string | null;
  /** When the token ends; null when nobody is signed in. Sockets are closed then. */
  readonly expiresAt: Date | null;
}

export const visitor: Viewer = { id: null, roles: [], sessionId: null, expiresAt: null };

export function hasRole(viewer: Viewer, role: Role): boolean {
  return viewer.roles.includes('ADMIN') || viewer.roles.includes(role);
}

/** @throws SextantError UNAUTHENTICATED or FORBIDDEN */
export function requireRole(viewer: Viewer, role: Role): void {
  if (hasRole(viewer, role)) return;
  throw viewer.id === null
    ? new SextantError('UNAUTHENTICATED', 'Sign in first')
    : new SextantError('FORBIDDEN', `This needs the role ${role}`);
}
