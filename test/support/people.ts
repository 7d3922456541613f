/** Users for tests, and tokens of their sessions. */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import type { Config } from '../../src/config/config.js';
import type { Act } from '../../src/models/people/audit.js';
import { RefreshTokenSeal } from '../../src/models/people/refresh-token.js';
import { beginSession, type SessionRules } from '../../src/models/people/sign-in-session.js';
import { type Role, type UserDocument, users } from '../../src/models/people/user.js';
import { AccessTokens } from '../../src/server/identity/access-token.js';
import { loadTokenKeys } from '../../src/server/identity/token-keys.js';
import { DAY_MS } from '../../src/shared/time.js';

/** The session rules for model tests without a server. */
export const sessionRules: SessionRules = {
  seal: new RefreshTokenSeal('a secret of the test, 32 characters'),
  lifetimeMs: 30 * DAY_MS,
};

/** An administrator's act at a given time. */
export function testAct(at = new Date()): Act {
  return { actor: 'admin@example.org', address: '192.0.2.1', at, keptUntil: new Date(at.getTime() + 730 * DAY_MS) };
}

/** Stores a user without a usable password. */
export async function addPerson(
  db: Db,
  name: string,
  roles: readonly Role[] = [],
  _id: string = randomUUID(),
): Promise<UserDocument> {
  const user: UserDocument = {
    _id,
    email: `${name}@example.org`,
    name,
    password_hash: 'none',
    roles: [...roles],
    created_at: new Date(),
  };
  await users(db).insertOne(user);
  return user;
}

/** A user with a role who is signed in. */
export interface SignedIn {
  readonly token: string;
  /** As the author of works. */
  readonly reference: { readonly _id: string; readonly name: string };
}

/** Stores a user, and signs them in at a server with this configuration. */
export async function addSignedIn(db: Db, config: Config, name: string, role: Role): Promise<SignedIn> {
  const user = await addPerson(db, name, [role]);
  const { token } = await beginTestSession(db, config, user);
  return { token, reference: { _id: user._id, name } };
}

/** Starts a user's session at a server with this configuration. @param now when its access token was issued */
export async function beginTestSession(
  db: Db,
  config: Config,
  user: Pick<UserDocument, '_id' | 'credentials_version'>,
  now = new Date(),
): Promise<{ readonly token: string; readonly expiresAt: Date; readonly sessionId: string }> {
  const { id: sessionId } = await beginSession(db, sessionRules, user, new Date());
  const accessTokens = new AccessTokens(await loadTokenKeys(config), config.ACCESS_TOKEN_SECONDS);
  return { ...(await accessTokens.issue({ userId: user._id, sessionId }, now)), sessionId };
}
