/** The parameters of a GraphQL request over HTTP, parsed exactly as Apollo does, so that what is admitted is what is executed. */
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.js';

export type Variables = Readonly<Record<string, unknown>>;

export interface Parameters {
  readonly query: string | undefined;
  readonly operationName: string | null | undefined;
  readonly variables: Variables | null | undefined;
  readonly extensions: Readonly<Record<string, unknown>> | null | undefined;
  readonly persistedQuery: { readonly version?: unknown; readonly sha256Hash?: unknown } | undefined;
}

/** @returns null when they are malformed */
export const parametersOf = (request: FastifyRequest): Parameters | null =>
  readParameters(request.method === 'GET' ? fromSearch(request.url) : request.body);

/** The length of the body. Without a content-length, the maximum is assumed. */
export function bodyBytesOf({ headers, method }: FastifyRequest, { MAX_BODY_BYTES }: Config): number {
  if (method === 'GET') return 0;
  return Math.min(Number(headers['content-length'] ?? MAX_BODY_BYTES), MAX_BODY_BYTES);
}

/** @param given a request's body, as parsed from JSON @returns null when it is malformed */
export function readParameters(given: unknown): Parameters | null {
  if (!isRecord(given)) return null;
  const { query, operationName, variables, extensions } = given;
  if (!isOptional(query, isText) || !isOptional(operationName, isText)) return null;
  if (!isOptional(variables, isRecord) || !isOptional(extensions, isRecord)) return null;
  return {
    query: query ?? undefined,
    operationName,
    variables,
    extensions,
    persistedQuery: isRecord(extensions?.persistedQuery) ? extensions.persistedQuery : undefined,
  };
}

function fromSearch(url: string): Record<string, unknown> | null {
  const start = url.indexOf('?');
  const search = new URLSearchParams(start < 0 ? '' : url.slice(start));
  const names = ['query', 'operationName', 'variables', 'extensions'];
  if (names.some((name) => search.getAll(name).length > 1)) return null;
  try {
    return {
      query: search.get('query'),
      operationName: search.get('operationName'),
      variables: parseJson(search.get('variables')),
      extensions: parseJson(search.get('extensions')),
    };
  } catch {
    return null;
  }
}

const parseJson = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

const isText = (value: unknown): value is string => typeof value === 'string';

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isOptional<T>(value: unknown, is: (value: unknown) => value is T): value is T | null | undefined {
  return value === null || value === undefined || is(value);
}
