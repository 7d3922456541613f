/** Who asks, and what they may do. */
import type { Scope } from '../models/people/api-key.js';
import { type Ground, groundsOfPerson, groundsOfProgram } from '../models/people/standing.js';
import type { Role } from '../models/people/user.js';
import { SextantError } from '../shared/errors.js';

export type { Scope } from '../models/people/api-key.js';
export type { Role } from '../models/people/user.js';

/** Somebody whose account is kept by an external issuer: all that is known is what the token says. */
export interface ExternalProfile {
  readonly email: string;
  readonly name: string;
  readonly since: Date;
}

export interface Viewer {
  readonly kind: 'visitor' | 'person' | 'program';
  /** The person. Null for visitors and programs. */
  readonly id: string | null;
  /** Of a person. */
  readonly roles: readonly Role[];
  /** Of a program. */
  readonly scopes: readonly Scope[];
  /** Which of the person's sessions this is. Null where it is none of ours. */
  readonly sessionId: string | null;
  /** The program's API key. */
  readonly keyId: string | null;
  /** When the token ends; null where nothing ends by time. Sockets are closed then. */
  readonly expiresAt: Date | null;
  /** Null for people with an account here. */
  readonly profile: ExternalProfile | null;
  /** What these rights stand on: when one of them changes, the viewer is no longer what this says (`identities.ts`). */
  readonly grounds: readonly Ground[];
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
  grounds: [],
};

/** Whoever sends a token or a key that is not good: may do what a visitor may, and is told what is wrong when it is not enough. */
export const visitorWithBadToken: Viewer = { ...visitor };

export interface PersonInSession {
  readonly userId: string;
  readonly roles: readonly Role[];
  readonly sessionId: string;
  readonly expiresAt: Date;
}

/** Somebody with an account here. */
export function personOf({ userId, roles, sessionId, expiresAt }: PersonInSession): Viewer {
  const grounds = groundsOfPerson(userId, sessionId);
  return { ...visitor, kind: 'person', id: userId, roles, sessionId, expiresAt, grounds };
}

export function programOf({ keyId, scopes }: { readonly keyId: string; readonly scopes: readonly Scope[] }): Viewer {
  return { ...visitor, kind: 'program', keyId, scopes, grounds: groundsOfProgram(keyId) };
}

/** An administrator has every role. */
export function hasRole(viewer: Viewer, role: Role): boolean {
  return viewer.roles.includes('ADMIN') || viewer.roles.includes(role);
}

/** @throws SextantError UNAUTHENTICATED for a visitor, FORBIDDEN for anybody else */
export function refuseViewer(viewer: Viewer, message: string): never {
  if (viewer.kind !== 'visitor') throw new SextantError('FORBIDDEN', message);
  throw new SextantError(
    'UNAUTHENTICATED',
    viewer === visitorWithBadToken
      ? 'The token or key that you send is not known, has expired or was revoked'
      : 'Sign in first',
  );
}

/** The person who is signed in. @throws SextantError UNAUTHENTICATED or FORBIDDEN */
export function requirePerson(viewer: Viewer): string {
  return viewer.id ?? refuseViewer(viewer, 'This is for people, not for programs');
}
