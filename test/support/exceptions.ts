/**
 * Where the servers of tests differ from what is shipped, and why. A setting that does not stand here, or another value, cannot be given
 * to one: the compiler refuses it. Benchmarks have a list of their own (`bench/exceptions.ts`).
 *
 * Servers in the test's own process (`server.ts`) run no jobs and make no counters beforehand: both write at times of their own, and
 * tests of what is stored call them.
 */
export type TestSettings = Readonly<Partial<Place & Exceptions>>;

/** Where a server is, and what is around it. How it works is as shipped. */
interface Place {
  /** Any free one, or one that a restart keeps. */
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
  ISSUER_ROLES: 'staff=EDITOR, stats admin=ADMIN';
  TRUSTED_DOCUMENTS: string;
  /** Where the process kills itself. */
  SEXTANT_FAILPOINT: string;
  /** The file that says how far the process's clock is off. */
  STEPPING_CLOCK: string;
}

interface Exceptions {
  /** `test` for all but those that show what a mode does. */
  NODE_ENV: 'test' | 'production' | 'development';
  /** `silent` for servers in the test's own process; `trace` where the test is of the logs. */
  LOG_LEVEL: 'silent' | 'trace';
  /** Closed as shipped, nobody could sign up. */
  SIGN_UP: 'open' | 'verified';
  /** A page of another origin that may send operations. */
  ALLOWED_ORIGINS: 'https://shop.example';
  /** Callers at several addresses, as a proxy tells them. */
  TRUST_PROXY: 'true' | '0' | '1' | '2';
  /** Hidden, where the test is of that. */
  GRAPHIQL: 'false';
  INTROSPECTION: 'false';
  /** A second, for tests that wait for the workers; a day, for one in which they must leave the work to whoever repeats the call. */
  RECOVER_AFTER_SECONDS: '1' | '86400';
  /** The shortest, so that a year is over. */
  SESSIONS_DAYS: '400';
  /** Nobody's turn comes while the test looks at those who wait. */
  MAX_WAIT_MS: '60000';
  /** Reached by two operations. */
  MAX_OPERATIONS: '1';
  /** Reached with a few requests. */
  MAX_REQUESTS_PER_MINUTE: '10' | '20' | ForMany;
  MAX_BEACON_REQUESTS_PER_MINUTE: '10' | '20';
  MAX_ADDRESS_COST_PER_MINUTE: '1000' | ForMany;
  MAX_USER_COST_PER_MINUTE: '1000' | ForMany;
  MAX_CARTS_PER_MINUTE: '20';
  /** Reached with a few sockets. 2000: a thousand slow clients and the others are at one address. */
  MAX_SOCKETS_PER_ADDRESS: '1' | '2' | '2000';
  MAX_SOCKETS: '3';
  /** Reached with a few operations. 500: few sockets that read nothing have as many as many would. */
  MAX_OPERATIONS_PER_SOCKET: '5' | '500';
  /** Reached at once. */
  MAX_MESSAGES_PER_SECOND: '50';
  /** Reached with a few megabytes. */
  MAX_STATE_BYTES: '1000000';
  MAX_UNSENT_BYTES: '10000000';
  /** Not waited for as long as shipped. */
  HEADERS_TIMEOUT_MS: '1000';
  SHUTDOWN_MS: '2000' | '5000';
}

/** The callers of an overload are one user at one address. */
type ForMany = '100000000';

declare const measured: unique symbol;

/** What the benchmarks' list gives to the product: nothing that a test could write down. */
export interface MeasuredSettings {
  readonly [measured]: true;
}
