/** Tokens that are good once: a random number of 256 bits, of which only the SHA-256 is stored. */
import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

export function newOneTimeToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** What is stored of a token. It tells nothing about the token. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
