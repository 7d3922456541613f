/** Requests of browsers from pages of other origins. A site names those whose pages may send them (`SiteOrigins`). */
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Browsers send a preflight for JSON. The site is not known yet at this point, so any rejection happens on the request itself. */
export function answerPreflight(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { origin } = request.headers;
  if (origin) allowReading(reply, origin);
  return reply
    .header('access-control-allow-methods', 'POST')
    .header('access-control-allow-headers', 'content-type')
    .code(204)
    .send();
}

/** No cookie matters here, so credentials are not allowed. */
export function allowReading(reply: FastifyReply, origin: string): void {
  reply.header('access-control-allow-origin', origin).header('vary', 'Origin');
}
