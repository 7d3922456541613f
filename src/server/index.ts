/** The server: everything that listens, and the order in which it starts and stops. */
import cookie from '@fastify/cookie';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { RefreshTokenSeal } from '../models/people/refresh-token.js';
import { DAY_MS } from '../shared/time.js';
import { AccessTokens } from './access-token.js';
import type { Services } from './context.js';
import { registerGraphQL } from './graphql.js';
import { makeLog } from './log.js';
import { OperationDesk } from './operation.js';
import { makeSchema } from './schema.js';
import { loadTokenSecret } from './token-secret.js';

export type { Context, Services } from './context.js';

const HEADERS_TIMEOUT_MS = 15_000;
/** No byte in either direction for this long ends a connection. Sockets and event streams are pinged more often. */
const IDLE_TIMEOUT_MS = 120_000;
/** The longest that a request may take to arrive: a large upload on a slow line. */
const REQUEST_TIMEOUT_MS = 3_600_000;

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** Stops taking requests, finishes what runs, flushes the group commit, closes the sockets. */
  close(): Promise<void>;
}

/** Starts listening. The database's indexes must have been built. */
export async function startServer(services: Services): Promise<RunningServer> {
  const { config } = services;
  const app = Fastify({
    loggerInstance: makeLog(config) as FastifyBaseLogger,
    bodyLimit: config.MAX_BODY_BYTES,
    trustProxy: config.TRUST_PROXY,
    connectionTimeout: IDLE_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    return503OnClosing: true,
    forceCloseConnections: 'idle',
  });
  const secret = await loadTokenSecret(config);
  const schema = makeSchema();
  const carrier = {
    services: {
      ...services,
      accessTokens: new AccessTokens(secret, config.ACCESS_TOKEN_SECONDS),
      sessionRules: { seal: new RefreshTokenSeal(secret), lifetimeMs: config.REFRESH_TOKEN_DAYS * DAY_MS },
      startedAt: new Date(),
    },
    schema,
    desk: new OperationDesk(schema, config),
  };
  await app.register(cookie);
  await registerGraphQL(app, carrier);

  await app.listen({ host: config.HOST, port: config.PORT });
  return { ...addressOf(app, config.HOST), close: () => app.close() };
}

function addressOf(app: FastifyInstance, host: string): { url: string; port: number } {
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, port };
}
