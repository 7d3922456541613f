/** Requests of browsers from pages of other origins: a site names those whose pages may send them. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { findSite } from '../../models/analytics/sites/site.js';
import type { Context } from '../../server/context/context.js';
import { SextantError } from '../../shared/errors.js';

const SITES_REMEMBERED_MAX = 1000;
/** How long a process caches a site's origins. */
const SITE_REMEMBERED_MS = 2000;

interface RememberedSite {
  readonly origins: readonly string[];
  /** On the monotonic clock. */
  readonly untilMs: number;
}

export class SiteOrigins {
  readonly #sites = new LRUCache<string, RememberedSite>({ max: SITES_REMEMBERED_MAX });

  constructor(private readonly db: Context['db']) {}

  /**
   * @param host normalized
   * @throws SextantError FORBIDDEN the same for an unknown site and a foreign origin, so that it does not reveal which sites exist
   */
  async require(host: string, origin: string | null): Promise<void> {
    if (!origin || !(await this.#originsOf(host)).includes(origin))
      throw new SextantError('FORBIDDEN', `The site ${host} accepts nothing from this origin`);
  }

  /** Unknown sites are not cached, so that a site works as soon as it is registered. */
  async #originsOf(host: string): Promise<readonly string[]> {
    const remembered = this.#sites.get(host);
    if (remembered && remembered.untilMs > performance.now()) return remembered.origins;
    const origins = (await findSite(this.db, host))?.allowed_origins ?? [];
    if (origins.length > 0) this.#sites.set(host, { origins, untilMs: performance.now() + SITE_REMEMBERED_MS });
    else this.#sites.delete(host);
    return origins;
  }
}

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
