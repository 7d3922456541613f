/**
 * Runs in front of the framework: under overload most requests are rejected, so a rejection must cost next to nothing. It is the usual
 * response: 503, `Retry-After`, errors in GraphQL format.
 */
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http';
import type { Config } from '../../config/config.js';
import type { ErrorCode } from '../../shared/errors.js';
import { BUSY_MESSAGE, type OverloadGate } from '../limits/overload-gate.js';
import { isConfiguredOrigin } from './origin.js';
import { mediaTypeFor } from './reply.js';

/** Expensive requests: operations and hits. Pages, health and metrics are always answered. */
const EXPENSIVE = /^\/(?:graphql|hit|hit\.gif)(?![\w.])/;
/** Larger bodies are not awaited. */
const BODY_BYTES_MAX = 65_536;

export function createRejectingServer(
  gate: OverloadGate,
  config: Config,
  options: ServerOptions,
  handle: RequestListener,
): Server {
  const server = createServer(options, (request, response) => {
    if (request.method === 'OPTIONS' || !EXPENSIVE.test(request.url ?? '') || gate.hasRoom())
      return handle(request, response);
    const retryAfterMs = gate.retryAfterMs();
    const extensions = { retryAfterMs, code: 'SERVER_BUSY' satisfies ErrorCode };
    const body = JSON.stringify({ errors: [{ message: BUSY_MESSAGE, extensions }] }); // no Error: its stack would cost more than the rest
    const headers: OutgoingHttpHeaders = {
      'content-type': mediaTypeFor(request.headers.accept),
      'content-length': Buffer.byteLength(body),
      'retry-after': String(Math.ceil(retryAfterMs / 1000)),
      'x-content-type-options': 'nosniff',
      ...readableFor(request, config),
    };
    if (isLarge(request)) headers.connection = 'close';
    response.writeHead(503, headers).end(body);
  });
  return server.on('connection', () => gate.noteConnection());
}

const isLarge = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > BODY_BYTES_MAX;

/** The beacon script, on any page, must see that its hit was rejected, to send it again. */
function readableFor({ url, headers: { origin } }: IncomingMessage, config: Config): Record<string, string> {
  if (origin === undefined) return {};
  if (url?.startsWith('/hit')) return { 'access-control-allow-origin': origin, vary: 'Origin' };
  if (!isConfiguredOrigin(origin, config)) return {};
  return { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', vary: 'Origin' };
}
