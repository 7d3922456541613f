/** The origins that a site allows: those whose pages may send hits and ask for ads. */
import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import { SextantError } from '../../../shared/errors.js';
import { findSite } from './site.js';

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

  constructor(private readonly db: Db) {}

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
