/**
 * Every setting, from the environment only. Besides this file, only `sextant config` reads the environment, to list the settings.
 * An invalid value aborts the start with a message that names the variable.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { DAY_MS, HOUR_MS } from '../shared/time.js';
import { adsSettings } from './ads.js';
import { analyticsSettings } from './analytics.js';
import { commerceSettings } from './commerce.js';
import { limitSettings } from './limits.js';
import { peopleSettings } from './people.js';
import { serverSettings } from './server.js';
import { systemSettings } from './system.js';
import { list } from './values.js';

/** Every server has accounts, maintenance, and comments for whatever domains let people comment on. */
const PERMANENT_DOMAINS: readonly string[] = ['comments', 'people', 'system'];

/** Fields between domains (`src/domains.ts`). */
const JOINS = 'joins';

/** The domains that DOMAINS may leave out. Each domain has a folder in `schema/`. */
const optionalNames: readonly string[] = readdirSync(new URL('../../schema/', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && ![JOINS, ...PERMANENT_DOMAINS].includes(entry.name))
  .map(({ name }) => name)
  .sort();

/** Domains that need others: whoever runs the first runs these as well. */
export const NEEDED_DOMAINS: Readonly<Record<string, readonly string[]>> = {
  ads: ['analytics', 'commerce'], // zones are on the sites of analytics, and budgets are paid from accounts of commerce
};

const domains = list
  .refine(
    (names) => names.every((name) => optionalNames.includes(name) || PERMANENT_DOMAINS.includes(name)),
    `must be among ${[...optionalNames, ...PERMANENT_DOMAINS].join(', ')}`,
  )
  .transform((names) => {
    const wanted = names.flatMap((name) => [name, ...(NEEDED_DOMAINS[name] ?? [])]);
    return [...optionalNames.filter((name) => names.length === 0 || wanted.includes(name)), ...PERMANENT_DOMAINS];
  });

/** One entry per variable: its rule, its default, and its purpose (`describe`). */
export const settings = z.object({
  ...serverSettings,
  DOMAINS: domains.describe(
    `comma-separated domains to run; default: all. A domain that is off has no schema, no collections and no jobs. ${PERMANENT_DOMAINS.join(', ')} are always on, and ads turns on analytics and commerce`,
  ),
  ...peopleSettings,
  ...limitSettings,
  ...systemSettings,
  ...analyticsSettings,
  ...commerceSettings,
  ...adsSettings,
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
      `AUDIT_DAYS: must be at least ${auditDaysMin} with IDEMPOTENCY_HOURS=${IDEMPOTENCY_HOURS}: retries of a call are recognized by its entry`,
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
