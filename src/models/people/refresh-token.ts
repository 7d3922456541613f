/**
 * The format of refresh tokens: `family.generation.seal`. The family is the secret of one session, and only its hash is stored. The
 * generation counts the renewals. The seal (an HMAC over both) prevents deriving the next token from an old one.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const FAMILY_BYTES = 32;
const TOKEN = /^([\w-]{43})\.(\d{1,9})\.([\w-]{43})$/;

export interface RefreshToken {
  readonly family: string;
  /** Starts at 1. */
  readonly generation: number;
}

export class RefreshTokenSeal {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  write(token: RefreshToken): string {
    return `${token.family}.${token.generation}.${this.#seal(token).toString('base64url')}`;
  }

  /** @returns null for a text that this server did not issue */
  read(text: string): RefreshToken | null {
    const [, family, generation, seal] = TOKEN.exec(text) ?? [];
    if (!family || !generation || !seal) return null;
    const token = { family, generation: Number(generation) };
    return timingSafeEqual(Buffer.from(seal, 'base64url'), this.#seal(token)) ? token : null;
  }

  #seal({ family, generation }: RefreshToken): Buffer {
    return createHmac('sha256', this.#secret).update(`refresh-token.${family}.${generation}`).digest();
  }
}

export function newFamily(): string {
  return randomBytes(FAMILY_BYTES).toString('base64url');
}

/** The stored hash of a family, from which its tokens cannot be derived. */
export function hashOfFamily(family: string): string {
  return createHash('sha256').update(family).digest('base64url');
}
