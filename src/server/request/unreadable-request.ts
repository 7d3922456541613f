/**
 * Malformed requests are answered like all other failures, with errors in GraphQL format. Fastify has its own format for them, and
 * sends it without running hooks, so without the usual headers.
 */
import { type IncomingMessage, maxHeaderSize, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LimitError, SextantError } from '../../shared/errors.js';
import { toGraphQLError } from './failure.js';

/** A path with no route. */
const UNREADABLE_PATH = '/an-address-that-cannot-be-read';

/** Sends a URL that the router cannot parse to a path without a route, through the usual pipeline, so that limits and headers apply. */
export function rerouteUnreadable(app: FastifyInstance, request: IncomingMessage, response: ServerResponse): void {
  request.url = UNREADABLE_PATH;
  app.routing(request, response);
}

export const isUnreadable = ({ url }: FastifyRequest): boolean => url === UNREADABLE_PATH;

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
