/** Which origins may use the API from a browser: only the server's own and the configured ones. */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config.js';
import { SextantError } from '../../shared/errors.js';

const PREFLIGHT_SECONDS = '600';

/** A request without an origin is not from a browser, or a GET from one of the server's own pages. */
export function isAllowedOrigin({ headers }: Pick<IncomingMessage, 'headers'>, config: Config): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (isConfiguredOrigin(origin, config)) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

export const isConfiguredOrigin = (origin: string, { ALLOWED_ORIGINS, PUBLIC_URL }: Config): boolean =>
  ALLOWED_ORIGINS.includes(origin) || (PUBLIC_URL !== undefined && new URL(PUBLIC_URL).origin === origin);

/**
 * For forms. Browsers say themselves which page sent one; those that do not are old, and are asked for the origin. Pages without a
 * referrer send `null` as their origin.
 * @throws SextantError FORBIDDEN
 */
export function requireOwnPage({ headers }: Pick<IncomingMessage, 'headers'>, config: Config): void {
  const sentFrom = headers['sec-fetch-site'];
  const isOwn = sentFrom === undefined ? isAllowedOrigin({ headers }, config) : sentFrom === 'same-origin';
  if (!isOwn) throw new SextantError('FORBIDDEN', 'A page of another site cannot send this form');
}

/** CORS: configured origins may read responses and send cookies. Browsers block all others. */
export function answerOrigins(app: FastifyInstance, config: Config): void {
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    if (origin === undefined) return;
    reply.header('vary', 'Origin');
    if (!isConfiguredOrigin(origin, config)) return;
    reply.header('access-control-allow-origin', origin).header('access-control-allow-credentials', 'true');
    if (request.method !== 'OPTIONS') return;
    return reply
      .header('access-control-allow-methods', 'GET, POST')
      .header('access-control-allow-headers', 'authorization, content-type, apollo-require-preflight')
      .header('access-control-max-age', PREFLIGHT_SECONDS)
      .code(204)
      .send();
  });
}
