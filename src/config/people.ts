/** Settings of people: accounts, sign-in, email, an external issuer, and how long audit entries and idempotency keys are kept. */
import { createPrivateKey } from 'node:crypto';
import { z } from 'zod';
import { list, whole } from './values.js';

const ROLES = ['ADMIN', 'EDITOR', 'AUTHOR', 'ADVERTISER', 'MEMBER'] as const;

/** `theirs=OURS, …` */
const roleMapping = list.transform((pairs, context) =>
  pairs.map((pair): readonly [theirs: string, ours: (typeof ROLES)[number]] => {
    const [, theirs = '', name] = /^(.+)=(\w+)$/.exec(pair) ?? [];
    const ours = ROLES.find((role) => role === name);
    if (ours) return [theirs, ours];
    context.addIssue(`must be pairs such as staff=EDITOR; the roles are ${ROLES.join(', ')}`);
    return z.NEVER;
  }),
);

const isEd25519 = (pem: string): boolean => {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
};

export const peopleSettings = {
  ADMIN_EMAIL: z
    .email('must be an email address')
    .default('admin@localhost.localdomain')
    .describe('the first administrator, created on the first start'),
  ADMIN_PASSWORD: z
    .string()
    .min(12, 'must have at least 12 characters')
    .max(1024, 'must have at most 1024 characters')
    .optional()
    .describe("the first administrator's password; default: generated and printed once"),
  TOKEN_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters')
    .optional()
    .describe('signs access tokens (HS256); default: generated and kept in DATA_DIR, except in production'),
  TOKEN_PRIVATE_KEY: z
    .string()
    .transform((text) => text.replaceAll('\\n', '\n'))
    .refine(isEd25519, 'must be an Ed25519 private key as PEM (PKCS #8)')
    .optional()
    .describe('signs access tokens (EdDSA) instead of TOKEN_SECRET; line breaks may be written as \\n'),
  ACCESS_TOKEN_SECONDS: whole(900, 60, 86_400).describe('how long an access token is valid'),
  REFRESH_TOKEN_DAYS: whole(30, 1, 365).describe('how long an unused session stays valid'),
  SIGN_UP: z
    .enum(['closed', 'verified', 'open'])
    .default('closed')
    .describe(
      'who may sign up. closed: people invited by an administrator; verified: anyone who confirms by email; open: anyone, which reveals whether an address has an account',
    ),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an address such as smtps://user:password@mail.example.org' })
    .optional()
    .describe('the SMTP server for outgoing email; required for SIGN_UP=verified and for password resets by email'),
  MAIL_FROM: z.string().default('Sextant <sextant@localhost>').describe('the sender of outgoing email'),
  ISSUER_URL: z
    .url('must be the issuer exactly as in its tokens')
    .optional()
    .describe('an external issuer whose access tokens are accepted; requires ISSUER_JWKS_URL and ISSUER_AUDIENCE'),
  ISSUER_JWKS_URL: z
    .url('must be an address such as https://id.example.org/jwks.json')
    .optional()
    .describe('where the issuer publishes its keys'),
  ISSUER_AUDIENCE: z.string().optional().describe("the audience of the issuer's tokens for this server"),
  ISSUER_ROLES_CLAIM: z
    .string()
    .default('roles')
    .describe('the claim that lists the roles of a user, for example realm_access.roles'),
  ISSUER_ROLES: roleMapping.describe(
    "which roles the issuer's roles map to, as comma-separated pairs such as staff=EDITOR; default: none",
  ),
  AUDIT_DAYS: whole(730, 1, 36_500).describe(
    'how long entries of the audit trail are kept; at least as long as IDEMPOTENCY_HOURS',
  ),
  IDEMPOTENCY_HOURS: whole(24, 1, 8760).describe(
    'how long the response to an idempotency key is kept, of acts in the game at most 2 hours; a later retry is a new request',
  ),
};
