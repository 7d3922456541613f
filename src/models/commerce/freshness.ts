/** How old an answer may be. */
import { ReadPreference, ReadPreferenceMode } from 'mongodb';

/** `MAY_LAG` reads from secondaries where there are any. */
export type Freshness = 'LATEST' | 'MAY_LAG';

const STALENESS_MAX_SECONDS = 90; // the least that MongoDB takes: a secondary that is further behind is not asked

export const readPreferenceOf: Readonly<Record<Freshness, ReadPreference>> = {
  LATEST: ReadPreference.primary,
  MAY_LAG: new ReadPreference(ReadPreferenceMode.secondaryPreferred, undefined, {
    maxStalenessSeconds: STALENESS_MAX_SECONDS,
  }),
};
