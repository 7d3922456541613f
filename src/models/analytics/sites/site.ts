/**
 * The sites whose hits and requests are recorded, by hostname. A site is registered by an administrator, with the origins whose pages may
 * send hits, or noted on the first authorized hit or imported log. A noted site has no `allowed_origins` yet: the beacon is closed for it
 * until it is registered.
 */
import type { ClientSession, Db, MongoClient } from 'mongodb';
import { commitConcernOf, defineCollection, inTransaction, isDuplicateKey } from '../../../database/index.js';
import { InputError } from '../../../shared/errors.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { MINUTE_MS } from '../../../shared/time.js';
import { type Act, recordAct } from '../../people/audit.js';

export interface SiteDocument {
  /** The normalized hostname. */
  _id: string;
  /** Sorted and distinct. Absent if the site is noted but not registered. */
  allowed_origins?: string[];
  created_at: Date;
}

export const sites = defineCollection<SiteDocument>('sites');

const SITE_HOST_LENGTH_MAX = 253; // RFC 1035, as text
const ORIGINS_MAX = 20;
const SITES_LISTED_MAX = 1000;
const SITES_REMEMBERED_MAX = 10_000;

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_-]+(\.[a-z0-9_-]+)*)(:\d+)?$/;

/**
 * Normalizes a hostname: lower case, international names as punycode, the port only if it is neither 80 nor 443.
 * @throws InputError it is not a hostname, has a path or a user, or is too long
 */
export function normalizeHost(field: string, text: string): string {
  const looksLikeHost = !/[\s/\\?#@%]/.test(text) && URL.canParse(`http://${text}`); // the parser would drop or move these
  const host = looksLikeHost ? new URL(`http://${text}`).host.replace(/\.(?=:|$)/, '').replace(/:443$/, '') : '';
  if (HOST.test(host) && host.replace(/:\d+$/, '').length <= SITE_HOST_LENGTH_MAX) return host;
  throw new InputError(
    field,
    `must be a hostname of at most ${SITE_HOST_LENGTH_MAX} characters, with a port if it is not the default one`,
  );
}

/** @throws InputError too many, or one is not like `https://example.org` */
function normalizeOrigins(field: string, origins: readonly string[]): string[] {
  if (origins.length > ORIGINS_MAX) throw new InputError(field, `must have at most ${ORIGINS_MAX} origins`);
  const normal = origins.map((text, index) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    const isOrigin = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` && !/[\s\\?#]/.test(text);
    if (!isOrigin) throw new InputError(`${field}.${index}`, 'must be an origin such as https://example.org');
    return url.origin;
  });
  return [...new Set(normal)].sort();
}

/**
 * Registers a new or noted site. Registering it again with the same origins returns the same site and is not audited.
 * @param allowedOrigins origins whose pages may send hits; at most 20, in any order
 * @throws InputError the host or an origin is invalid
 */
export async function registerSite(
  db: Db,
  act: Act,
  input: { readonly host: string; readonly allowedOrigins: readonly string[] },
): Promise<SiteDocument | Refusal<'SiteAlreadyRegistered', { site: SiteDocument }>> {
  const host = normalizeHost('input.host', input.host);
  const origins = normalizeOrigins('input.allowedOrigins', input.allowedOrigins);
  try {
    const { value: registered } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
      const site = await sites(db).findOneAndUpdate(
        // Guard: matches only a noted site. For a registered one nothing matches, and the upsert fails on `_id`.
        { _id: host, allowed_origins: { $exists: false } },
        { $set: { allowed_origins: origins }, $setOnInsert: { created_at: act.at } },
        { upsert: true, returnDocument: 'after', session },
      );
      await recordAct(db, session, act, { action: 'SITE_REGISTERED', subject: host, ...detailOf(origins) });
      return site;
    });
    if (registered) return registered;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  const site = await sites(db).findOne({ _id: host });
  if (!site) return registerSite(db, act, input); // removed in between
  if (String(site.allowed_origins) === String(origins)) return site;
  return refuse('SiteAlreadyRegistered', `The site ${host} is already registered with different origins`, { site });
}

/**
 * Replaces a site's origins. A noted site becomes a registered one. Takes effect on the beacon within two seconds.
 * @throws InputError an origin is invalid
 */
export async function changeSiteOrigins(
  db: Db,
  act: Act,
  host: string,
  allowedOrigins: readonly string[],
): Promise<SiteDocument | Refusal<'SiteNotFound'>> {
  const _id = normalizeHost('host', host);
  const origins = normalizeOrigins('allowedOrigins', allowedOrigins);
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const site = await sites(db).findOneAndUpdate(
      { _id },
      { $set: { allowed_origins: origins } }, // the last writer wins
      { returnDocument: 'after', session },
    );
    if (!site) return refuse('SiteNotFound', `No site has the hostname ${_id}`);
    await recordAct(db, session, act, { action: 'SITE_ORIGINS_CHANGED', subject: _id, ...detailOf(origins) });
    return site;
  });
  return value;
}

/** For the audit trail. */
const detailOf = (origins: readonly string[]) => (origins.length > 0 ? { detail: origins.join(', ') } : {});

/** All sites, sorted by hostname, at most 1000. */
export function findSites(db: Db): Promise<SiteDocument[]> {
  return sites(db).find().sort({ _id: 1 }).limit(SITES_LISTED_MAX).toArray();
}

/** @param host normalized */
export function findSite(db: Db, host: string): Promise<SiteDocument | null> {
  return sites(db).findOne({ _id: host });
}

/** The site that a page of this server belongs to: the one of its host, if it allows the page's origin. */
export async function siteOfPage(db: Db, origin: string): Promise<string | null> {
  const site = await findSite(db, new URL(origin).host);
  return site?.allowed_origins?.includes(origin) ? site._id : null;
}

/**
 * Removes a registered site whose hits and requests have been removed, in a transaction that has checked this. Other processes list it again
 * within a minute if a hit arrives.
 * @returns false when it has other origins
 */
export async function removeSite(
  db: Db,
  session: ClientSession,
  _id: string,
  origins: readonly string[],
): Promise<boolean> {
  remembered.get(db.client)?.names.delete(rememberedName(db, _id));
  const { deletedCount } = await sites(db).deleteOne(
    { _id, allowed_origins: [...origins] }, // guard: nobody has changed it
    { session },
  );
  return deletedCount === 1;
}

const rememberedName = (db: Db, host: string): string => `${db.databaseName}/${host}`;

interface KnownSites {
  /** As `database/host`. */
  readonly names: Set<string>;
  readonly sinceMs: number;
}

/**
 * Sites that this process knows to be stored. By client, because each mutation has its own handle on the database. It is cleared when it is
 * full, and every minute, because another process may have removed a site: then each site costs one upsert again.
 */
const remembered = new WeakMap<MongoClient, KnownSites>();
const REMEMBERED_MS = MINUTE_MS;

/** Ensures that sites are listed. @param hosts normalized */
export async function noteSites(db: Db, hosts: Iterable<string>, now: Date): Promise<void> {
  let known = remembered.get(db.client);
  if (!known || known.names.size > SITES_REMEMBERED_MAX || performance.now() - known.sinceMs > REMEMBERED_MS) {
    known = { names: new Set(), sinceMs: performance.now() };
    remembered.set(db.client, known);
  }
  const unknown = new Set<string>();
  for (const host of hosts) if (!known.names.has(rememberedName(db, host))) unknown.add(host);
  if (unknown.size === 0) return;
  // Guard: only `$setOnInsert`, so existing sites are not changed. The server retries an upsert by `_id` that lost a race.
  const writes = [...unknown].map((_id) => ({
    updateOne: { filter: { _id }, update: { $setOnInsert: { created_at: now } }, upsert: true },
  }));
  await sites(db).bulkWrite(writes, { ordered: false });
  for (const host of unknown) known.names.add(rememberedName(db, host));
}

/** @param host normalized */
export const noteSite = (db: Db, host: string, now: Date): Promise<void> => noteSites(db, [host], now);

/**
 * One line of HTML for every page of a site: a script that records a hit, and an image for browsers with scripts disabled.
 * @param publicUrl where browsers reach this server
 */
export function siteSnippet(publicUrl: string, host: string): string {
  const base = publicUrl.replace(/\/+$/, '');
  return (
    `<script async src="${base}/hit.js" data-site="${host}"></script>` + // a hostname contains no characters that are special in HTML
    `<noscript><img src="${base}/hit.gif?site=${encodeURIComponent(host)}" alt="" width="1" height="1" ` +
    'referrerpolicy="no-referrer-when-downgrade"></noscript>' // only the referrer identifies the page
  );
}
