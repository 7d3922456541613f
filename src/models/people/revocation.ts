/**
 * What the rights of a caller depend on: a user's account and session, or an API key. A token is valid only while these are unchanged
 * since it was issued. They are read when a token is first seen and after every change of them.
 */
import type { Db } from 'mongodb';
import type { ChangeEvent } from '../../database/index.js';
import { apiKeys } from './api-key.js';
import { sessions } from './sign-in-session.js';
import { type Role, users } from './user.js';

/** The collections whose changes can end a caller's rights. */
export const rightsCollections: readonly string[] = [users, sessions, apiKeys].map(
  ({ collectionName }) => collectionName,
);

/** Identifies one document that rights depend on. */
export type RightsSource = `${string} ${string}`;

const sourceOf = (collection: { readonly collectionName: string }, id: string): RightsSource =>
  `${collection.collectionName} ${id}`;

export const rightsSourcesOfPerson = (userId: string, sessionId: string): readonly RightsSource[] => [
  sourceOf(users, userId),
  sourceOf(sessions, sessionId),
];

export const rightsSourcesOfProgram = (keyId: string): readonly RightsSource[] => [sourceOf(apiKeys, keyId)];

/** Fields of each collection that rights depend on. A renewed session, a new name or a key's last use change nothing. */
const DECISIVE: Readonly<Record<string, RegExp>> = {
  [users.collectionName]: /^(roles|credentials_version)(\.|$)/,
  [sessions.collectionName]: /^(user_id|credentials_version)$/,
  [apiKeys.collectionName]: /^(scopes|revoked_at)(\.|$)/,
};

/** The source that a change removes or alters: callers who depend on it must be checked again. @returns null if none */
export function revokedSource({
  collection,
  operation,
  documentKey,
  updated,
  removed,
  truncated,
}: ChangeEvent): RightsSource | null {
  if (operation === 'insert') return null; // nobody depended on it before
  const fields = [...Object.keys(updated ?? {}), ...(removed ?? []), ...(truncated ?? []).map(({ field }) => field)];
  const revokes = operation !== 'update' || fields.some((field) => DECISIVE[collection]?.test(field));
  return revokes ? `${collection} ${documentKey._id}` : null;
}

/**
 * The roles of a user in a session.
 * @returns null when the session has ended, the account was deleted, or its password was changed since the session started
 */
export async function findRights(
  db: Db,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
  now: Date,
): Promise<{ readonly roles: readonly Role[] } | null> {
  const [session, user] = await Promise.all([
    sessions(db).findOne({ _id: sessionId }, { projection: { user_id: 1, credentials_version: 1, expires_at: 1 } }),
    users(db).findOne({ _id: userId }, { projection: { roles: 1, credentials_version: 1 } }),
  ]);
  if (!session || !user || session.user_id !== userId || session.expires_at <= now) return null;
  return (session.credentials_version ?? 0) === (user.credentials_version ?? 0) ? { roles: user.roles } : null;
}
