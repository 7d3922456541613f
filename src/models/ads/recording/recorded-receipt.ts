/**
 * The receipts that were counted. A receipt's document is written in the transaction that counts it, so that it counts once. It is kept for
 * longer than the receipt is valid.
 */
import { defineCollection } from '../../../database/index.js';
import { DAY_MS } from '../../../shared/time.js';
import { slotOf } from '../../analytics/hits/hit-slot.js';
import type { EventKind, Receipt } from '../decisions/receipt.js';
import { type Counts, dayText, NOTHING } from '../stats/ad-stats.js';

export interface RecordedReceipt {
  /** `unit/YYYYMMDDHH/id/kind`: those of an hour follow each other, so that its counters can be checked. */
  _id: string;
  campaign_id: string;
  zone_id: string;
  /** What it cost, in thousandths of a minor unit. 0 if the campaign had ended. */
  spent: number;
  /** The value of a conversion, in minor units. */
  value?: number;
  expires_at: Date;
}

export const recordedReceipts = defineCollection<RecordedReceipt>('ad.receipts', [
  { key: { expires_at: 1 }, expireAfterSeconds: 0 }, // MongoDB deletes them
]);

/**
 * From the start of the hour. Longer than VALID_MS, and a click as long as it may lead to a conversion. Impressions are too many for that:
 * one that was not clicked leads to a conversion for two days.
 */
const KEPT_MS: Readonly<Record<EventKind, number>> = {
  IMPRESSION: 2 * DAY_MS,
  CLICK: 31 * DAY_MS,
  CONVERSION: 31 * DAY_MS,
};

const LETTERS: Readonly<Record<EventKind, string>> = { IMPRESSION: 'i', CLICK: 'c', CONVERSION: 'v' };

/** The start of the `_id`s of a unit's receipts of an hour. */
export const receiptsOfHour = (unit: string, at: Date): string =>
  `${unit}/${dayText(at)}${String(at.getUTCHours()).padStart(2, '0')}/`;

export const recordedIdOf = (kind: EventKind, { unit, at, id }: Receipt): string =>
  `${receiptsOfHour(unit, at)}${id}/${LETTERS[kind]}`;

export const expiryOf = (kind: EventKind, { at }: Receipt): Date =>
  new Date(slotOf('HOUR', at.getTime()) + KEPT_MS[kind]);

/** When the receipts of an hour expire: with this, the index finds them by hour. Those of one other hour expire at the same time. */
export const expiriesOfHour = (at: Date): Date[] =>
  [...new Set(Object.values(KEPT_MS))].map((keptMs) => new Date(slotOf('HOUR', at.getTime()) + keptMs));

/** The part of an `_id` that names the hour. */
export const hourPart = (at: Date): string => receiptsOfHour('', at);

/** The start of the hour, from an `_id`. */
export function hourOf(id: string): Date {
  const [, hour = ''] = id.split('/');
  return new Date(`${hour.slice(0, 4)}-${hour.slice(4, 6)}-${hour.slice(6, 8)}T${hour.slice(8, 10)}:00:00Z`);
}

/** What a document counts as, by the last character of its `_id`. */
export const RECEIPT_LETTERS = {
  impressions: LETTERS.IMPRESSION,
  clicks: LETTERS.CLICK,
  conversions: LETTERS.CONVERSION,
};

/** What a receipt has added to the statistics. */
export function countsOfReceipt({ _id, spent, value = 0 }: Pick<RecordedReceipt, '_id' | 'spent' | 'value'>): Counts {
  const isOf = (letter: string) => (_id.endsWith(letter) ? 1 : 0);
  const { impressions, clicks, conversions } = RECEIPT_LETTERS;
  return {
    ...NOTHING,
    impressions: isOf(impressions),
    clicks: isOf(clicks),
    conversions: isOf(conversions),
    spent,
    value,
  };
}
