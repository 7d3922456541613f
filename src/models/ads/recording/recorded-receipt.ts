/**
 * The receipts that were counted. A receipt's document is written in the transaction that counts it, so that it counts once. It is kept for
 * longer than the receipt is valid.
 */
import { defineCollection } from '../../../database/index.js';
import { DAY_MS } from '../../../shared/time.js';
import { slotOf } from '../../analytics/hits/hit-slot.js';
import type { EventKind, Receipt } from '../decisions/receipt.js';

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
  `${unit}/${at.toISOString().slice(0, 13).replaceAll(/[-T]/g, '')}/`;

export const recordedIdOf = (kind: EventKind, { unit, at, id }: Receipt): string =>
  `${receiptsOfHour(unit, at)}${id}/${LETTERS[kind]}`;

export const expiryOf = (kind: EventKind, { at }: Receipt): Date =>
  new Date(slotOf('HOUR', at.getTime()) + KEPT_MS[kind]);

/** The kind of a document, from its `_id`. */
export const letterOf = (id: string): string => id.slice(-1);
