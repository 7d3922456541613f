/** Sends pages: conditional requests, encodings, and headers that keep foreign code out of them. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RenderedPage } from '../../../models/content/site/page-cache.js';
import { encodingFor } from '../../../shared/accepted-encoding.js';

const HTML = 'text/html; charset=utf-8';
/** Caches may keep it, and must ask whether it is still the same. */
const ASK_FIRST = 'public, no-cache';

export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: RenderedPage,
  styleSource: string,
): Promise<FastifyReply> {
  const { changedAt, type, frames } = page.found;
  reply.header('etag', page.etag).header('cache-control', ASK_FIRST).header('vary', 'Accept-Encoding');
  if (changedAt) reply.header('last-modified', changedAt.toUTCString());
  if (isUnchanged(request, page)) return reply.code(304).send();
  if (type === HTML) protect(reply, styleSource, frames);
  else {
    reply.helmet();
    reply.header('cross-origin-resource-policy', 'cross-origin'); // feeds are read by other sites' pages, too
  }
  const encoding = encodingFor(request.headers['accept-encoding']);
  const compressed = encoding && page.compressed(encoding);
  reply.type(type);
  if (!compressed) return reply.send(page.body);
  return reply.header('content-encoding', encoding).send(await compressed);
}

/** For what is not kept. @param status 404, 405, 410 or 503 */
export function sendFailurePage(reply: FastifyReply, status: number, text: string, styleSource: string): FastifyReply {
  protect(reply, styleSource, []);
  return reply.code(status).header('cache-control', 'no-store').type(HTML).send(text);
}

/**
 * The ETag alone decides where there is one. Times are compared for equality, because the last change of a list is earlier after its
 * newest entry was taken back.
 */
function isUnchanged({ headers }: FastifyRequest, { etag, found: { changedAt } }: RenderedPage): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) return tags.trim() === '*' || tags.split(',').some((tag) => opaque(tag) === opaque(etag));
  const since = headers['if-modified-since'];
  return since !== undefined && changedAt !== null && since === changedAt.toUTCString();
}

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Neither scripts nor styles but our own, and frames only of the players on the page. The rest as on other pages. */
function protect(reply: FastifyReply, styleSource: string, frames: readonly string[]): void {
  const sources = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styleSource}`,
    "img-src 'self'",
    "connect-src 'self'",
    frames.length > 0 ? `frame-src ${frames.join(' ')}` : "frame-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  reply.helmet({ contentSecurityPolicy: false });
  reply.header('content-security-policy', sources.join(';'));
}
