/**
 * Charts of one page's hits. Minutes and hours are read from `hits.daily`, days, weeks and months from `hits.monthly`.
 * A chart that touches N days or N months reads at most N documents, by the index on site, page and date.
 */
import type { ClientSession, Db, Document } from 'mongodb';
import { LimitError } from '../../../shared/errors.js';
import { groupBy } from '../../../shared/group-by.js';
import { DAY_MS, type DateRange, HOUR_MS, requireRange } from '../../../shared/time.js';
import { type DailyHits, dailyHits, type MonthlyHits, monthlyHits } from './hit.js';
import {
  addSlots,
  type SlotCounts,
  type SlotSink,
  type StoredUnit,
  storedUnitOf,
  storedUnits,
  sumInto,
} from './hit-change.js';
import { READ_MS_MAX, refuseLongRead } from './hit-read-limit.js';
import { countSlots, nextSlot, slotOf, type TimeUnit } from './hit-slot.js';

export interface HitPoint {
  /** The start of the slot. */
  readonly at: Date;
  readonly count: number;
}

export interface HitChart {
  readonly unit: TimeUnit;
  readonly total: number;
  /** Every slot of the range, oldest first. */
  readonly points: readonly HitPoint[];
  readonly documentsRead: number;
}

export interface PageOfSite {
  readonly site: string;
  readonly page: string;
}

export const POINTS_MAX = 50_000;

/**
 * Reads a chart. Slots that start in the range are returned completely. `from` is rounded down to the start of its slot.
 * @throws InputError the range is empty
 * @throws LimitError more than POINTS_MAX slots, without reading anything; or the read took longer than 10 seconds
 */
export async function findHitChart(
  db: Db,
  { site, page }: PageOfSite,
  range: DateRange,
  unit: TimeUnit,
): Promise<HitChart> {
  const chartAt = await findHitCharts(db, site, [page], range, unit);
  return chartAt(page);
}

/** Charts of several pages in one read. @returns the chart of each of them @throws as `findHitChart` */
export async function findHitCharts(
  db: Db,
  site: string,
  pages: readonly string[],
  range: DateRange,
  unit: TimeUnit,
): Promise<(page: string) => HitChart> {
  requireRange('range', range);
  const from = slotOf(unit, range.from.getTime());
  requirePoints(unit, from, range.to.getTime());
  const last = slotOf(unit, range.to.getTime() - 1);
  const slots = { from, to: nextSlot(unit, last) };
  const documents = await readDocuments(db, site, pages, unit, slots);
  const byPage = groupBy(documents, ({ metadata }) => metadata.page);
  return (page) => {
    const found = byPage.get(page) ?? [];
    const counts: SlotCounts = new Map();
    addCounts(found, unit, slots, counts);
    return chartOf(unit, sumInto(unit, counts), from, last, found.length);
  };
}

/** @throws LimitError */
export function requirePoints(unit: TimeUnit, from: number, to: number): void {
  const points = countSlots(unit, from, to);
  if (points > POINTS_MAX) throw new LimitError(`The chart would have ${points} points`, POINTS_MAX);
}

/** @param counts by slot of the unit @param last the start of the last slot */
export function chartOf(
  unit: TimeUnit,
  counts: Pick<ReadonlyMap<number, number>, 'get'>,
  from: number,
  last: number,
  documentsRead: number,
): HitChart {
  const points: HitPoint[] = [];
  let total = 0;
  for (let slot = from; slot <= last; slot = nextSlot(unit, slot)) {
    const count = counts.get(slot) ?? 0;
    total += count;
    points.push({ at: new Date(slot), count });
  }
  return { unit, total, points, documentsRead };
}

/**
 * Reads the stored slots for a chart of the unit into `counts`. Both ends are starts of slots.
 * @returns the number of documents read
 */
export async function readCounts(
  db: Db,
  { site, page }: PageOfSite,
  unit: TimeUnit,
  slots: Slots,
  counts: SlotSink,
  session?: ClientSession,
): Promise<number> {
  const documents = await readDocuments(db, site, [page], unit, slots, session);
  addCounts(documents, unit, slots, counts);
  return documents.length;
}

/** Both are starts of slots. */
interface Slots {
  readonly from: number;
  readonly to: number;
}

function readDocuments(
  db: Db,
  site: string,
  pages: readonly string[],
  unit: TimeUnit,
  { from, to }: Slots,
  session?: ClientSession,
): Promise<readonly (DailyHits | MonthlyHits)[]> {
  const stored = storedUnitOf(unit);
  const begin = slotOf(stored === 'DAY' ? 'MONTH' : 'DAY', from);
  const filter = {
    'metadata.site': site,
    'metadata.page': pages.length === 1 ? pages[0] : { $in: [...pages] },
    'metadata.date': { $gte: new Date(begin), $lt: new Date(to) },
  };
  const options = {
    projection: { _id: 0, 'metadata.date': 1, 'metadata.page': 1, ...fieldsBetween(stored, from, to) },
    maxTimeMS: READ_MS_MAX,
    ...(session && { session }),
  };
  const found =
    stored === 'DAY'
      ? monthlyHits(db).find<MonthlyHits>(filter, options)
      : dailyHits(db).find<DailyHits>(filter, options);
  return found.toArray().catch(refuseLongRead);
}

function addCounts(
  documents: readonly (DailyHits | MonthlyHits)[],
  unit: TimeUnit,
  { from, to }: Slots,
  counts: SlotSink,
): void {
  const stored = storedUnitOf(unit);
  const within: SlotSink = { set: (slot, count) => slot >= from && slot < to && counts.set(slot, count) };
  for (const document of documents) {
    const value = (document as Document)[storedUnits[stored].field];
    addSlots(within, stored, document.metadata.date.getTime(), [], value);
  }
}

/** The projection: for a short range of minutes only the hours it touches, because a whole day has 1,440 minutes. */
function fieldsBetween(unit: StoredUnit, from: number, to: number): Record<string, 1> {
  const { field } = storedUnits[unit];
  if (unit !== 'MINUTE' || to - from >= DAY_MS) return { [field]: 1 };
  const fields: Record<string, 1> = {};
  for (let hour = slotOf('HOUR', from); hour < to; hour += HOUR_MS)
    fields[`${field}.${new Date(hour).getUTCHours()}`] = 1;
  return fields;
}
