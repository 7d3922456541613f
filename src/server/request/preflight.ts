/** Headers that force a CORS preflight from other origins. Without a preflight, browsers would send a foreign page's request with cookies. */
import type { FastifyRequest } from 'fastify';

export const PREFLIGHT_HEADERS = ['apollo-require-preflight', 'x-apollo-operation-name'] as const;

export const forcesPreflight = ({ headers }: FastifyRequest): boolean =>
  PREFLIGHT_HEADERS.some((name) => headers[name]);
