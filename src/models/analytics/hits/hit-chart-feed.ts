/**
 * The live chart: the current slots of the window, then each changed slot with its new count.
 * The passing of time alone sends nothing: the client drops old points, and the state drops them when the next hit arrives.
 */
import { type ChangeEvent, defineFeed, type StateFeed } from '../../../database/index.js';
import { InputError } from '../../../shared/errors.js';
import { DAY_MS } from '../../../shared/time.js';
import { dailyHits, monthlyHits } from './hit.js';
import { changedSlots, sitePageOf, storedUnitOf, sumInto } from './hit-change.js';
import { chartOf, type HitChart, type HitPoint, type PageOfSite, readCounts, requirePoints } from './hit-chart.js';
import { nextSlot, slotOf, type TimeUnit } from './hit-slot.js';
import { SlotSeries } from './slot-series.js';

export interface HitChartArgs extends PageOfSite {
  /** How far the window reaches back from now. */
  readonly lastMs: number;
  readonly unit: TimeUnit;
}

interface HitChartState {
  /** By stored slot, from the start of the window, including future slots for hits whose time is ahead of the clock. */
  readonly counts: SlotSeries;
  from: number;
  readonly documentsRead: number;
}

/** Hits are accepted up to a day ahead of the accepting process's clock. The second day allows for clock skew. */
const AHEAD_MS = 2 * DAY_MS;

/** @throws LimitError the window has more than POINTS_MAX slots @throws InputError it is empty */
export function requireHitChartArgs(args: HitChartArgs, now: Date): HitChartArgs {
  if (args.lastMs <= 0) throw new InputError('last', 'must be longer than zero');
  requirePoints(args.unit, windowBegin(args, now), now.getTime());
  return args;
}

export const hitChartFeed: StateFeed<HitChartArgs, HitChartState, HitChart, readonly HitPoint[]> = defineFeed({
  kind: 'state',
  name: 'hit-chart',
  collections: [dailyHits, monthlyHits],

  key: ({ site, page, lastMs, unit }) => JSON.stringify([unit, lastMs, site, page]),
  topic: ({ site, page, unit }) => `${collectionOf(unit)}:${site}/${page}`,
  topics: (event) => [`${event.collection}:${sitePageOf(event)}`],

  snapshot: async (db, args, session, now) => {
    const from = windowBegin(args, now);
    const to = nextSlot(args.unit, slotOf(args.unit, now.getTime() + AHEAD_MS));
    const counts = new SlotSeries(storedUnitOf(args.unit));
    return { from, counts, documentsRead: await readCounts(db, args, args.unit, { from, to }, counts, session) };
  },

  touched: (event, { unit }) => {
    const keys = new Set<string>();
    for (const slot of changedSlots(event, storedUnitOf(unit)).keys()) keys.add(String(slotOf(unit, slot)));
    return [...keys];
  },

  apply: (state, event, args, now) => {
    slide(state, args, now);
    return applySlots(state, event, args.unit);
  },

  /** Every slot from the start of the window until now, or until the last future slot that has hits. */
  view: (state, args, now) => {
    slide(state, args, now);
    const { unit } = args;
    const counts = unit === storedUnitOf(unit) ? state.counts : sumInto(unit, state.counts);
    let last = slotOf(args.unit, now.getTime());
    for (const [slot, count] of counts) if (count > 0 && slot > last) last = slot;
    return chartOf(args.unit, counts, state.from, last, state.documentsRead);
  },

  change: (state, keys, { unit }) => {
    const slots = [...keys].map(Number).filter((slot) => slot >= state.from);
    return slots.sort((a, b) => a - b).map((slot) => ({ at: new Date(slot), count: countOf(state, unit, slot) }));
  },

  bytes: ({ counts }) => counts.bytes,
});

function collectionOf(unit: TimeUnit): string {
  return (storedUnitOf(unit) === 'DAY' ? monthlyHits : dailyHits).collectionName;
}

function windowBegin({ unit, lastMs }: HitChartArgs, now: Date): number {
  return slotOf(unit, now.getTime() - lastMs);
}

/** Drops slots that have left the window. */
function slide(state: HitChartState, args: HitChartArgs, now: Date): void {
  const from = windowBegin(args, now);
  if (from <= state.from) return;
  state.from = from;
  state.counts.forgetBefore(from);
}

/** @returns the keys of the unit's slots whose counts have changed */
function applySlots(state: HitChartState, event: ChangeEvent, unit: TimeUnit): string[] {
  const changed = new Set<string>();
  for (const [slot, count] of changedSlots(event, storedUnitOf(unit))) {
    if (slot < state.from || state.counts.get(slot) === count) continue;
    state.counts.set(slot, count);
    changed.add(String(slotOf(unit, slot)));
  }
  return [...changed];
}

function countOf(state: HitChartState, unit: TimeUnit, slot: number): number {
  const stored = storedUnitOf(unit);
  const end = nextSlot(unit, slot);
  let sum = 0;
  for (let part = slot; part < end; part = nextSlot(stored, part)) sum += state.counts.get(part);
  return sum;
}
