/**
 * The public beacon: pages of registered sites record their hits here, without signing in.
 * `POST /hit` takes what the script sends, `GET /hit.gif` serves pages without script, `GET /hit.js` is the script.
 * A hit counts only when the page's origin is one that the site allows; a browser's page cannot forge that header.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireHit } from '../models/analytics/hit.js';
import { findSite } from '../models/analytics/site.js';
import { SextantError } from '../shared/errors.js';
import { RequestAllowance } from './allowance.js';
import { BoundedCache } from './bounded-cache.js';
import type { Services } from './context.js';
import type { Demand, OverloadGate } from './overload-gate.js';
import { sendFailure } from './reply.js';
import { limitRequests } from './request-limit.js';

const BODY_BYTES_MAX = 32_768; // a page of 8192 bytes in which JSON escapes everything still fits
const SITES_REMEMBERED = { entriesMax: 1000, sizeMax: 1000 };
/** How long a process goes by a site's origins after reading them. */
const SITE_REMEMBERED_MS = 2000;
const SCRIPT_SECONDS = 3600;

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/**
 * Records the page's path when the page has loaded. As text/plain, so that no preflight is needed; it survives leaving the page. What
 * the server was too busy for was not recorded, and is sent again, three times at most. Whatever else went wrong is left alone: it may
 * have been recorded all the same.
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

interface RememberedSite {
  readonly origins: readonly string[];
  /** By the monotonic clock. */
  readonly untilMs: number;
}

/** Adds the beacon's routes, in a scope of their own. */
export async function registerBeacon(app: FastifyInstance, services: Services, gate: OverloadGate): Promise<void> {
  await app.register(async (scope) => {
    scope.setErrorHandler(sendFailure);
    // Tighter than the server's own limit, since anybody may call this; but many visitors may share an address.
    limitRequests(scope, services.config, new RequestAllowance(services.config.MAX_BEACON_REQUESTS_PER_MINUTE));
    // The script and the image are meant for pages of other sites.
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('cross-origin-resource-policy', 'cross-origin');
    });
    const beacon = new Beacon(services, gate);
    scope.post('/hit', { bodyLimit: BODY_BYTES_MAX }, (request, reply) => beacon.takePost(request, reply));
    scope.options('/hit', (request, reply) => answerPreflight(request, reply));
    scope.get('/hit.gif', (request, reply) => beacon.takeImage(request, reply));
    scope.get('/hit.js', (_request, reply) =>
      reply
        .header('cache-control', `public, max-age=${SCRIPT_SECONDS}`)
        .type('text/javascript; charset=utf-8')
        .send(SCRIPT),
    );
  });
}

class Beacon {
  private readonly sites = new BoundedCache<RememberedSite>(SITES_REMEMBERED);

  constructor(
    private readonly services: Services,
    private readonly gate: OverloadGate,
  ) {}

  /** Answers 204 when the hit is durable. */
  async takePost(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { site, page } = readBody(request.body);
    const origin = request.headers.origin ?? null;
    if (origin) allowReading(reply, origin);
    await this.gate.run(() => this.record(site, page, origin), demandOf(request));
    return reply.code(204).send();
  }

  /** The page is known by its referrer, which the snippet asks the browser for. */
  async takeImage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { site } = request.query as { site?: unknown };
    const { referer } = request.headers;
    if (typeof site !== 'string')
      throw new SextantError('BAD_REQUEST', 'The address must name one site: /hit.gif?site=…');
    if (!referer || !URL.canParse(referer)) throw new SextantError('BAD_REQUEST', 'The browser did not tell the page');
    const page = new URL(referer);
    await this.gate.run(() => this.record(site, page.pathname, page.origin), demandOf(request));
    return reply.header('cache-control', 'no-store').type('image/gif').send(PIXEL);
  }

  private async record(site: string, page: string, origin: string | null): Promise<void> {
    const hit = requireHit('hit', { site, page }, this.services.now());
    const origins = await this.originsOf(hit.site);
    // One answer for an unknown site and a foreign origin: it tells nobody which sites there are.
    if (!origin || !origins.includes(origin)) {
      throw new SextantError('FORBIDDEN', `The site ${hit.site} takes no hits from this origin`);
    }
    const { failed } = await this.services.hits.record([hit], 'MAJORITY');
    if (failed[0]) throw failed[0].error;
  }

  /** Unknown sites are not remembered, so that one is found as soon as it is registered. */
  private async originsOf(host: string): Promise<readonly string[]> {
    const remembered = this.sites.get(host);
    if (remembered && remembered.untilMs > performance.now()) return remembered.origins;
    const origins = (await findSite(this.services.db, host))?.allowed_origins ?? [];
    if (origins.length > 0) this.sites.set(host, { origins, untilMs: performance.now() + SITE_REMEMBERED_MS }, 1);
    else this.sites.delete(host);
    return origins;
  }
}

const demandOf = ({ headers, raw }: FastifyRequest): Demand => ({
  cost: 0,
  bytes: Math.min(Number(headers['content-length'] ?? BODY_BYTES_MAX), BODY_BYTES_MAX),
  isGone: () => raw.socket.destroyed,
});

/** The script says text/plain, so what it sends comes as text. */
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

/** Who sends JSON as such is asked for beforehand by browsers. Which site it is for is not known yet, so the hit itself is what is refused. */
function answerPreflight(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { origin } = request.headers;
  if (origin) allowReading(reply, origin);
  return reply
    .header('access-control-allow-methods', 'POST')
    .header('access-control-allow-headers', 'content-type')
    .code(204)
    .send();
}

/** The answer says nothing but whether the hit was taken. No cookie matters here, so none is allowed. */
function allowReading(reply: FastifyReply, origin: string): void {
  reply.header('access-control-allow-origin', origin).header('vary', 'Origin');
}
