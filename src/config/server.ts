/** Settings of the process, its database and its server. */
import { z } from 'zod';
import { flag, list, whole } from './values.js';

const HOPS_MAX = 10;

/** Earlier versions had a flag here, so true and false are still accepted. */
const hops = z.preprocess((text) => (text === 'true' ? 1 : text === 'false' ? 0 : text), whole(0, 0, HOPS_MAX));

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

export const serverSettings = {
  NODE_ENV: z
    .enum(['production', 'development', 'test'])
    .default('development')
    .describe('production requires TOKEN_SECRET or TOKEN_PRIVATE_KEY, and ignores .env'),
  HOST: z.string().default('127.0.0.1').describe('the address to listen on'),
  PORT: whole(4000, 0, 65535).describe('the port to listen on; 0 picks a free one'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://stats.example.org' })
    .optional()
    .describe(
      'the URL at which browsers reach the server, used in snippets and links, and for cookies; default: http://HOST:PORT',
    ),
  DATA_DIR: z.string().default('./data').describe('where the embedded database and generated secrets are kept'),
  MONGODB_URI: z
    .string()
    .optional()
    .describe('your own MongoDB: a replica set or a sharded cluster, 6.0 or newer; default: the embedded one'),
  MONGODB_DATABASE: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,38}$/, 'must have 1 to 38 letters, digits, _ or -') // 38: the limit of MongoDB Atlas
    .default('sextant')
    .describe('the database name'),
  MONGOD_BINARY: z
    .string()
    .optional()
    .describe('the mongod to run as the embedded server; default: the one on the PATH, or a downloaded one'),
  XDG_CACHE_HOME: z
    .string()
    .optional()
    .describe('a downloaded mongod is kept here, in the folder sextant; default: ~/.cache'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('warn')
    .describe('the lowest level that is logged, to standard error as JSON'),
  METRICS_PORT: whole(0, 0, 65535).describe('serve /metrics on a separate port; 0 uses PORT'),
  SHUTDOWN_MS: whole(10_000, 100, 600_000).describe('how long a shutdown may take; running work gets 60 % of it'),
  INTROSPECTION: flag(true).describe('whether introspection is allowed'),
  GRAPHIQL: flag(true).describe('whether /graphiql is served'),
  TRUSTED_DOCUMENTS: z
    .string()
    .optional()
    .describe('a file made by `sextant collect-documents`: only its operations are accepted, and GraphiQL is off'),
  ALLOWED_ORIGINS: list
    .refine((origins) => origins.every(isOrigin), 'must be origins such as https://shop.example.org, without a path')
    .describe('comma-separated origins that may call the API from a browser, in addition to PUBLIC_URL'),
  TRUST_PROXY: hops.describe(
    'how many proxies in front of the server append an entry to X-Forwarded-For: that many entries are trusted, counted from the last; true is 1',
  ),
  SEXTANT_FAILPOINT: z.string().optional().describe('for tests: name[:n], where the process kills itself'),
};
