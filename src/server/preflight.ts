/** Headers that a page of another origin cannot set without the browser asking us first. Browsers send cookies with what needs none. */
import type { FastifyRequest } from 'fastify';

export const PREFLIGHT_HEADERS = ['apollo-require-preflight', 'x-apollo-operation-name'] as const;

export const forcesPreflight = ({ headers }: FastifyRequest): boolean =>
  PREFLIGHT_HEADERS.some((name) => headers[name]);
