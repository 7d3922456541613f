/** Extracts from a change of a hit document the page and the changed counters. Pure and cheap, because it runs for every event. */
import type { ChangeEvent } from '../../../database/index.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/time.js';
import { DAILY_DATE_LENGTH, dailyHits, dateOfId, MONTHLY_DATE_LENGTH } from './hit.js';
import { nextSlot, slotOf, type TimeUnit } from './hit-slot.js';

/** The stored units. Weeks and months are summed from days. */
export type StoredUnit = 'MINUTE' | 'HOUR' | 'DAY';

/** The field of a stored unit's counters, and the offset of a counter's slot from its document's date. */
export const storedUnits = {
  MINUTE: { field: 'minute', offset: ([hour = 0, minute = 0]) => hour * HOUR_MS + minute * MINUTE_MS },
  HOUR: { field: 'hourly', offset: ([hour = 0]) => hour * HOUR_MS },
  DAY: { field: 'daily', offset: ([day = 1]) => (day - 1) * DAY_MS },
} as const satisfies Record<StoredUnit, { field: string; offset: (path: readonly number[]) => number }>;

/** The unit that a chart of `unit` is summed from. */
export function storedUnitOf(unit: TimeUnit): StoredUnit {
  return unit === 'MINUTE' || unit === 'HOUR' ? unit : 'DAY';
}

/** `site/page` of a changed document: the part after the date in its `_id`. */
export function sitePageOf(event: ChangeEvent): string {
  const date = event.collection === dailyHits.collectionName ? DAILY_DATE_LENGTH : MONTHLY_DATE_LENGTH;
  return String(event.documentKey._id).slice(date + 1);
}

/** Slots of one stored unit with their current counts, by start time. */
export type SlotCounts = Map<number, number>;

/** Accepts counts by slot: a map or a more compact structure. */
export interface SlotSink {
  set(slot: number, count: number): unknown;
}

/**
 * The counters that an event sets. Other counters of a deleted or replaced document become 0. Our updates never remove counters.
 * @param unit the unit stored in the event's collection
 */
export function changedSlots(event: ChangeEvent, unit: StoredUnit): SlotCounts {
  const counts: SlotCounts = new Map();
  const date = dateOfId(String(event.documentKey._id));
  const { field } = storedUnits[unit];
  if (event.operation === 'delete' || event.operation === 'replace') {
    const end = nextSlot(unit === 'DAY' ? 'MONTH' : 'DAY', date);
    for (let slot = date; slot < end; slot = nextSlot(unit, slot)) counts.set(slot, 0);
  }
  if (event.document) addSlots(counts, unit, date, [], event.document[field]);
  for (const [path, value] of Object.entries(event.updated ?? {})) {
    const [name, ...keys] = path.split('.');
    if (name === field) addSlots(counts, unit, date, keys.map(Number), value);
  }
  return counts;
}

/** Adds a counter, or all counters of a subdocument. @param path the numeric keys that lead to the value */
export function addSlots(
  counts: SlotSink,
  unit: StoredUnit,
  date: number,
  path: readonly number[],
  value: unknown,
): void {
  if (typeof value === 'number') counts.set(date + storedUnits[unit].offset(path), value);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) addSlots(counts, unit, date, [...path, Number(key)], inner);
  }
}

/** Sums stored slots into slots of a unit: days into weeks or months. Other units are unchanged. */
export function sumInto(unit: TimeUnit, stored: Iterable<readonly [slot: number, count: number]>): SlotCounts {
  const sums: SlotCounts = new Map();
  for (const [slot, count] of stored) {
    const target = slotOf(unit, slot);
    sums.set(target, (sums.get(target) ?? 0) + count);
  }
  return sums;
}
