/** Statistics by slot, followed live up to now: those of campaigns and of zones. */
import { useMemo } from 'react';
import { fillSlots, type Series, slotEnd, slotStart, unitMs } from '../../analytics/chart/slots.js';
import { useClock } from '../../kit/base/clock.js';

export interface StatsSpan {
  readonly last: string;
  readonly ms: number;
  readonly unit: 'HOUR' | 'DAY';
}

export type BySlot<Counts> = ReadonlyMap<number, Counts>;

type Point<Counts> = Counts & { readonly at: string };

/** A snapshot is the whole chart; a change has the new counts of its slots. */
type StatsEvent<Counts> =
  | { readonly stats: { readonly points: readonly Point<Counts>[] } }
  | { readonly points: readonly Point<Counts>[] };

export function applyEvent<Counts>(state: BySlot<Counts> | null, event: StatsEvent<Counts>): BySlot<Counts> {
  const [before, points] = 'stats' in event ? [[], event.stats.points] : [state ?? [], event.points];
  return new Map([...before, ...points.map((point) => [Date.parse(point.at), point] as const)]);
}

export interface SlotStats<Counts> {
  /** Why the server refused to send them; null otherwise. */
  readonly refused: string | null;
  /** Null until they are known. */
  readonly known: { readonly totals: Counts; readonly seriesOf: (count: keyof Counts) => Series } | null;
}

interface Followed<Counts> {
  readonly state: BySlot<Counts> | null;
  readonly refused: string | null;
}

const currentSlots = {
  HOUR: (now: number) => slotStart(now, 'HOUR'),
  DAY: (now: number) => slotStart(now, 'DAY'),
} as const;

/** The part of what is followed that belongs to the period. @param nothing the counts of an empty slot: the same object at each call */
export function useSlots<Counts extends Readonly<Record<keyof Counts, number>>>(
  { state, refused }: Followed<Counts>,
  { ms, unit }: StatsSpan,
  nothing: Counts,
): SlotStats<Counts> {
  const current = useClock(1000, currentSlots[unit]);
  return useMemo(() => {
    if (!state) return { refused, known: null };
    // The server's clock may be ahead of the browser's.
    const newest = Math.max(current, ...state.keys());
    const from = newest - ms + unitMs[unit];
    const shown = [...state].filter(([at]) => at >= from);
    const seriesOf = (count: keyof Counts) =>
      fillSlots(new Map(shown.map(([at, counts]) => [at, counts[count]])), from, slotEnd(newest, unit), unit);
    return { refused, known: { totals: shown.reduce((sum, [, counts]) => add(sum, counts), nothing), seriesOf } };
  }, [state, refused, current, ms, unit, nothing]);
}

function add<Counts extends Readonly<Record<keyof Counts, number>>>(one: Counts, other: Counts): Counts {
  const names = Object.keys(one) as (keyof Counts)[];
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as Counts;
}
