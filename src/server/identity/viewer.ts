/** The viewer of an operation, and their rights. */
import type { Scope } from '../../models/people/api-key.js';
import { type RightsSource, rightsSourcesOfPerson, rightsSourcesOfProgram } from '../../models/people/revocation.js';
import type { Role } from '../../models/people/user.js';
import { SextantError } from '../../shared/errors.js';

export type { Scope } from '../../models/people/api-key.js';
export type { Role } from '../../models/people/user.js';

/** A user whose account is managed by an external issuer: the token is the only source of their data. */
export interface ExternalProfile {
  readonly email: string;
  readonly name: string;
  readonly since: Date;
}

export interface Viewer {
  readonly kind: 'visitor' | 'person' | 'program';
  /** The user's id. Null for visitors and programs. */
  readonly id: string | null;
  /** Roles of a user. */
  readonly roles: readonly Role[];
  /** Scopes of a program. */
  readonly scopes: readonly Scope[];
  /** The user's session. Null for sessions of an external issuer. */
  readonly sessionId: string | null;
  /** The program's API key. */
  readonly keyId: string | null;
  /** When the token expires; sockets are closed then. Null if it never does. */
  readonly expiresAt: Date | null;
  /** Null for users with a local account. */
  readonly profile: ExternalProfile | null;
  /** What these rights depend on: when one of them changes, this viewer is outdated (`identities.ts`). */
  readonly rightsSources: readonly RightsSource[];
}

export const visitor: Viewer = {
  kind: 'visitor',
  id: null,
  roles: [],
  scopes: [],
  sessionId: null,
  keyId: null,
  expiresAt: null,
  profile: null,
  rightsSources: [],
};

/** A caller with an invalid token or key: has the rights of a visitor, and gets a specific error when they do not suffice. */
export const visitorWithBadToken: Viewer = { ...visitor };

export interface PersonInSession {
  readonly userId: string;
  readonly roles: readonly Role[];
  readonly sessionId: string;
  readonly expiresAt: Date;
}

/** A user with a local account. */
export function personOf({ userId, roles, sessionId, expiresAt }: PersonInSession): Viewer {
  const rightsSources = rightsSourcesOfPerson(userId, sessionId);
  return { ...visitor, kind: 'person', id: userId, roles, sessionId, expiresAt, rightsSources };
}

export function programOf({ keyId, scopes }: { readonly keyId: string; readonly scopes: readonly Scope[] }): Viewer {
  return { ...visitor, kind: 'program', keyId, scopes, rightsSources: rightsSourcesOfProgram(keyId) };
}

/** An administrator has every role, and an editor is an author. */
export function hasRole({ roles }: Viewer, role: Role): boolean {
  return roles.includes('ADMIN') || roles.includes(role) || (role === 'AUTHOR' && roles.includes('EDITOR'));
}

/** @throws SextantError UNAUTHENTICATED for a visitor, FORBIDDEN for anyone else */
export function refuseViewer(viewer: Viewer, message: string): never {
  if (viewer.kind !== 'visitor') throw new SextantError('FORBIDDEN', message);
  throw new SextantError(
    'UNAUTHENTICATED',
    viewer === visitorWithBadToken ? 'The token or key is unknown, expired or revoked' : 'Sign in first',
  );
}

/** The id of the signed-in user. @throws SextantError UNAUTHENTICATED or FORBIDDEN */
export function requirePerson(viewer: Viewer): string {
  return viewer.id ?? refuseViewer(viewer, 'This requires a user, not an API key');
}
