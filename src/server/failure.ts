/** Errors on their way to a client: each has one of the documented codes, and what is our fault is masked and logged. */
import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { MongoServerSelectionError } from 'mongodb';
import { BusyError, type ErrorCode, errorCodes, SextantError } from '../shared/errors.js';

/** Codes of the GraphQL layer that pass unchanged: clients and their libraries know them. */
export const layerCodes = ['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'PERSISTED_QUERY_NOT_FOUND'] as const;

export type ClientCode = ErrorCode | (typeof layerCodes)[number];

/** A message may repeat what the client sent; an answer should not grow with it. */
const MESSAGE_LENGTH_MAX = 500;
const VARIABLE = /^Variable "\$(\w+)" (?:got invalid value .*?(?: at "([^"]+)")?;|of (?:required|non-null) type )/s;

export function toGraphQLError(error: SextantError): GraphQLError {
  return new GraphQLError(error.message, {
    extensions: { ...error.details, code: error.code },
    originalError: error,
  });
}

/** Gives a code to an error of graphql-js that has none. */
export const withCode =
  (code: ClientCode) =>
  (error: GraphQLError): GraphQLError =>
    error.extensions.code === undefined
      ? new GraphQLError(error.message, {
          nodes: error.nodes ?? null,
          source: error.source ?? null,
          positions: error.positions ?? null,
          originalError: error,
          extensions: { ...error.extensions, code },
        })
      : error;

/** Makes what a client gets to see. Whatever is not known to be meant for clients is logged under an id and masked. */
export function toClientError(error: GraphQLError, log: FastifyBaseLogger): GraphQLFormattedError {
  const shown = reveal(error) ?? mask(error, log);
  const { locations, path } = error;
  return {
    message: shorten(shown.message),
    ...(locations && { locations: locations.slice(0, 3) }),
    ...(path && { path }),
    extensions: shown.extensions,
  };
}

interface Shown {
  readonly message: string;
  readonly extensions: Readonly<Record<string, unknown>> & { readonly code: ClientCode };
}

function reveal(error: GraphQLError): Shown | null {
  const thrown = rootOf(error);
  if (thrown instanceof SextantError)
    return { message: thrown.message, extensions: { ...thrown.details, code: thrown.code } };
  // The command was never sent: nothing has happened, and it may be repeated.
  if (thrown instanceof MongoServerSelectionError)
    return reveal(toGraphQLError(new BusyError('The database does not answer')));
  const variable = VARIABLE.exec(error.message);
  if (variable) {
    const [, name, path] = variable;
    return { message: error.message, extensions: { ...details(error), field: path ?? name, code: 'BAD_USER_INPUT' } };
  }
  const { code } = error.extensions;
  return isClientCode(code) && code !== 'INTERNAL_SERVER_ERROR'
    ? { message: error.message, extensions: { ...details(error), code } }
    : null;
}

/** What was thrown first: resolvers' errors come wrapped, possibly more than once. */
function rootOf(error: Error): Error {
  return error instanceof GraphQLError && error.originalError ? rootOf(error.originalError) : error;
}

function details({ extensions: { http, stacktrace, ...rest } }: GraphQLError): Record<string, unknown> {
  return rest;
}

function mask(error: GraphQLError, log: FastifyBaseLogger): Shown {
  const errorId = randomUUID();
  log.error({ err: rootOf(error), path: error.path, errorId }, 'an operation failed by a fault of ours');
  return { message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR', errorId } };
}

function isClientCode(code: unknown): code is ClientCode {
  return typeof code === 'string' && (Object.hasOwn(errorCodes, code) || layerCodes.some((known) => known === code));
}

function shorten(message: string): string {
  return message.length <= MESSAGE_LENGTH_MAX ? message : `${message.slice(0, MESSAGE_LENGTH_MAX - 1)}…`;
}
