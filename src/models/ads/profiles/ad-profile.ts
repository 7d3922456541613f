/**
 * Profiles of visitors, for frequency caps: when a visitor had contact with which ad unit. A profile holds no name and no address. MongoDB
 * deletes it at the end of the day 30 days after the last contact.
 * Invariants: at most CONTACTS_MAX contacts of a kind with an ad unit, none older than CONTACTS_KEPT_MS when it was last written; no
 * recorded impression breaches a cap that its campaign had then.
 * Source pattern: `ad.user` of the frequency capping design, whose arrays grow for ever, and whose field names are names of advertisers.
 */
import type { Db } from 'mongodb';
import { commitConcernOf, defineCollection, inTransaction } from '../../../database/index.js';
import { nextSlot, slotOf } from '../../analytics/hits/hit-slot.js';
import { CONTACTS_KEPT_MS, CONTACTS_MAX, type FrequencyCap } from './frequency-cap.js';

const KINDS = ['impressions', 'clicks', 'conversions'] as const;
export type ContactKind = (typeof KINDS)[number];

/** Contacts with one ad unit, oldest first. */
export interface UnitContacts {
  advertiser_id: string;
  campaign_id: string;
  impressions: Date[];
  clicks: Date[];
  conversions: Date[];
}

export interface ProfileDocument {
  /** The random part of the visitor's id. */
  _id: string;
  /** By the id of the ad unit, which Sextant has made: it has no dots and no dollar signs. */
  units: Record<string, UnitContacts>;
  /** The visitor asked to be forgotten: nothing is kept, and the id is not accepted any more. */
  forgotten?: true;
  expires_at: Date;
}

export const profiles = defineCollection<ProfileDocument>('ad.profiles', [
  { key: { expires_at: 1 }, expireAfterSeconds: 0 }, // MongoDB deletes expired profiles
]);

/** The end of a day: so another contact of the same day changes no index. */
export const profileExpiryOf = (lastContact: Date): Date =>
  new Date(nextSlot('DAY', slotOf('DAY', lastContact.getTime() + CONTACTS_KEPT_MS)));

/** Ad units per visitor: a megabyte at most. A visitor who had contact with this many in 30 days sees no other ads with caps. */
export const UNITS_MAX = 500;

/** A contact to add. */
export interface Contact {
  readonly kind: ContactKind;
  readonly ad_unit_id: string;
  readonly campaign_id: string;
  readonly advertiser_id: string;
  readonly at: Date;
}

/** What is known of a visitor in a transaction or a decision, with contacts of which the database does not know yet. */
export class VisitorContacts {
  /** Those with recent contacts. */
  readonly #units: Map<string, UnitContacts>;
  /** Ad units without recent contacts: they take no room, and the next update drops them. */
  readonly #old: Set<string>;
  readonly #changed = new Set<string>();
  readonly #oldest: number;

  constructor(
    readonly profile: Pick<ProfileDocument, 'units' | 'forgotten'> | null,
    private readonly now: Date,
  ) {
    const stored = Object.entries(profile?.units ?? {});
    this.#oldest = now.getTime() - CONTACTS_KEPT_MS;
    const isRecent = (contacts: UnitContacts) =>
      KINDS.some((kind) => (contacts[kind].at(-1)?.getTime() ?? 0) > this.#oldest); // oldest first
    this.#units = new Map(stored.filter(([, contacts]) => isRecent(contacts)));
    this.#old = new Set(stored.flatMap(([unit]) => (this.#units.has(unit) ? [] : unit)));
  }

  get isForgotten(): boolean {
    return this.profile?.forgotten === true;
  }

  /** Whether one more impression of the ad unit keeps within the caps. */
  allows(unit: string, campaign: string, caps: readonly FrequencyCap[]): boolean {
    if (caps.length === 0) return true;
    if (this.isForgotten || (!this.#units.has(unit) && this.#units.size >= UNITS_MAX)) return false;
    return caps.every(({ scope, count, period_ms }) => {
      const since = this.now.getTime() - period_ms;
      let seen = scope === 'AD_UNIT' ? countSince(this.#units.get(unit), since) : 0;
      if (scope === 'CAMPAIGN')
        for (const each of this.#units.values()) if (each.campaign_id === campaign) seen += countSince(each, since);
      return seen < count;
    });
  }

  /** Where there is no room, nothing with caps was shown, so the contact need not be kept. */
  add({ kind, ad_unit_id: unit, campaign_id, advertiser_id, at }: Contact): void {
    if (this.isForgotten || (!this.#units.has(unit) && this.#units.size >= UNITS_MAX)) return;
    const known = this.#units.get(unit) ?? { advertiser_id, campaign_id, impressions: [], clicks: [], conversions: [] };
    const contacts = [...known[kind], at].sort((one, other) => one.getTime() - other.getTime()).slice(-CONTACTS_MAX);
    this.#units.set(unit, { ...known, [kind]: contacts });
    this.#old.delete(unit);
    this.#changed.add(unit);
  }

  /** The modifiers of the update that stores the added contacts, and drops all that are not recent. Null if there is nothing to store. */
  update(): { readonly $set: object; readonly $unset?: object } | null {
    if (this.#changed.size === 0) return null;
    const set = [...this.#units].flatMap(([unit, contacts]) => {
      const kept = recentOf(contacts, this.#oldest);
      return this.#changed.has(unit) || kept !== contacts ? [[`units.${unit}`, kept] as const] : [];
    });
    return {
      $set: { ...Object.fromEntries(set), expires_at: profileExpiryOf(this.now) },
      ...(this.#old.size > 0 && { $unset: Object.fromEntries([...this.#old].map((unit) => [`units.${unit}`, ''])) }),
    };
  }
}

/** The same object if all are recent. */
function recentOf(contacts: UnitContacts, oldest: number): UnitContacts {
  const isRecent = (at: Date | undefined) => !at || at.getTime() > oldest;
  if (KINDS.every((kind) => isRecent(contacts[kind][0]))) return contacts; // oldest first
  const { impressions, clicks, conversions } = contacts;
  return {
    ...contacts,
    impressions: impressions.filter(isRecent),
    clicks: clicks.filter(isRecent),
    conversions: conversions.filter(isRecent),
  };
}

function countSince(contacts: UnitContacts | undefined, since: number): number {
  if (!contacts) return 0;
  let count = 0;
  for (let index = contacts.impressions.length - 1; index >= 0; index -= 1) {
    const at = contacts.impressions[index];
    if (!at || at.getTime() <= since) break; // oldest first
    count += 1;
  }
  return count;
}

export function findProfile(db: Db, id: string): Promise<ProfileDocument | null> {
  return profiles(db).findOne({ _id: id });
}

export interface AdvertiserContacts {
  readonly advertiser_id: string;
  impressions: number;
  clicks: number;
  conversions: number;
  since: Date;
}

/** The contacts of a profile by advertiser, as far as they are recent. */
export function contactsByAdvertiser({ units }: ProfileDocument, now: Date): AdvertiserContacts[] {
  const oldest = now.getTime() - CONTACTS_KEPT_MS;
  const found = new Map<string, AdvertiserContacts>();
  for (const contacts of Object.values(units)) {
    const { advertiser_id, impressions, clicks, conversions } = recentOf(contacts, oldest);
    const dates = [...impressions, ...clicks, ...conversions];
    if (dates.length === 0) continue;
    const first = new Date(Math.min(...dates.map((date) => date.getTime())));
    const sum = found.get(advertiser_id) ?? { advertiser_id, impressions: 0, clicks: 0, conversions: 0, since: first };
    sum.impressions += impressions.length;
    sum.clicks += clicks.length;
    sum.conversions += conversions.length;
    if (first < sum.since) sum.since = first;
    found.set(advertiser_id, sum);
  }
  return [...found.values()].sort((one, other) => (one.advertiser_id < other.advertiser_id ? -1 : 1));
}

/**
 * Deletes all that is known of a visitor. What remains for 30 days is that this id is not accepted any more: receipts of earlier decisions
 * must not begin a new profile. May be repeated.
 * @returns whether there was something to forget
 */
export async function forgetVisitor(db: Db, id: string, now: Date): Promise<boolean> {
  const { value } = await inTransaction(
    db,
    commitConcernOf.MAJORITY,
    (session) =>
      profiles(db).findOneAndUpdate(
        { _id: id }, // guard: a recording at the same moment conflicts, and finds it forgotten when it is repeated
        { $set: { units: {}, forgotten: true, expires_at: profileExpiryOf(now) } },
        { upsert: true, returnDocument: 'before', session },
      ),
    { retryDuplicateKeys: true },
  );
  return value !== null && Object.keys(value.units).length > 0;
}
