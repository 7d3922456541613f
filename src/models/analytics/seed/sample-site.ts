/** The invented sites of sample data: one with traffic, and one on which ads are shown. */
import type { ClientSession, Db } from 'mongodb';
import { actOfSeed } from '../../system/work/seed.js';
import { type HeldWork, WorkFailure } from '../../work.js';
import { dailyHits } from '../hits/hit.js';
import { logImports } from '../log-import/log-import.js';
import { registerSite, removeSite, sites } from '../sites/site.js';

/** The one without traffic. */
export const SAMPLE_AD_SITE = 'harbour-news.example';

const originsOf = (host: string): string[] => [`https://${host}`];

/** Repeatable. */
export async function addSampleSite(held: HeldWork, host: string): Promise<void> {
  const outcome = await registerSite(held.db, actOfSeed(held), { host, allowedOrigins: originsOf(host) });
  if ('message' in outcome) throw new WorkFailure(outcome.message);
}

/** Removes the site if nothing of it is left and its origins are as registered. @returns 1 if it stays */
export async function removeUnusedSite(db: Db, session: ClientSession, host: string): Promise<number> {
  const options = { session, projection: { _id: 1 } } as const;
  const isUsed =
    (await logImports(db).findOne({ site: host }, options)) ??
    (await dailyHits(db).findOne({ 'metadata.site': host }, options));
  if (!isUsed && (await removeSite(db, session, host, originsOf(host)))) return 0;
  return (await sites(db).findOne({ _id: host }, options)) ? 1 : 0;
}
