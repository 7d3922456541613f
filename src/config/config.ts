/**
 * Every setting, from the environment only. `sextant config` lists them. An invalid value aborts the start with a message
 * that names the variable; nothing else in the project reads the environment.
 */
import { createPrivateKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { isLogField, logFields } from '../models/analytics/log/log-fields.js';
import { DAY_MS, HOUR_MS } from '../shared/time.js';

const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
    .default(fallback ? 'true' : 'false')
    .transform((text) => text === 'true' || text === '1');

const whole = (fallback: number, min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  const bounded = z.number({ error }).int({ error }).min(min, { error }).max(max, { error });
  return z.preprocess(fromDigits, bounded).default(fallback);
};

/** Only digits count as a number: blanks would become 0, and 1e3 or 0x10 may be a mistake. */
const fromDigits = (text: unknown) => (typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : text);

const HOPS_MAX = 10;

/** Earlier versions had a flag here. */
const hops = z.preprocess((text) => (text === 'true' ? 1 : text === 'false' ? 0 : text), whole(0, 0, HOPS_MAX));

const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  );

/** A year and a month: sessions that arrive late for the previous year are still counted. */
const SESSIONS_DAYS_MIN = 400;

const ROLES = ['ADMIN', 'EDITOR', 'ADVERTISER', 'MEMBER'] as const;

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

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

/** One entry per variable: its rule, its default, and its purpose (`describe`). */
export const settings = z.object({
  NODE_ENV: z
    .enum(['production', 'development', 'test'])
    .default('development')
    .describe('production makes weak or missing secrets an error'),
  HOST: z.string().default('127.0.0.1').describe('the address to listen on'),
  PORT: whole(4000, 0, 65535).describe('the port to listen on; 0 picks a free one'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://stats.example.org' })
    .optional()
    .describe('the URL at which browsers reach the server, used in snippets and for cookies; default http://HOST:PORT'),
  DATA_DIR: z.string().default('./data').describe('where the embedded database and generated secrets are kept'),
  MONGODB_URI: z
    .string()
    .optional()
    .describe('your own MongoDB: a replica set or a sharded cluster, 6.0 or newer; default: the embedded one'),
  MONGODB_DATABASE: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,38}$/, 'must have 1 to 38 letters, digits, _ or -') // 38: what Atlas takes
    .default('sextant')
    .describe('the database name'),
  MONGOD_BINARY: z
    .string()
    .optional()
    .describe('the mongod to run as the embedded server; default: the one on the PATH, or a downloaded one'),
  XDG_CACHE_HOME: z
    .string()
    .optional()
    .describe('a downloaded mongod is kept here, in the folder sextant; default ~/.cache'),
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
  SIGN_UP: z
    .enum(['closed', 'verified', 'open'])
    .default('closed')
    .describe(
      'who may sign up. closed: people invited by an administrator; verified: anyone who confirms by mail; open: anyone, which reveals whether an address has an account',
    ),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an address such as smtps://user:password@mail.example.org' })
    .optional()
    .describe('the server that sends mail; required for SIGN_UP=verified and password resets'),
  MAIL_FROM: z.string().default('Sextant <sextant@localhost>').describe('the sender of outgoing mail'),
  ISSUER_URL: z
    .url('must be the issuer exactly as in its tokens')
    .optional()
    .describe('an external issuer whose access tokens are accepted; requires ISSUER_JWKS_URL and ISSUER_AUDIENCE'),
  ISSUER_JWKS_URL: z
    .url('must be an address such as https://id.example.org/jwks.json')
    .optional()
    .describe('where the issuer publishes its keys'),
  ISSUER_AUDIENCE: z.string().optional().describe('the audience of its tokens for this server'),
  ISSUER_ROLES_CLAIM: z
    .string()
    .default('roles')
    .describe('the claim that lists the roles of a user, for example realm_access.roles'),
  ISSUER_ROLES: roleMapping.describe(
    'which roles they map to, as comma-separated pairs such as staff=EDITOR; default: none',
  ),
  AUDIT_DAYS: whole(730, 1, 36_500).describe(
    'how long entries of the audit trail are kept; at least as long as IDEMPOTENCY_HOURS',
  ),
  ALLOWED_ORIGINS: list
    .refine((origins) => origins.every(isOrigin), 'must be origins such as https://shop.example.org, without a path')
    .describe('comma-separated origins that may call the API from a browser, in addition to PUBLIC_URL'),
  TRUST_PROXY: hops.describe(
    'how many proxies in front of the server append an entry to X-Forwarded-For: that many entries are trusted, counted from the last; true is 1',
  ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('warn')
    .describe('the lowest level that is logged, to standard error as JSON'),
  INTROSPECTION: flag(true).describe('whether introspection is allowed'),
  GRAPHIQL: flag(true).describe('whether /graphiql is served'),
  ACCESS_TOKEN_SECONDS: whole(900, 60, 86_400).describe('how long an access token is valid'),
  REFRESH_TOKEN_DAYS: whole(30, 1, 365).describe('how long an unused session stays valid'),
  TRUSTED_DOCUMENTS: z
    .string()
    .optional()
    .describe('a file made by `sextant collect-documents`: only its operations are accepted, and GraphiQL is off'),
  MAX_DEPTH: whole(12, 1, 50).describe('the maximum depth of an operation'),
  MAX_TOKENS: whole(2000, 100, 100_000).describe('the maximum number of tokens in an operation'),
  MAX_ALIASES: whole(30, 0, 1000).describe('the maximum number of aliases in an operation'),
  MAX_COST: whole(10_000, 100, 1_000_000).describe('the maximum estimated cost of an operation'),
  MAX_BODY_BYTES: whole(1_048_576, 10_000, 100_000_000).describe('the maximum size of a request without files'),
  MAX_UPLOAD_BYTES: whole(4_294_967_296, 1_000_000, Number.MAX_SAFE_INTEGER).describe(
    'the maximum size of an uploaded file, as sent',
  ),
  MIN_BYTES_PER_SECOND: whole(500, 1, 1_000_000).describe('a request whose body arrives more slowly is aborted'),
  MIN_UPLOAD_BYTES_PER_SECOND: whole(8192, 1, 100_000_000).describe('the same for a request with files'),
  HEADERS_TIMEOUT_MS: whole(15_000, 1000, 120_000).describe("how long a request's headers may take to arrive"),
  MAX_REQUESTS_PER_MINUTE: whole(600_000, 10, 100_000_000).describe('requests that an address may send per minute'),
  MAX_BEACON_REQUESTS_PER_MINUTE: whole(6000, 10, 100_000_000).describe('the same for the public beacon only'),
  MAX_ADDRESS_COST_PER_MINUTE: whole(1_200_000, 1000, 1_000_000_000).describe(
    'the estimated cost of all operations that an address may send per minute',
  ),
  MAX_USER_COST_PER_MINUTE: whole(600_000, 1000, 1_000_000_000).describe(
    'the same for a signed-in user or an API key, from any address',
  ),
  MAX_CARTS_PER_MINUTE: whole(300, 1, 1_000_000).describe(
    'carts that visitors who are not signed in may start from an address per minute',
  ),
  MAX_WAIT_MS: whole(1000, 10, 600_000).describe(
    'how long a request may take: when the backlog suggests that it would take longer, it is rejected. Nothing is rejected until work has waited twice as long without a break',
  ),
  MAX_OPERATIONS: whole(10_000, 1, 100_000).describe(
    'operations that may run or wait concurrently, without subscriptions',
  ),
  MAX_SOCKETS: whole(10_000, 1, 100_000).describe('sockets that may be open concurrently'),
  MAX_SOCKETS_PER_ADDRESS: whole(1000, 1, 100_000).describe(
    'sockets that may be open concurrently from one address; event streams have a separate limit of the same size',
  ),
  MAX_OPERATIONS_PER_SOCKET: whole(100, 1, 10_000).describe('operations that may run concurrently on a socket'),
  MAX_MESSAGES_PER_SECOND: whole(1000, 1, 100_000).describe('messages that are read from a socket per second'),
  MAX_MESSAGE_BYTES: whole(262_144, 10_000, 10_000_000).describe('the maximum size of a socket message'),
  MAX_UNSENT_BYTES: whole(67_108_864, 1_000_000, 10_000_000_000).describe(
    'unsent bytes that all sockets, event streams and responses may buffer for slow clients; one account may use half. Beyond it, the longest-stalled connections are closed',
  ),
  MAX_STATE_BYTES: whole(200_000_000, 1_000_000, 10_000_000_000).describe(
    'estimated memory for all subscriptions and the states that they follow; one account may use half',
  ),
  HITS_WAITING_MAX: whole(100_000, 100, 10_000_000).describe(
    'hits that may wait to be written; beyond it, SERVER_BUSY',
  ),
  HITS_PREALLOCATE: flag(true).describe('create the counters of busy pages a day in advance'),
  RING_EVENTS: whole(10_000, 10, 1_000_000).describe('change events kept in memory for subscribers that reconnect'),
  RING_BYTES: whole(33_554_432, 100_000, 1_000_000_000).describe('the maximum estimated size of these events'),
  CATCH_UPS_MAX: whole(4, 1, 100).describe('change streams that may replay events for late subscribers concurrently'),
  CURRENCY: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 currency code such as EUR')
    .default('EUR')
    .describe('the one currency of the store; prices and balances are whole minor units of it'),
  CART_IDLE_MINUTES: whole(30, 1, 100_000).describe('a cart that has not changed for this long releases its stock'),
  IDEMPOTENCY_HOURS: whole(24, 1, 8760).describe(
    'how long the response to an idempotency key is kept; a later repeat is a new request',
  ),
  RECOVER_AFTER_SECONDS: whole(30, 1, 86_400).describe(
    'a checkout or a transfer without progress for this long is finished or rolled back by the recovery workers; a stock hold, after ten times as long',
  ),
  SESSIONS_DAYS: whole(0, 0, 36_500)
    .refine((days) => days === 0 || days >= SESSIONS_DAYS_MIN, `must be 0 or at least ${SESSIONS_DAYS_MIN}`)
    .describe('how long sessions are kept; their roll-ups stay. 0 keeps them forever'),
  LOG_FIELDS: list
    .refine((names) => names.every(isLogField), `must be among ${logFields.join(', ')}`)
    .describe('comma-separated fields of the request log to keep; default: all'),
  METRICS_PORT: whole(0, 0, 65535).describe('serve /metrics on a separate port; 0 uses PORT'),
  SHUTDOWN_MS: whole(10_000, 100, 600_000).describe('how long a shutdown may take; running work gets 60 % of it'),
  SEXTANT_FAILPOINT: z.string().optional().describe('for tests: name[:n], where the process kills itself'),
});

export type Config = Readonly<z.infer<typeof settings>>;

/** GraphiQL sends introspection and ad hoc operations, so it is useless where only trusted documents are accepted. */
export const hasGraphiQL = ({ GRAPHIQL, TRUSTED_DOCUMENTS }: Config): boolean =>
  GRAPHIQL && TRUSTED_DOCUMENTS === undefined;

/** Settings that are never shown. MONGODB_URI and SMTP_URL may hold a password. */
export const secretSettings: ReadonlySet<string> = new Set([
  'ADMIN_PASSWORD',
  'TOKEN_SECRET',
  'TOKEN_PRIVATE_KEY',
  'SMTP_URL',
  'MONGODB_URI',
]);

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment; in development, `.env` in the working directory supplies missing variables. @throws ConfigError */
export function readEnvironment(): Environment {
  const inDevelopment = (process.env.NODE_ENV || 'development') === 'development';
  if (!inDevelopment || !existsSync('.env')) return process.env;
  return { ...readEnvironmentFile('.env'), ...process.env };
}

function readEnvironmentFile(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

/** A setting is invalid. The message names each variable and its rule. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** @throws ConfigError */
export function readConfig(environment: Environment): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = settings.safeParse(given);
  if (!parsed.success) {
    const lines = new Set(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
    throw new ConfigError(`The environment has invalid settings:\n  ${[...lines].join('\n  ')}`);
  }
  const config = parsed.data;
  requireWhole(config);
  if (config.NODE_ENV === 'production') requireProductionSafe(config);
  return config;
}

/** Settings that require others, or conflict with them. */
function requireWhole(config: Config): void {
  const { SIGN_UP, SMTP_URL, ISSUER_URL, ISSUER_JWKS_URL, ISSUER_AUDIENCE, AUDIT_DAYS, IDEMPOTENCY_HOURS } = config;
  const auditDaysMin = Math.ceil((IDEMPOTENCY_HOURS * HOUR_MS) / DAY_MS);
  if (AUDIT_DAYS < auditDaysMin)
    throw new ConfigError(
      `AUDIT_DAYS: must be at least ${auditDaysMin} with IDEMPOTENCY_HOURS=${IDEMPOTENCY_HOURS}: repeats of a call are recognized by its entry`,
    );
  if (SIGN_UP === 'verified' && !SMTP_URL) throw new ConfigError('SMTP_URL: must be set for SIGN_UP=verified');
  const issuer = { ISSUER_URL, ISSUER_JWKS_URL, ISSUER_AUDIENCE };
  const missing = Object.entries(issuer).find(([, value]) => value === undefined);
  if (missing && Object.values(issuer).some((value) => value !== undefined))
    throw new ConfigError(
      `${missing[0]}: must be set together with ${Object.keys(issuer)
        .filter((name) => name !== missing[0])
        .join(' and ')}`,
    );
}

function requireProductionSafe(config: Config): void {
  if (!config.TOKEN_SECRET && !config.TOKEN_PRIVATE_KEY)
    throw new ConfigError('TOKEN_SECRET: must be set in production, at least 32 characters, or TOKEN_PRIVATE_KEY');
  if (config.ISSUER_JWKS_URL && !config.ISSUER_JWKS_URL.startsWith('https:'))
    throw new ConfigError('ISSUER_JWKS_URL: must start with https: in production');
  if (config.SEXTANT_FAILPOINT) throw new ConfigError('SEXTANT_FAILPOINT: is for tests and not allowed in production');
}
