/** Passwords: Argon2id with the parameters recommended by OWASP, and a limit on concurrent checks. */
import { randomBytes } from 'node:crypto';
import { hash, type Options, verify } from '@node-rs/argon2';
import { BusyError, InputError } from '../../../shared/errors.js';

export const PASSWORD_LENGTH_MAX = 1024;
const PASSWORD_LENGTH_MIN = 12;

/** OWASP Password Storage Cheat Sheet, 2023: 19 MiB, two passes, one lane. */
const PARAMETERS: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** The hash of an unknown password, with the same parameters. Checking against it takes as long as against a real one. */
export const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$MuaiotohZ7P9ZOwTuvwwcA$Xgn25YBIgZDf3YfIiUgPv0sGfUV7hN/x7pdI1PfrK+k';
/** Each check takes 19 MiB and a thread for about 30 ms. Beyond this limit callers are asked to retry. */
const CHECKS_MAX = 32;

let checks = 0;

/** @throws BusyError */
export function hashPassword(password: string): Promise<string> {
  return counted(() => hash(password, PARAMETERS));
}

/**
 * @param passwordHash null when there is no such account: takes as long, and returns false
 * @throws InputError too long @throws BusyError
 */
export async function passwordMatches(passwordHash: string | null, password: string): Promise<boolean> {
  if (password.length > PASSWORD_LENGTH_MAX)
    throw new InputError('password', `must have at most ${PASSWORD_LENGTH_MAX} characters`);
  const matches = await counted(() => verify(passwordHash ?? DUMMY_HASH, password));
  return matches && passwordHash !== null;
}

/**
 * The rule for new passwords. Only the length counts: other rules make passwords worse (NIST SP 800-63B, 3.1.1.2).
 * @throws InputError
 */
export function requireNewPassword(field: string, password: string): string {
  if (password.length >= PASSWORD_LENGTH_MIN && password.length <= PASSWORD_LENGTH_MAX) return password;
  throw new InputError(field, `must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`);
}

/** 120 random bits as text that is easy to type. */
export function newPassword(): string {
  return randomBytes(15).toString('base64url');
}

async function counted<T>(work: () => Promise<T>): Promise<T> {
  if (checks >= CHECKS_MAX) throw new BusyError('Too many users are signing in at once');
  checks += 1;
  try {
    return await work();
  } finally {
    checks -= 1;
  }
}
