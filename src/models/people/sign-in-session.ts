/**
 * Sessions: one document per family of refresh tokens. A token renews its session once and is then replaced by the next one.
 *
 * At most two generations of a session are valid: the current one, and the previous one as long as the current one has not been used.
 * So a client that lost a response (a crash, a broken connection) can retry with the token that it has. Any other generation was
 * already used and replaced: someone else holds a copy, and the whole session ends.
 * Pattern: refresh token rotation with reuse detection (RFC 9700, 4.14.2).
 */
import type { Db } from 'mongodb';
import { defineCollection } from '../../database/index.js';
import { failpoint } from '../../shared/failpoint.js';
import { hashOfFamily, newFamily, type RefreshTokenSeal } from './refresh-token.js';
import type { UserDocument } from './user.js';

export interface SessionDocument {
  /** The hash of the family. */
  _id: string;
  user_id: string;
  /** The version of the account's password at the start. A change of the password ends the session. Absent: 0. */
  credentials_version?: number;
  /** The generation issued last. */
  current: number;
  /** The generation renewed last, or 0 before the first renewal. */
  previous: number;
  begun_at: Date;
  renewed_at: Date;
  expires_at: Date;
}

export const sessions = defineCollection<SessionDocument>('auth.refresh_tokens', [
  { key: { expires_at: 1 }, expireAfterSeconds: 0 }, // MongoDB removes expired sessions
  { key: { user_id: 1, _id: 1 } }, // personal-data.ts
]);

/** For this long, concurrent renewals with the same token (several tabs share a cookie) get the same next token. */
const REPEAT_MS = 30_000;
const ATTEMPTS_MAX = 5;

/** Server settings that starting and renewing a session need. */
export interface SessionRules {
  readonly seal: RefreshTokenSeal;
  /** How long a session lasts without being renewed. */
  readonly lifetimeMs: number;
}

/** The account that a session is for, and the version of its password. */
export type SessionOwner = Pick<UserDocument, '_id' | 'credentials_version'>;

export interface Session {
  readonly id: string;
  readonly userId: string;
  readonly credentialsVersion: number;
  readonly refreshToken: string;
  readonly expiresAt: Date;
}

/** @param owner as read when the password was checked: if the password has changed since, the session is invalid from the start */
export async function beginSession(db: Db, rules: SessionRules, owner: SessionOwner, now: Date): Promise<Session> {
  const family = newFamily();
  const expiresAt = new Date(now.getTime() + rules.lifetimeMs);
  const session: SessionDocument = {
    _id: hashOfFamily(family),
    user_id: owner._id,
    credentials_version: owner.credentials_version ?? 0,
    current: 1,
    previous: 0,
    begun_at: now,
    renewed_at: now,
    expires_at: expiresAt,
  };
  await sessions(db).insertOne(session);
  return asSession(session, rules.seal.write({ family, generation: 1 }));
}

/**
 * Renews a session. A retry with the same token within REPEAT_MS returns the same result.
 * @returns null when the token is unknown, expired or already used. If it was already used, the session has been ended
 */
export async function renewSession(db: Db, rules: SessionRules, token: string, now: Date): Promise<Session | null> {
  const presented = rules.seal.read(token);
  if (!presented) return null;
  const { family, generation } = presented;
  const answer = (session: SessionDocument): Session =>
    asSession(session, rules.seal.write({ family, generation: session.current }));
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const session = await sessions(db).findOne({ _id: hashOfFamily(family), expires_at: { $gt: now } });
    if (!session) return null;
    if (generation !== session.current && generation !== session.previous) {
      await endSession(db, session._id); // already used, and it stays so: generations only grow
      return null;
    }
    const isRepeat = generation === session.previous && now.getTime() - session.renewed_at.getTime() < REPEAT_MS;
    if (isRepeat) return answer(session);
    const renewed = await sessions(db).findOneAndUpdate(
      // Guard: not renewed since it was read. Otherwise read again: this call may now count as a retry.
      { _id: session._id, current: session.current, previous: session.previous },
      {
        $set: {
          current: session.current + 1, // invalidates a next token that was issued but never used
          previous: generation,
          renewed_at: now,
          expires_at: new Date(now.getTime() + rules.lifetimeMs),
        },
      },
      { returnDocument: 'after' },
    );
    if (renewed) {
      failpoint('session.renewed'); // if the response is lost, the client still has the previous token, which is valid
      return answer(renewed);
    }
  }
  return null; // five other calls with valid tokens were faster: the client is out of sync
}

function asSession({ _id, user_id, credentials_version = 0, expires_at }: SessionDocument, token: string): Session {
  return {
    id: _id,
    userId: user_id,
    credentialsVersion: credentials_version,
    refreshToken: token,
    expiresAt: expires_at,
  };
}

/** @returns false when there was none */
export async function endSession(db: Db, sessionId: string): Promise<boolean> {
  const { deletedCount } = await sessions(db).deleteOne({ _id: sessionId });
  return deletedCount === 1;
}

/** Ends the session of a refresh token, no matter how old the token is. */
export async function endSessionOf(db: Db, rules: SessionRules, token: string): Promise<boolean> {
  const presented = rules.seal.read(token);
  return presented !== null && endSession(db, hashOfFamily(presented.family));
}
