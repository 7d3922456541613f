/** The zones on pages of this server: those of a blog, which domain content renders, and those of the shop. */
import type { Db, Filter } from 'mongodb';
import { InputError } from '../../../shared/errors.js';
import { siteOfPage } from '../../analytics/sites/site.js';
import type { AdPlace } from '../../domain.js';
import { type ZoneDocument, zones } from './zone.js';

/** The names of the zones of blogs, by blog. */
export async function findZonesOfBlogs(db: Db, blogs: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = await zones(db)
    .find({ blog: { $in: [...blogs] } }, { projection: { blog: 1, zone_id: 1 } })
    .toArray();
  const sorted = found.sort((one, other) => (one._id < other._id ? 1 : -1)); // of several, the first one by `_id`
  return new Map(sorted.map(({ blog, zone_id }) => [blog ?? '', zone_id]));
}

/** The zone on the pages of a blog. @param site at which they are shown */
export const findPlaceOfBlog = (db: Db, blog: string, site: string): Promise<AdPlace | null> =>
  findPlace(db, { blog, site_id: site });

/** The zone in the shop. @param origin of its pages, which their site must allow @throws InputError */
export async function findPlaceInShop(db: Db, origin: string): Promise<AdPlace | null> {
  if (!URL.canParse(origin)) throw new InputError('origin', 'must be an origin such as https://shop.example');
  const site = await siteOfPage(db, origin);
  return site === null ? null : findPlace(db, { in_shop: true, site_id: site });
}

/** Of several, the first one by `_id`. */
async function findPlace(db: Db, filter: Filter<ZoneDocument>): Promise<AdPlace | null> {
  const [found] = await zones(db)
    .find(filter, { projection: { site_id: 1, zone_id: 1, size: 1 } })
    .sort({ _id: 1 })
    .limit(1)
    .toArray();
  return found ? { site: found.site_id, zone: found.zone_id, size: found.size } : null;
}
