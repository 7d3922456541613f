/**
 * The public beacon: pages of registered sites record their hits here, without signing in.
 * The script (`GET /hit.js`) calls `POST /hit`. Browsers with scripts disabled load `GET /hit.gif`.
 * A hit counts only when the site allows the page's origin; a page in a browser cannot forge that header.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requireHit } from '../../models/analytics/hits/hit.js';
import { recordHit } from '../../models/analytics/hits/hit-recording.js';
import { SiteOrigins } from '../../models/analytics/sites/site-origins.js';
import type { RouteScope, Routes } from '../../server/context/routes.js';
import { SextantError } from '../../shared/errors.js';
import { allowReading, answerPreflight } from './cross-origin.js';

const BODY_BYTES_MAX = 32_768; // a page of 8192 bytes in which JSON escapes everything still fits
const SCRIPT_SECONDS = 3600;

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/**
 * Records the page's path once, when it runs. Sent as text/plain, so that no preflight is needed; the request survives leaving the
 * page. SERVER_BUSY means that the hit was not recorded, so it is retried, at most three times. Other failures are not retried,
 * because the hit may have been recorded.
 */
const SCRIPT = `(function (script) {
  if (!script) return;
  var url = new URL('hit', script.src).href;
  var hit = JSON.stringify({ site: script.getAttribute('data-site'), page: location.pathname });
  function send(repeats) {
    fetch(url, { method: 'POST', body: hit, keepalive: true, credentials: 'omit' })
      .then(function (answer) { return answer.ok ? null : answer.json(); })
      .then(function (refused) {
        var error = refused && refused.errors[0].extensions;
        if (!error || error.code !== 'SERVER_BUSY' || repeats === 0) return;
        setTimeout(send, error.retryAfterMs * (1 + Math.random() / 2), repeats - 1);
      })
      .catch(function () {});
  }
  send(3);
})(document.currentScript);
`;

export const beaconRoutes: Routes = (scope) => {
  const { app, services } = scope;
  // Stricter than the server's own limit, because anyone may call this, but many visitors may share an address.
  scope.limitRequests(services.config.MAX_BEACON_REQUESTS_PER_MINUTE);
  // The script and the image are meant for pages of other sites.
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cross-origin-resource-policy', 'cross-origin');
  });
  const beacon = new Beacon(scope);
  app.post('/hit', { bodyLimit: BODY_BYTES_MAX }, (request, reply) => beacon.takePost(request, reply));
  app.options('/hit', (request, reply) => answerPreflight(request, reply));
  app.get('/hit.gif', (request, reply) => beacon.takeImage(request, reply));
  app.get('/hit.js', (_request, reply) =>
    reply
      .header('cache-control', `public, max-age=${SCRIPT_SECONDS}`)
      .type('text/javascript; charset=utf-8')
      .send(SCRIPT),
  );
};

class Beacon {
  private readonly origins: SiteOrigins;

  constructor(private readonly scope: RouteScope) {
    this.origins = new SiteOrigins(scope.services.db);
  }

  /** Responds with 204 once a majority has the hit on disk. */
  async takePost(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { site, page } = readBody(request.body);
    const origin = request.headers.origin ?? null;
    if (origin) allowReading(reply, origin);
    await this.scope.admit(request, BODY_BYTES_MAX, () => this.record(site, page, origin));
    return reply.code(204).send();
  }

  /** The page is identified by the referrer, which the snippet makes the browser send. */
  async takeImage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { site } = request.query as { site?: unknown };
    const { referer } = request.headers;
    if (typeof site !== 'string') throw new SextantError('BAD_REQUEST', 'The URL must name one site: /hit.gif?site=…');
    if (!referer || !URL.canParse(referer)) throw new SextantError('BAD_REQUEST', 'The browser sent no referrer');
    const page = new URL(referer);
    await this.scope.admit(request, BODY_BYTES_MAX, () => this.record(site, page.pathname, page.origin));
    return reply.header('cache-control', 'no-store').type('image/gif').send(PIXEL);
  }

  private async record(site: string, page: string, origin: string | null): Promise<void> {
    const { services } = this.scope;
    const now = services.now();
    const hit = requireHit('hit', { site, page }, now);
    await this.origins.require(hit.site, origin);
    await recordHit(services, hit, { durability: 'MAJORITY', now });
  }
}

/** The script sends text/plain, so the body arrives as text. */
function readBody(body: unknown): { site: string; page: string } {
  const value = typeof body === 'string' ? parse(body) : body;
  if (typeof value === 'object' && value !== null) {
    const { site, page } = value as { site?: unknown; page?: unknown };
    if (typeof site === 'string' && typeof page === 'string') return { site, page };
  }
  throw new SextantError('BAD_REQUEST', 'The body must be JSON such as {"site": "example.org", "page": "/"}');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
