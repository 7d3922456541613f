/**
 * Users whose accounts are managed by an external issuer (Keycloak, Auth0, Entra ID, …). Its tokens are verified with the keys that
 * it publishes (JWKS). Such users are not stored here: the token is the only source of their data, and it is valid until it expires.
 */
import { createRemoteJWKSet, decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import type { Config } from '../../config/config.js';
import { externalId } from '../../models/people/user.js';
import { type Role, type Viewer, visitor } from './viewer.js';

/** Asymmetric signatures only: a published key must never be accepted as a shared secret. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** The tolerated clock skew of the issuer. */
const CLOCK_TOLERANCE_SECONDS = 30;
const FETCH_TIMEOUT_MS = 5000;
/** Tokens with an unknown key trigger a fetch of new keys, at most this often: anyone can forge such tokens. */
const FETCH_COOLDOWN_MS = 30_000;
const SUBJECT_LENGTH_MAX = 255; // OpenID Connect Core, 2

export class ExternalIssuer {
  readonly #keys: ReturnType<typeof createRemoteJWKSet>;
  readonly #issuer: string;
  readonly #audience: string;
  readonly #config: Pick<Config, 'ISSUER_ROLES_CLAIM' | 'ISSUER_ROLES'>;

  private constructor(
    issuer: string,
    jwksUrl: string,
    audience: string,
    config: Pick<Config, 'ISSUER_ROLES_CLAIM' | 'ISSUER_ROLES'>,
  ) {
    this.#issuer = issuer;
    this.#audience = audience;
    this.#config = config;
    this.#keys = createRemoteJWKSet(new URL(jwksUrl), {
      timeoutDuration: FETCH_TIMEOUT_MS,
      cooldownDuration: FETCH_COOLDOWN_MS,
    });
  }

  /** @returns null when none is configured */
  static of(config: Config): ExternalIssuer | null {
    const { ISSUER_URL, ISSUER_JWKS_URL, ISSUER_AUDIENCE } = config;
    if (!ISSUER_URL || !ISSUER_JWKS_URL || !ISSUER_AUDIENCE) return null;
    return new ExternalIssuer(ISSUER_URL, ISSUER_JWKS_URL, ISSUER_AUDIENCE, config);
  }

  /** Whether a token claims to be from this issuer. The claim may be forged: `read` verifies it. */
  claims(token: string): boolean {
    try {
      return decodeJwt(token).iss === this.#issuer;
    } catch {
      return false; // not a JWT
    }
  }

  /** @returns null for a token that is forged, damaged, for another audience, without a verified email address, or expired */
  async read(token: string, now: Date): Promise<Viewer | null> {
    try {
      const { payload } = await jwtVerify(token, this.#keys, {
        algorithms: ALGORITHMS,
        issuer: this.#issuer,
        audience: this.#audience,
        requiredClaims: ['sub', 'exp', 'email'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: now,
      });
      return this.#viewer(payload, now);
    } catch {
      return null; // also when the keys cannot be fetched: then the token cannot be verified
    }
  }

  #viewer({ sub = '', exp = 0, iat, email, email_verified, name, ...claims }: JWTPayload, now: Date): Viewer | null {
    if (sub === '' || sub.length > SUBJECT_LENGTH_MAX || typeof email !== 'string' || email_verified === false)
      return null;
    const since = new Date(iat === undefined ? now : iat * 1000);
    return {
      ...visitor,
      kind: 'person',
      id: externalId(sub),
      roles: this.#roles(claims),
      expiresAt: new Date((exp + CLOCK_TOLERANCE_SECONDS) * 1000),
      profile: { email: email.toLowerCase(), name: typeof name === 'string' && name ? name : email, since },
    };
  }

  /** The claim may be nested: `realm_access.roles`. */
  #roles(claims: object): Role[] {
    let value: unknown = claims;
    for (const key of this.#config.ISSUER_ROLES_CLAIM.split('.')) {
      value =
        typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
    }
    const theirs: unknown[] = Array.isArray(value) ? value : [value];
    return this.#config.ISSUER_ROLES.filter(([name]) => theirs.includes(name)).map(([, role]) => role);
  }
}
