/** The server: everything that listens, and the order in which it starts and stops. */
import type { RequestListener, Server } from 'node:http';
import cookie from '@fastify/cookie';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Config } from '../config/config.js';
import { RefreshTokenSeal } from '../models/people/refresh-token.js';
import { DAY_MS } from '../shared/time.js';
import type { Services } from './context/context.js';
import { AccessTokens } from './identity/access-token.js';
import { trustHops } from './identity/caller.js';
import { ExternalIssuer } from './identity/external-issuer.js';
import { Identities } from './identity/identities.js';
import { loadTokenKeys } from './identity/token-keys.js';
import { CartAllowance, OperationAllowance, RequestAllowance } from './limits/allowance.js';
import { Backlog } from './limits/backlog.js';
import { OverloadGate } from './limits/overload-gate.js';
import { openMailer } from './mail/mailer.js';
import { serveHealth } from './observe/health.js';
import { makeLog } from './observe/log.js';
import { Metrics, serveMetrics } from './observe/metrics.js';
import { OperationAdmission } from './operations/operation-admission.js';
import { type Api, makeApi } from './operations/schema.js';
import { loadTrustedDocuments } from './operations/trusted-documents.js';
import { registerRoutes } from './pages/domain-routes.js';
import { serveWeb } from './pages/web.js';
import { compressAnswers } from './request/answer-compression.js';
import { createRejectingServer } from './request/early-rejection.js';
import { answerOrigins } from './request/origin.js';
import { limitRequests } from './request/request-limit.js';
import { endSlowRequests } from './request/slow-request.js';
import { rejectUnparsed, rejectUnreadable, rerouteUnreadable } from './request/unreadable-request.js';
import { registerGraphQL } from './transports/graphql.js';
import { type Transport, watchTransports } from './transports/transport.js';
import { openWebSockets } from './transports/websocket.js';

export type { Context, Services } from './context/context.js';

/** How often Node.js checks for connections that have timed out. */
const TIMEOUT_CHECK_MS = 1000;
/** A connection without traffic for this long is closed. Sockets and event streams are pinged more often. */
const IDLE_TIMEOUT_MS = 120_000;
/** How long a connection is kept alive for its next request: longer than load balancers keep theirs. */
const KEEP_ALIVE_MS = 72_000;
/** The longest that a request may take to arrive: a large upload on a slow connection. */
const REQUEST_TIMEOUT_MS = 3_600_000;

/** Connections that may wait to be accepted while this process is busy; the operating system may allow fewer. */
const BACKLOG = 4096;
/** Connections in addition to those of sockets; further ones are not accepted. */
const REQUEST_CONNECTIONS_MAX = 10_000;

/** Shares of SHUTDOWN_MS: for running work, and then for closing sockets. The rest is for flushing pending writes. */
const WORK_SHARE = 0.6;
const GOODBYE_SHARE = 0.2;
const END_AGAIN_MS = 50;

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** Accepts nothing new, finishes running work, then closes the sockets. Aborts what is not finished in time, within SHUTDOWN_MS. */
  close(): Promise<void>;
}

/** Starts listening. The database's indexes must have been built. */
export async function startServer(services: Services): Promise<RunningServer> {
  const { config } = services;
  const gate = new OverloadGate({ waitMaxMs: config.MAX_WAIT_MS, operationsMax: config.MAX_OPERATIONS });
  const app = makeApp(config, gate);
  const api = makeApi(config.DOMAINS);
  const transport = await makeTransport(services, api, gate, app.log, () =>
    (config.PUBLIC_URL ?? listeningAt(app, config.HOST).url).replace(/\/+$/, ''),
  );
  let closing = false;

  endSlowRequests(app, { operations: config.MIN_BYTES_PER_SECOND, files: config.MIN_UPLOAD_BYTES_PER_SECOND });
  await app.register(cookie);
  const requests = new RequestAllowance(config.MAX_REQUESTS_PER_MINUTE); // also counts socket upgrades
  limitRequests(app, config, requests);
  answerOrigins(app, config);
  compressAnswers(app, transport.metrics);
  const closeMetrics = await serveMetrics(app, transport.metrics, config);
  serveHealth(app, services, () => closing);
  await serveWeb(app, config);
  rejectUnreadable(app);
  await registerRoutes(app, transport.services, gate, transport.backlog, api.routes);
  await registerGraphQL(app, transport);
  const sockets = openWebSockets(app, transport, requests);
  transport.metrics.gauge('sextant_sockets', 'Open sockets', () => sockets.count);

  await app.listen({ host: config.HOST, port: config.PORT, backlog: BACKLOG });
  return {
    ...listeningAt(app, config.HOST),
    close: async () => {
      closing = true;
      const workMs = config.SHUTDOWN_MS * WORK_SHARE;
      const stopEnding = endConnectionsAfter(app.server, workMs);
      await sockets.close({ workMs, goodbyeMs: config.SHUTDOWN_MS * GOODBYE_SHARE });
      await app.close();
      await transport.services.identities.close();
      transport.services.mailer.close();
      stopEnding();
      await closeMetrics();
    },
  };
}

/** Closes all connections, repeatedly, since new ones may arrive until the server is closed. @returns stops it */
function endConnectionsAfter(server: Server, delayMs: number): () => void {
  let again: NodeJS.Timeout | undefined;
  const first = setTimeout(() => {
    server.closeAllConnections();
    again = setInterval(() => server.closeAllConnections(), END_AGAIN_MS);
  }, delayMs);
  return () => {
    clearTimeout(first);
    clearInterval(again);
  };
}

function makeApp(config: Config, gate: OverloadGate): FastifyInstance {
  const app: FastifyInstance = Fastify({
    loggerInstance: makeLog(config) as FastifyBaseLogger,
    bodyLimit: config.MAX_BODY_BYTES,
    trustProxy: config.TRUST_PROXY > 0 && trustHops(config),
    serverFactory: (handle) => makeHttpServer(config, gate, handle),
    return503OnClosing: false, // requests on open connections are still served, and then the connection is closed
    forceCloseConnections: 'idle',
    frameworkErrors: (_error, request, reply) => rerouteUnreadable(app, request.raw, reply.raw),
    clientErrorHandler: rejectUnparsed,
  });
  return app;
}

function makeHttpServer(config: Config, gate: OverloadGate, handle: RequestListener): Server {
  const timeouts = {
    headersTimeout: config.HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
  };
  const server = createRejectingServer(gate, config, timeouts, handle);
  server.maxConnections = config.MAX_SOCKETS + REQUEST_CONNECTIONS_MAX;
  return server.setTimeout(IDLE_TIMEOUT_MS);
}

async function makeTransport(
  services: Services,
  { schema, makeLoaders }: Api,
  gate: OverloadGate,
  log: FastifyBaseLogger,
  publicUrl: () => string,
): Promise<Transport> {
  const { config } = services;
  const admission = new OperationAdmission(schema, config, await loadTrustedDocuments(config.TRUSTED_DOCUMENTS));
  const metrics = new Metrics();
  const own = {
    ...services,
    ...(await makePeopleServices(services, log, publicUrl)),
    adAllowance: new RequestAllowance(config.MAX_AD_REQUESTS_PER_MINUTE),
    cartAllowance: new CartAllowance(config),
    makeLoaders,
    startedAt: services.now(),
    publicUrl,
  };
  const allowance = new OperationAllowance(config);
  const bytes = config.MAX_UNSENT_BYTES;
  const backlog = new Backlog({ bytes, bytesPerAccount: bytes / 2 });
  const transport = { services: own, schema, admission, allowance, gate, backlog, metrics };
  watchTransports(transport);
  return transport;
}

/** The services for authentication and email. */
async function makePeopleServices({ db, config, now }: Services, log: FastifyBaseLogger, publicUrl: () => string) {
  const keys = await loadTokenKeys(config);
  const accessTokens = new AccessTokens(keys, config.ACCESS_TOKEN_SECONDS);
  return {
    accessTokens,
    sessionRules: { seal: new RefreshTokenSeal(keys.sealSecret), lifetimeMs: config.REFRESH_TOKEN_DAYS * DAY_MS },
    mailer: await openMailer(config, publicUrl, log),
    identities: await Identities.open({
      db,
      now,
      accessTokens,
      issuer: ExternalIssuer.of(config),
      onTrouble: (trouble, error) => log.warn({ err: error }, trouble),
    }),
  };
}

function listeningAt(app: FastifyInstance, host: string): { url: string; port: number } {
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, port };
}
