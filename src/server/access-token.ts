/** Access tokens: short-lived, signed (JWT, HS256), checked without asking the database. */
import { jwtVerify, SignJWT } from 'jose';
import { BoundedCache } from './bounded-cache.js';
import { type Role, type Viewer, visitor } from './viewer.js';

const ISSUER = 'sextant';
const AUDIENCE = 'sextant-api';
const ALGORITHM = 'HS256';
/** Checking a signature costs more than a small query does: tokens seen lately are remembered with what they say. */
const SEEN_BOUNDS = { entriesMax: 10_000, sizeMax: 10_000_000 };

export interface TokenOwner {
  readonly userId: string;
  readonly roles: readonly Role[];
  readonly sessionId: string;
}

export class AccessTokens {
  readonly #key: Uint8Array;
  readonly #seen = new BoundedCache<Viewer>(SEEN_BOUNDS);

  constructor(
    secret: string,
    private readonly lifetimeSeconds: number,
  ) {
    this.#key = new TextEncoder().encode(secret);
  }

  async issue({ userId, roles, sessionId }: TokenOwner, now: Date): Promise<{ token: string; expiresAt: Date }> {
    const seconds = Math.floor(now.getTime() / 1000) + this.lifetimeSeconds;
    const token = await new SignJWT({ roles, sid: sessionId })
      .setProtectedHeader({ alg: ALGORITHM })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(userId)
      .setExpirationTime(seconds)
      .sign(this.#key);
    return { token, expiresAt: new Date(seconds * 1000) };
  }

  /** @returns null for a token that is forged, damaged, of another issuer, or has expired */
  async verify(token: string, now: Date): Promise<Viewer | null> {
    const viewer = this.#seen.get(token) ?? (await this.#read(token, now));
    if (!viewer?.expiresAt || viewer.expiresAt <= now) return null;
    this.#seen.set(token, viewer, token.length);
    return viewer;
  }

  async #read(token: string, now: Date): Promise<Viewer | null> {
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: [ALGORITHM], // never what the token itself names
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['sub', 'exp', 'sid', 'roles'],
        currentDate: now,
      });
      const { sub, exp, sid, roles } = payload;
      if (sub === undefined || exp === undefined || typeof sid !== 'string' || !Array.isArray(roles)) return null;
      return {
        ...visitor,
        kind: 'person',
        id: sub,
        roles: roles.filter(isRole),
        sessionId: sid,
        expiresAt: new Date(exp * 1000),
      };
    } catch {
      return null; // jose throws for each way in which a token can be wrong; to the caller they are one
    }
  }
}

const isRole = (value: unknown): value is Role => value === 'ADMIN';
