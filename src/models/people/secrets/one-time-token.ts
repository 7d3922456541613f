/** Tokens that are valid once: 256-bit random numbers, of which only the SHA-256 is stored. */
import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

export function newOneTimeToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** The stored hash, from which the token cannot be derived. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
