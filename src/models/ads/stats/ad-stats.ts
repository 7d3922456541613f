/**
 * Pre-aggregated statistics of ads: one document per subject and day, with counters for every hour. Subjects are campaigns, ad units
 * and zones. Everything counts in the hour of the decision, so that a click is next to its impression, and the counters of an hour can be
 * recomputed from its receipts.
 * Source pattern: pre-aggregated reports (operational intelligence, chapter 4), as in `analytics/hits`.
 * Invariants: the counters of a campaign are the sums of its units'; both are the numbers of receipts (`invariants.ts`).
 */
import type { ClientSession, Db, Document } from 'mongodb';
import { defineCollection, type UpdateStatement } from '../../../database/index.js';
import { InputError, LimitError } from '../../../shared/errors.js';
import { DAY_MS, type DateRange, HOUR_MS, MINUTE_MS, requireRange } from '../../../shared/time.js';
import { nextSlot, slotOf, type TimeUnit } from '../../analytics/hits/hit-slot.js';

/** What is counted. Stored by its letter, because a document has 24 of each. */
export const COUNTERS = {
  impressions: 'i',
  clicks: 'c',
  conversions: 'v',
  /** Thousandths of a minor unit. */
  spent: 's',
  /** The value of conversions in minor units. */
  value: 'w',
  /** Of zones only. */
  decisions: 'd',
  /** Decisions that had an ad to show. Of zones only. */
  filled: 'f',
} as const;

export type Counter = keyof typeof COUNTERS;
export type Counts = Readonly<Record<Counter, number>>;

const counterNames = Object.keys(COUNTERS) as Counter[];
export const NOTHING: Counts = {
  impressions: 0,
  clicks: 0,
  conversions: 0,
  spent: 0,
  value: 0,
  decisions: 0,
  filled: 0,
};

export type SubjectKind = 'campaign' | 'unit' | 'zone';

export interface AdStatsDocument {
  /** `YYYYMMDD/subject` */
  _id: string;
  /** `campaign:id`, `unit:id` or `zone:site/zone` */
  subject: string;
  date: Date;
  /** Only of ad units. */
  campaign_id?: string;
  /** By hour, 0 to 23. */
  hourly?: Record<string, Record<string, number>>;
}

export const adStats = defineCollection<AdStatsDocument>('ad.stats', [
  { key: { subject: 1, date: 1 } }, // findCounts
  { key: { campaign_id: 1, date: 1 }, partialFilterExpression: { campaign_id: { $exists: true } } }, // findCountsOfUnits
]);

export const subjectOf = (kind: SubjectKind, id: string): string => `${kind}:${id}`;

/** Sums what happened per document, so that each is written once. */
export class AdTally {
  readonly #documents = new Map<
    string,
    { first: Pick<AdStatsDocument, 'subject' | 'date' | 'campaign_id'>; inc: Record<string, number> }
  >();

  /** @param campaign of an ad unit */
  add(subject: string, at: Date, counts: Partial<Counts>, campaign?: string): void {
    const date = new Date(slotOf('DAY', at.getTime()));
    const id = `${dayText(date)}/${subject}`;
    let document = this.#documents.get(id);
    if (!document) {
      document = { first: { subject, date, ...(campaign !== undefined && { campaign_id: campaign }) }, inc: {} };
      this.#documents.set(id, document);
    }
    for (const name of counterNames) {
      const count = counts[name];
      if (!count) continue;
      const field = `hourly.${at.getUTCHours()}.${COUNTERS[name]}`;
      document.inc[field] = (document.inc[field] ?? 0) + count;
    }
  }

  get size(): number {
    return this.#documents.size;
  }

  /** One upsert per document. `$inc` commutes; the transaction around them applies each once. */
  statements(): UpdateStatement[] {
    return [...this.#documents]
      .filter(([, { inc }]) => Object.keys(inc).length > 0)
      .map(([_id, { first, inc }]) => ({ q: { _id }, u: { $inc: inc, $setOnInsert: first }, upsert: true }));
  }
}

/** `YYYYMMDD`, in UTC. Computed for each receipt several times, so not by way of `toISOString`. */
export const dayText = (date: Date): string =>
  String((date.getUTCFullYear() * 100 + date.getUTCMonth() + 1) * 100 + date.getUTCDate());
const ID_DATE_LENGTH = 8;

/** The start of the `_id`s of a day, of one kind of subjects. */
export const statsOfDay = (kind: SubjectKind, day: Date): string => `${dayText(day)}/${subjectOf(kind, '')}`;

/** The subject of a document, from its `_id`. */
export const subjectOfId = (id: string): string => id.slice(ID_DATE_LENGTH + 1);

/** The start of the day of a document, from its `_id`. */
export const dayOfId = (id: string): number =>
  Date.UTC(Number(id.slice(0, 4)), Number(id.slice(4, 6)) - 1, Number(id.slice(6, ID_DATE_LENGTH)));

/** The counts of an hour as they are stored. */
export function countsOf(stored: Readonly<Record<string, number>> | undefined): Counts {
  if (!stored) return NOTHING;
  return Object.fromEntries(counterNames.map((name) => [name, stored[COUNTERS[name]] ?? 0])) as unknown as Counts;
}

export const sumOf = (one: Counts, other: Counts): Counts =>
  Object.fromEntries(counterNames.map((name) => [name, one[name] + other[name]])) as unknown as Counts;

export interface AdPoint extends Counts {
  readonly at: Date;
}

export const RANGE_MAX_MS = 400 * DAY_MS;

/** @throws InputError the unit is MINUTE @throws LimitError the range is too long */
export function requireStatsRange(range: DateRange, unit: TimeUnit = 'HOUR'): DateRange {
  requireRange('range', range);
  if (unit === 'MINUTE') throw new InputError('unit', 'must not be MINUTE: hours are the shortest slots');
  if (range.to.getTime() - range.from.getTime() > RANGE_MAX_MS)
    throw new LimitError('The range must not be longer than 400 days', RANGE_MAX_MS / DAY_MS);
  return { from: new Date(slotOf(unit, range.from.getTime())), to: range.to };
}

/** The counts by hour of the slots that start in the range. */
export async function findCounts(
  db: Db,
  subject: string,
  { from, to }: DateRange,
  session?: ClientSession,
): Promise<Map<number, Counts>> {
  const found = await adStats(db)
    .find({ subject, date: datesOf({ from, to }) }, { projection: { date: 1, hourly: 1 }, ...(session && { session }) })
    .toArray();
  const hours = new Map<number, Counts>();
  for (const document of found) addHours(hours, document, { from, to });
  return hours;
}

const datesOf = ({ from, to }: DateRange) => ({ $gte: new Date(slotOf('DAY', from.getTime())), $lt: to });

function addHours(
  hours: Map<number, Counts>,
  { date, hourly }: Pick<AdStatsDocument, 'date' | 'hourly'>,
  { from, to }: DateRange,
): void {
  for (const [hour, stored] of Object.entries(hourly ?? {})) {
    // an hour belongs to the range when it starts in it
    const at = date.getTime() + Number(hour) * HOUR_MS;
    if (at >= from.getTime() && at < to.getTime()) hours.set(at, countsOf(stored));
  }
}

interface UnitHour {
  readonly unit: string;
  /** The day. */
  readonly date: Date;
  readonly at: Date;
  readonly counts: Counts;
}

/** The counts of the ad units of a campaign, by unit and hour, in the order of days, units and hours. */
export async function* countsOfUnits(db: Db, campaign: string, range: DateRange): AsyncGenerator<UnitHour> {
  const found = adStats(db)
    .find({ campaign_id: campaign, date: datesOf(range) })
    .sort({ campaign_id: 1, date: 1 });
  const day: AdStatsDocument[] = []; // one for each unit that a campaign ever had, at most
  for await (const document of found) {
    if (day[0] && day[0].date.getTime() !== document.date.getTime()) yield* countsOfDay(day.splice(0), range);
    day.push(document);
  }
  yield* countsOfDay(day, range);
}

function* countsOfDay(day: readonly AdStatsDocument[], range: DateRange): Generator<UnitHour> {
  for (const document of day.toSorted((one, other) => (one.subject < other.subject ? -1 : 1))) {
    const hours = new Map<number, Counts>();
    addHours(hours, document, range);
    const unit = document.subject.slice(subjectOf('unit', '').length);
    for (const [at, counts] of [...hours].sort(([one], [other]) => one - other))
      yield { unit, date: document.date, at: new Date(at), counts };
  }
}

/** Every slot that starts in the range, oldest first. @param hours by their start @param last the start of the last slot */
export function pointsOf(hours: ReadonlyMap<number, Counts>, unit: TimeUnit, from: number, last: number): AdPoint[] {
  const slots = new Map<number, Counts>();
  for (const [hour, counts] of hours) {
    const slot = slotOf(unit, hour);
    slots.set(slot, sumOf(slots.get(slot) ?? NOTHING, counts));
  }
  const points: AdPoint[] = [];
  for (let slot = from; slot <= last; slot = nextSlot(unit, slot))
    points.push({ at: new Date(slot), ...(slots.get(slot) ?? NOTHING) });
  return points;
}

export const totalOf = (all: Iterable<Counts>): Counts => [...all].reduce(sumOf, NOTHING);

/** A campaign, an ad unit or a zone, and the currency of what it spends or earns. */
export interface Subject {
  readonly kind: SubjectKind;
  readonly id: string;
  readonly currency: string;
}

export interface AdStats extends Subject {
  readonly unit: TimeUnit;
  readonly range: DateRange;
  readonly points: readonly AdPoint[];
}

/** @throws InputError @throws LimitError */
export async function findAdStats(db: Db, subject: Subject, given: DateRange, unit: TimeUnit): Promise<AdStats> {
  const range = requireStatsRange(given, unit);
  const last = slotOf(unit, range.to.getTime() - 1);
  const whole = { from: range.from, to: new Date(nextSlot(unit, last)) };
  const hours = await findCounts(db, subjectOf(subject.kind, subject.id), whole);
  return { ...subject, unit, range: whole, points: pointsOf(hours, unit, range.from.getTime(), last) };
}

/** Also of a zone that was removed. */
export async function hasZoneStats(db: Db, zone: string): Promise<boolean> {
  const filter = { subject: subjectOf('zone', zone) };
  return (await adStats(db).findOne(filter, { projection: { _id: 1 } })) !== null;
}

/** The sums of whole hours. @throws InputError @throws LimitError */
export async function findZoneStats(db: Db, zone: string, given: DateRange): Promise<Counts> {
  const range = requireStatsRange(given);
  return totalOf((await findCounts(db, subjectOf('zone', zone), range)).values());
}

/** How many decisions the zones made in a minute, together, in the busiest hour since yesterday. */
export async function findDecisionsPerMinute(
  db: Db,
  session: ClientSession,
  zoneIds: readonly string[],
  now: Date,
): Promise<number> {
  const range = { from: new Date(slotOf('DAY', now.getTime()) - DAY_MS), to: now };
  const subjects = zoneIds.map((id) => subjectOf('zone', id));
  const found = adStats(db).find(
    { subject: { $in: subjects }, date: datesOf(range) },
    { session, projection: { date: 1, hourly: 1 } },
  );
  const perMinute = new Map<number, number>();
  for await (const document of found) {
    const hours = new Map<number, Counts>();
    addHours(hours, document, range);
    for (const [hour, { decisions }] of hours) {
      const minutes = Math.min(HOUR_MS, Math.max(MINUTE_MS, now.getTime() - hour)) / MINUTE_MS; // this hour has just begun
      perMinute.set(hour, (perMinute.get(hour) ?? 0) + decisions / minutes);
    }
  }
  return Math.max(0, ...perMinute.values());
}

/** The counts of each unit in the range, in the order of their ids. */
export async function findUnitCounts(
  db: Db,
  campaign: string,
  range: DateRange,
): Promise<{ readonly unit: string; readonly counts: Counts }[]> {
  const units = new Map<string, Counts>();
  for await (const { unit, counts } of countsOfUnits(db, campaign, range))
    units.set(unit, sumOf(units.get(unit) ?? NOTHING, counts));
  return [...units].sort(([one], [other]) => (one < other ? -1 : 1)).map(([unit, counts]) => ({ unit, counts }));
}

/** An hour's counts that an event has changed: paths such as `hourly.13` or `hourly.13.i`. */
export function changedHours(event: {
  readonly document?: Document;
  readonly updated?: Readonly<Record<string, unknown>>;
}): Map<number, Record<string, number>> {
  const hours = new Map<number, Record<string, number>>();
  const set = (hour: string, counts: object) => {
    hours.set(Number(hour), { ...hours.get(Number(hour)), ...counts });
  };
  for (const [hour, counts] of Object.entries((event.document as AdStatsDocument | undefined)?.hourly ?? {}))
    set(hour, counts);
  for (const [path, value] of Object.entries(event.updated ?? {})) {
    const [field, hour, counter] = path.split('.');
    if (field !== 'hourly') continue;
    if (hour === undefined) for (const [each, counts] of Object.entries(value as object)) set(each, counts as object);
    else set(hour, counter === undefined ? (value as object) : { [counter]: value });
  }
  return hours;
}
