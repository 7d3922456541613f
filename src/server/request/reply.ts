/** Error responses that do not come from Apollo, in the same format and media type as the responses of operations. */
import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';
import { type ErrorCode, SextantError, TransientError } from '../../shared/errors.js';
import { knownError, toClientError, toGraphQLError } from './failure.js';

const RESPONSE_JSON = 'application/graphql-response+json; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

/** @param accept the Accept header */
export const mediaTypeFor = (accept: string | undefined): string =>
  accept?.includes('application/graphql-response+json') ? RESPONSE_JSON : JSON_TYPE;

/** Sends errors without data: nothing was executed. */
export function sendErrors(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  errors: readonly GraphQLError[],
): FastifyReply {
  return reply
    .code(status)
    .header('content-type', mediaTypeFor(request.headers.accept))
    .send(JSON.stringify({ errors: errors.map((error) => toClientError(error, request.log)) }));
}

/** The value of `Retry-After`. */
export const retryAfterSeconds = ({ retryAfterMs }: TransientError): string => String(Math.ceil(retryAfterMs / 1000));

/** @param status 429: this caller exceeds its limit; 503: the server is overloaded */
export function sendBusy(
  request: FastifyRequest,
  reply: FastifyReply,
  status: 429 | 503,
  error: TransientError,
): FastifyReply {
  reply.header('retry-after', retryAfterSeconds(error));
  return sendErrors(request, reply, status, [toGraphQLError(error)]);
}

/** Fastify's own errors (malformed, too large, wrong type, unknown path) and unexpected ones. */
export function sendFailure(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = knownError(error, request.log);
  if (error instanceof GraphQLError || known) {
    if (known instanceof TransientError) return sendBusy(request, reply, 503, known);
    const shown = known ? toGraphQLError(known) : (error as unknown as GraphQLError);
    return sendErrors(request, reply, statusOf(shown.extensions.code), [shown]);
  }
  const status = error.code === 'ERR_INVALID_URL' ? 400 : (error.statusCode ?? 500);
  if (status >= 500) return sendErrors(request, reply, 500, [new GraphQLError('', { originalError: error })]);
  const code = codeOf(status);
  const message = error.message || STATUS_CODES[status] || 'Rejected';
  const details = code === 'SERVER_BUSY' ? { retryAfterMs: Number(reply.getHeader('retry-after') ?? 1) * 1000 } : {};
  return sendErrors(request, reply, status, [toGraphQLError(new SextantError(code, message, details))]);
}

const STATUS_OF: Partial<Record<ErrorCode, number>> = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  LIMIT_EXCEEDED: 413,
};

const statusOf = (code: unknown): number => STATUS_OF[code as ErrorCode] ?? 400;

function codeOf(status: number): ErrorCode {
  if (status === 404) return 'NOT_FOUND';
  if (status === 413 || status === 431) return 'LIMIT_EXCEEDED';
  if (status === 429 || status === 503) return 'SERVER_BUSY';
  return 'BAD_REQUEST';
}
