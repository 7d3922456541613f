/** How stale a result may be. */
import { ReadPreference, ReadPreferenceMode } from 'mongodb';

/** `MAY_LAG` reads from secondaries if there are any. */
export type Freshness = 'LATEST' | 'MAY_LAG';

const STALENESS_MAX_SECONDS = 90; // the minimum that MongoDB accepts; secondaries further behind are not used

export const readPreferenceOf: Readonly<Record<Freshness, ReadPreference>> = {
  LATEST: ReadPreference.primary,
  MAY_LAG: new ReadPreference(ReadPreferenceMode.secondaryPreferred, undefined, {
    maxStalenessSeconds: STALENESS_MAX_SECONDS,
  }),
};
