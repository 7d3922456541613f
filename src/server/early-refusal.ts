/**
 * In front of the framework: under overload most requests are refused, so a refusal must cost next to nothing. It is the answer that
 * a client knows from elsewhere: 503, `Retry-After`, errors in the shape of GraphQL.
 */
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http';
import type { Config } from '../config.js';
import { BusyError } from '../shared/errors.js';
import { toGraphQLError } from './failure.js';
import { isConfiguredOrigin } from './origin.js';
import type { OverloadGate } from './overload-gate.js';
import { mediaTypeFor } from './reply.js';

/** What costs something: operations and hits. Pages, health and metrics are answered whatever happens. */
const DEAR = /^\/(?:graphql|hit|hit\.gif)(?![\w.])/;
/** A body that is larger is not waited for. */
const BODY_BYTES_MAX = 65_536;

export function createRefusingServer(
  gate: OverloadGate,
  config: Config,
  options: ServerOptions,
  handle: RequestListener,
): Server {
  const { message, extensions } = toGraphQLError(new BusyError('The server has too much to do', gate.retryAfterMs));
  const body = JSON.stringify({ errors: [{ message, extensions }] });
  const common = {
    'content-length': Buffer.byteLength(body),
    'retry-after': String(Math.ceil(gate.retryAfterMs / 1000)),
    'x-content-type-options': 'nosniff',
  };
  return createServer(options, (request, response) => {
    if (request.method === 'OPTIONS' || !DEAR.test(request.url ?? '') || gate.hasRoom())
      return handle(request, response);
    const headers: OutgoingHttpHeaders = { ...common, 'content-type': mediaTypeFor(request.headers.accept) };
    if (isLarge(request)) headers.connection = 'close';
    response.writeHead(503, Object.assign(headers, readableFor(request, config)));
    response.end(body);
  });
}

const isLarge = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > BODY_BYTES_MAX;

function readableFor({ headers: { origin } }: IncomingMessage, config: Config): Record<string, string> {
  if (origin === undefined || !isConfiguredOrigin(origin, config)) return {};
  return { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', vary: 'Origin' };
}
