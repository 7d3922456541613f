/** Errors sent to clients: each has one of the documented codes, and internal errors are masked and logged. */
import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { GraphQLError, type GraphQLFormattedError, Kind } from 'graphql';
import { asUnavailable } from '../../database/index.js';
import { type ErrorCode, errorCodes, LimitError, SextantError } from '../../shared/errors.js';
import { placeOf } from './variable-place.js';

/** Codes of the GraphQL layer that pass unchanged: clients and their libraries know them. */
export const layerCodes = ['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'PERSISTED_QUERY_NOT_FOUND'] as const;

export type ClientCode = ErrorCode | (typeof layerCodes)[number];

/** A message may repeat client input; the response should not grow with it. */
const MESSAGE_LENGTH_MAX = 500;
const VARIABLE = /^Variable "\$(\w+)" (?:got invalid value .*?(?: at "([^"]+)")?;|of (?:required|non-null) type )/s;
/** The end of such a message: the field that an object lacks. */
const MISSING = /; Field "(\w+)" of required type "[^"]+" was not provided\.$/;
/** The message of graphql-js for variables with more errors than it lists, and how many it lists. */
const TOO_MANY_FAULTS = 'Too many errors processing variables';
const VARIABLE_FAULTS_MAX = 50;
/** Up to the end of a message, where graphql-js puts suggestions. */
const SUGGESTION = / ?Did you mean .*$/s;

/** The operation may not be executed, and no part of it was. */
export class OperationRejected extends Error {
  override name = 'OperationRejected';

  constructor(readonly errors: readonly GraphQLError[]) {
    super(errors[0]?.message);
  }
}

export function toGraphQLError(error: SextantError): GraphQLError {
  return new GraphQLError(error.message, {
    extensions: { ...error.details, code: error.code },
    originalError: error,
  });
}

/** The last entry of a truncated error list. @param what has the errors */
export const tooManyFaults = (what: 'operation' | 'variables', listed: number): LimitError =>
  new LimitError(`More than ${listed} errors were found in the ${what}: the others are not listed`, listed);

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

/** Formats an error for a client. Errors not known to be meant for clients are logged under an id and masked. */
export function toClientError(error: GraphQLError, log: FastifyBaseLogger): GraphQLFormattedError {
  const shown = reveal(error, log) ?? mask(error, log);
  const { locations, path } = error;
  return {
    message: shorten(shown.message),
    ...(locations && { locations: locations.slice(0, 3) }),
    ...(path && { path }),
    extensions: shown.extensions,
  };
}

/**
 * Removes suggestions of similar schema names, where graphql-js cannot be told to make none. Must run before the message is shortened:
 * a message truncated within a suggestion would still contain part of it.
 */
export function withoutSuggestion(error: GraphQLError): GraphQLError {
  const message = error.message.replace(SUGGESTION, '');
  if (message === error.message) return error;
  const { nodes = null, source = null, positions = null, path = null, originalError = null, extensions } = error;
  return new GraphQLError(message, { nodes, source, positions, path, originalError, extensions });
}

interface Shown {
  readonly message: string;
  readonly extensions: Readonly<Record<string, unknown>> & { readonly code: ClientCode };
}

function reveal(error: GraphQLError, log: FastifyBaseLogger): Shown | null {
  const thrown = rootOf(error);
  const known = knownError(thrown, log);
  if (known) return { message: known.message, extensions: { ...known.details, code: known.code } };
  if (error.message.startsWith(TOO_MANY_FAULTS))
    return reveal(toGraphQLError(tooManyFaults('variables', VARIABLE_FAULTS_MAX)), log);
  const variable = VARIABLE.exec(error.message);
  if (variable) {
    const [, name = '', path = name] = variable;
    const [, missing] = MISSING.exec(error.message) ?? [];
    const field = fieldOf(error, name, missing === undefined ? path : `${path}.${missing}`);
    return { message: error.message, extensions: { ...details(error), field, code: 'BAD_USER_INPUT' } };
  }
  const { code } = error.extensions;
  return isClientCode(code) && code !== 'INTERNAL_SERVER_ERROR'
    ? { message: error.message, extensions: { ...details(error), code } }
    : null;
}

/** @param path within the variable, as graphql-js writes it: `$input` is at `input.tags[0]` */
function fieldOf({ nodes }: GraphQLError, name: string, path: string): string {
  const [definition] = nodes ?? [];
  const place = definition?.kind === Kind.VARIABLE_DEFINITION ? placeOf(definition) : name;
  return place + path.slice(name.length).replace(/\[(\d+)\]/g, '.$1');
}

/** An error whose code and details a client may see; null for internal errors. */
export function knownError(thrown: unknown, log: FastifyBaseLogger): SextantError | null {
  if (thrown instanceof SextantError) return thrown;
  const unavailable = asUnavailable(thrown);
  if (unavailable) log.warn({ reason: String(thrown) }, 'An operation could not reach the database');
  return unavailable;
}

/** The original error: errors of resolvers are wrapped, possibly more than once. */
function rootOf(error: Error): Error {
  return error instanceof GraphQLError && error.originalError ? rootOf(error.originalError) : error;
}

function details({ extensions: { http, stacktrace, ...rest } }: GraphQLError): Record<string, unknown> {
  return rest;
}

function mask(error: GraphQLError, log: FastifyBaseLogger): Shown {
  const errorId = randomUUID();
  log.error({ err: rootOf(error), path: error.path, errorId }, 'An operation failed with an internal error');
  return { message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR', errorId } };
}

function isClientCode(code: unknown): code is ClientCode {
  return typeof code === 'string' && (Object.hasOwn(errorCodes, code) || layerCodes.some((known) => known === code));
}

function shorten(message: string): string {
  return message.length <= MESSAGE_LENGTH_MAX ? message : `${message.slice(0, MESSAGE_LENGTH_MAX - 1)}…`;
}
