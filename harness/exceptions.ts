/**
 * Where the settings of test servers differ from the defaults, and why. The compiler rejects settings or values that are not listed
 * here. Benchmarks have their own list (`bench/support/exceptions.ts`).
 *
 * Servers in the test's own process (`test/support/server.ts`) run no jobs and create no counters in advance: both write at arbitrary
 * times. Tests of stored data call them directly.
 */
export type TestSettings = Readonly<Partial<Place & Exceptions>>;

/** The location and environment of a server. Its behavior is the default. */
interface Place {
  /** Any free port, or one that a restart keeps. */
  PORT: `${number}`;
  METRICS_PORT: `${number}`;
  PUBLIC_URL: 'https://stats.example.org/';
  MONGOD_BINARY: string;
  SMTP_URL: string;
  /** Random, or one that a test looks for in the logs. */
  TOKEN_SECRET: string;
  ISSUER_URL: string;
  ISSUER_JWKS_URL: string;
  ISSUER_AUDIENCE: string;
  ISSUER_ROLES_CLAIM: 'realm_access.roles';
  ISSUER_ROLES: 'staff=EDITOR, stats admin=ADMIN, reader=MEMBER';
  TRUSTED_DOCUMENTS: string;
  /** Where the process kills itself. */
  SEXTANT_FAILPOINT: string;
  /** The file with the offset of the process's clock. */
  STEPPING_CLOCK: string;
}

interface Exceptions {
  /** `test`, except for tests of a mode. */
  NODE_ENV: 'test' | 'production' | 'development';
  /** `silent` for servers in the test's own process; `trace` for tests of the logs. */
  LOG_LEVEL: 'silent' | 'trace';
  /** A single domain, for tests of this setting. */
  DOMAINS: string;
  /** By default it is closed, and no one could sign up. */
  SIGN_UP: 'open' | 'verified';
  /** A page of another origin that may send operations. */
  ALLOWED_ORIGINS: 'https://shop.example';
  /** Callers at several addresses, as forwarded by a proxy. */
  TRUST_PROXY: 'true' | '0' | '1' | '2';
  /** Hidden, for tests of these settings. */
  GRAPHIQL: 'false';
  INTROSPECTION: 'false';
  /** A second, for tests that wait for the workers; a day, for tests in which they must leave the work to a retry. */
  RECOVER_AFTER_SECONDS: '1' | '86400';
  /** The shortest that is allowed. */
  SESSIONS_DAYS: '400';
  /** Longer than the test, so that no queued operation starts during it. */
  MAX_WAIT_MS: '60000';
  /** Reached by two operations. */
  MAX_OPERATIONS: '1';
  /** Reached with a few requests. */
  MAX_REQUESTS_PER_MINUTE: '10' | '20' | ForMany;
  MAX_BEACON_REQUESTS_PER_MINUTE: '10' | '20';
  MAX_AD_REQUESTS_PER_MINUTE: '20';
  MAX_ADDRESS_COST_PER_MINUTE: '1000' | ForMany;
  MAX_USER_COST_PER_MINUTE: '1000' | ForMany;
  MAX_CARTS_PER_MINUTE: '20';
  /** Reached with a few sockets. 2000: more than a thousand clients connect from one address. */
  MAX_SOCKETS_PER_ADDRESS: '1' | '2' | '2000';
  MAX_SOCKETS: '3';
  /** Reached with a few operations. 500: one stalled socket leaves as much unread as many sockets would. */
  MAX_OPERATIONS_PER_SOCKET: '5' | '500';
  /** Reached immediately. */
  MAX_MESSAGES_PER_SECOND: '50';
  /** Reached with a few megabytes. */
  MAX_STATE_BYTES: '1000000';
  MAX_UNSENT_BYTES: '10000000';
  /** Shorter than the default. */
  HEADERS_TIMEOUT_MS: '1000';
  SHUTDOWN_MS: '2000' | '5000';
}

/** In overload tests, all callers are one user at one address. */
type ForMany = '100000000';

declare const measured: unique symbol;

/** Settings from the benchmarks' list: a test cannot set them. */
export interface MeasuredSettings {
  readonly [measured]: true;
}
