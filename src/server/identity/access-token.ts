/**
 * Access tokens: short-lived and signed (JWT). A token names its user and session, but not the user's rights: those are read from
 * the database (`identities.ts`), so they can be revoked.
 */
import { jwtVerify, SignJWT } from 'jose';
import type { TokenKeys } from './token-keys.js';

const ISSUER = 'sextant';
const AUDIENCE = 'sextant-api';

export interface TokenOwner {
  readonly userId: string;
  readonly sessionId: string;
}

export interface TokenClaims extends TokenOwner {
  readonly expiresAt: Date;
}

export class AccessTokens {
  readonly #keys: TokenKeys;
  readonly #lifetimeSeconds: number;

  constructor(keys: TokenKeys, lifetimeSeconds: number) {
    this.#keys = keys;
    this.#lifetimeSeconds = lifetimeSeconds;
  }

  async issue({ userId, sessionId }: TokenOwner, now: Date): Promise<{ token: string; expiresAt: Date }> {
    const seconds = Math.floor(now.getTime() / 1000) + this.#lifetimeSeconds;
    const token = await new SignJWT({ sid: sessionId })
      .setProtectedHeader({ alg: this.#keys.algorithm })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(userId)
      .setExpirationTime(seconds)
      .sign(this.#keys.signing);
    return { token, expiresAt: new Date(seconds * 1000) };
  }

  /** @returns null for a token that is forged, damaged, of another issuer, or expired */
  async read(token: string, now: Date): Promise<TokenClaims | null> {
    try {
      const { payload } = await jwtVerify(token, this.#keys.verifying, {
        algorithms: [this.#keys.algorithm], // never the algorithm that the token names
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['sub', 'exp', 'sid'],
        currentDate: now,
      });
      const { sub, exp, sid } = payload;
      if (sub === undefined || exp === undefined || typeof sid !== 'string') return null;
      return { userId: sub, sessionId: sid, expiresAt: new Date(exp * 1000) };
    } catch {
      return null; // jose throws a different error for each defect; to the caller they are the same
    }
  }
}
