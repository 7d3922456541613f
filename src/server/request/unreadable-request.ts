/**
 * Malformed requests are answered like all other failures, with errors in GraphQL format. Fastify has its own format for them, and
 * sends it without running hooks, so without the usual headers.
 */
import { type IncomingMessage, maxHeaderSize, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { LimitError, SextantError } from '../../shared/errors.js';
import { toGraphQLError } from './failure.js';
import { sendFailure } from './reply.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers a URL that is not well encoded itself, for example with a page. It gets the URL with each `%` encoded as `%25`. */
    takesUnreadable?: boolean;
  }
}

const unreadable = new WeakSet<IncomingMessage>();
/** For what the router does not accept at all. */
const NOWHERE = '/an-address-that-cannot-be-read';

/** Sends a URL that the router cannot parse through the usual pipeline, in a form that it can, so that limits and headers apply. */
export function rerouteUnreadable(app: FastifyInstance, request: IncomingMessage, response: ServerResponse): void {
  request.url = unreadable.has(request) ? NOWHERE : (request.url ?? '').replaceAll('%', '%25');
  unreadable.add(request);
  app.routing(request, response);
}

/** For the whole server. Call it after what sets headers. */
export function rejectUnreadable(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!unreadable.has(request.raw) || request.routeOptions.config.takesUnreadable) return;
    return sendFailure(new SextantError('BAD_REQUEST', 'The URL is malformed'), request, reply);
  });
}

/** For input that Node.js cannot parse: there is no request, only a connection. */
export function rejectUnparsed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const { status, rejection } = rejectionOf(error.code);
  const { message, extensions } = toGraphQLError(rejection);
  const body = JSON.stringify({ errors: [{ message, extensions }] });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    'x-content-type-options: nosniff',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroySoon();
}

function rejectionOf(code: string | undefined): { status: number; rejection: SextantError } {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { status: 408, rejection: new SextantError('BAD_REQUEST', 'The request took too long to arrive') };
  if (code === 'HPE_HEADER_OVERFLOW')
    return {
      status: 431,
      rejection: new LimitError(`The headers of the request are larger than ${maxHeaderSize} bytes`, maxHeaderSize),
    };
  return { status: 400, rejection: new SextantError('BAD_REQUEST', 'This is not a valid HTTP request') };
}
