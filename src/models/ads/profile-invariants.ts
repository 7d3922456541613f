/**
 * Profiles are bounded, and no visitor has seen an ad more often than its caps allow. Caps may be changed: only impressions since then are
 * compared with them. Campaigns of earlier releases do not know when their caps were set, and are compared once they are changed.
 */
import type { ClientSession, Db } from 'mongodb';
import { inSnapshotBatches, type Visited } from '../../database/collections/snapshot-batches.js';
import { DAY_MS, MINUTE_MS } from '../../shared/time.js';
import { type CampaignDocument, campaigns } from './campaigns/campaign.js';
import type { Found } from './invariants.js';
import { type ProfileDocument, profiles, type UnitContacts } from './profiles/ad-profile.js';
import { CONTACTS_KEPT_MS, CONTACTS_MAX } from './profiles/frequency-cap.js';

type Capped = Pick<CampaignDocument, '_id' | 'caps' | 'caps_set_at' | 'created_at'>;

export async function* findProfileViolations(db: Db, visited: Visited): AsyncIterable<Found> {
  for await (const { documents, session } of inSnapshotBatches<ProfileDocument>(db, profiles(db), { visited })) {
    const capped = await cappedCampaigns(db, session, documents);
    for (const profile of documents) {
      yield* findBoundViolations(profile);
      yield* findCapViolations(profile, capped);
    }
  }
}

function* findBoundViolations({ _id: subject, units, expires_at }: ProfileDocument): Generator<Found> {
  // It was last written at least so long before it expires, and at most a day longer.
  const writtenFrom = expires_at.getTime() - CONTACTS_KEPT_MS - DAY_MS;
  for (const { impressions, clicks, conversions } of Object.values(units)) {
    const found = Math.max(impressions.length, clicks.length, conversions.length);
    if (found > CONTACTS_MAX)
      yield { invariant: 'contacts of a visitor are bounded', subject, expected: CONTACTS_MAX, found };
    const first = Math.min(...[impressions, clicks, conversions].map(([at]) => at?.getTime() ?? writtenFrom));
    const age = writtenFrom - first;
    if (age > CONTACTS_KEPT_MS)
      yield {
        invariant: 'contacts of a visitor are of 30 days',
        subject,
        expected: CONTACTS_KEPT_MS / DAY_MS,
        found: age / DAY_MS,
      };
  }
}

/** Of the campaigns that the visitors of a batch have seen, those with caps. */
async function cappedCampaigns(
  db: Db,
  session: ClientSession,
  batch: readonly ProfileDocument[],
): Promise<ReadonlyMap<string, Capped>> {
  const ids = new Set(batch.flatMap(({ units }) => Object.values(units).map(({ campaign_id }) => campaign_id)));
  const projection = { caps: 1, caps_set_at: 1, created_at: 1 } as const;
  const found = await campaigns(db)
    .find({ _id: { $in: [...ids] } }, { session, projection })
    .toArray();
  return new Map(found.filter(({ caps }) => caps.length > 0).map((campaign) => [campaign._id, campaign]));
}

function* findCapViolations(
  { _id: visitor, units }: ProfileDocument,
  capped: ReadonlyMap<string, Capped>,
): Generator<Found> {
  for (const [campaign, seen] of byCampaign(units)) {
    const from = decidableFrom(capped.get(campaign));
    if (from === null) continue;
    const sinceThen = new Map([...seen].map(([unit, contacts]) => [unit, impressionsSince(contacts, from)]));
    const together = new Map([[campaign, [...sinceThen.values()].flat().sort((one, other) => one - other)]]);
    for (const cap of capped.get(campaign)?.caps ?? [])
      for (const [subject, dates] of cap.scope === 'CAMPAIGN' ? together : sinceThen) {
        const found = mostInPeriod(dates, cap.period_ms);
        if (found > cap.count)
          yield { invariant: 'no cap is exceeded', subject: `${visitor} ${subject}`, expected: cap.count, found };
      }
  }
}

/** Impressions that are being recorded while caps are changed are decided by the caps before, and clocks differ. */
const CHANGE_MS = MINUTE_MS;

/** From when on all impressions obey the present caps. A new campaign has none before. Null: that is not known, or it has no caps. */
function decidableFrom(campaign: Capped | undefined): number | null {
  if (!campaign?.caps_set_at) return null;
  const { caps_set_at: set, created_at: created } = campaign;
  return set > created ? set.getTime() + CHANGE_MS : set.getTime();
}

function byCampaign(units: ProfileDocument['units']): Map<string, Map<string, UnitContacts>> {
  const found = new Map<string, Map<string, UnitContacts>>();
  for (const [unit, contacts] of Object.entries(units)) {
    const { campaign_id: campaign } = contacts;
    found.set(campaign, (found.get(campaign) ?? new Map<string, UnitContacts>()).set(unit, contacts));
  }
  return found;
}

const impressionsSince = ({ impressions }: UnitContacts, from: number): number[] =>
  impressions.map((at) => at.getTime()).filter((at) => at >= from);

/** The largest number of impressions in any period of this length. @param dates oldest first */
function mostInPeriod(dates: readonly number[], periodMs: number): number {
  let most = 0;
  let first = 0;
  for (const [last, at] of dates.entries()) {
    while ((dates[first] ?? at) <= at - periodMs) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
