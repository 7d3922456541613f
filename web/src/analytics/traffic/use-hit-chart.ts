/** Charts of one page: live by subscription, or fixed by query. Both return the same kind of series. */
import { useMemo } from 'react';
import { graphql } from '../../../generated/gql.js';
import type { HitChartChangedSubscription, TimeUnit } from '../../../generated/graphql.js';
import type { EventOf } from '../../api/subscription.js';
import { useData } from '../../api/use-data.js';
import { useLive } from '../../api/use-live.js';
import { useClock } from '../../kit/base/clock.js';
import { fillSlots, type Series, slotEnd, slotStart } from '../chart/slots.js';
import { type FixedSpan, presetOf, type Span } from './view.js';

const HitChartChangedDocument = graphql(`
  subscription HitChartChanged($site: String!, $page: String!, $last: Duration!, $unit: TimeUnit!, $after: String) {
    hitChartChanged(site: $site, page: $page, last: $last, unit: $unit, after: $after) {
      __typename
      cursor
      reset
      ... on HitChartSnapshot { chart { points { at count } } }
      ... on HitChartChange { points { at count } }
    }
  }
`);

const HitChartDocument = graphql(`
  query HitChart($site: String!, $page: String!, $range: DateRange!, $unit: TimeUnit!) {
    hitChart(site: $site, page: $page, range: $range, unit: $unit) { points { at count } }
  }
`);

type Counts = ReadonlyMap<number, number>;
type Points = readonly { readonly at: string; readonly count: number }[];

const readPoints = (points: Points) => points.map(({ at, count }) => [Date.parse(at), count] as const);

/** A snapshot is the whole chart; a change contains the new absolute counts of its slots. */
function applyEvent(state: Counts | null, event: EventOf<HitChartChangedSubscription>): Counts {
  if (event.__typename === 'HitChartSnapshot') return new Map(readPoints(event.chart.points));
  return new Map([...(state ?? []), ...readPoints(event.points)]);
}

export interface ChartData {
  /** Null while it is loading. */
  readonly series: Series | null;
  readonly error: string | null;
  /** Refetches; absent for a live chart. */
  readonly again?: () => void;
}

/** A live chart of the time span `last` up to now: new slots arrive by events, old ones drop out as time passes. */
export function useLiveChart(site: string, page: string | null, last: string, unit: TimeUnit): ChartData {
  const variables = page === null ? null : { site, page, last, unit };
  const { state, refused } = useLive(HitChartChangedDocument, variables, applyEvent);
  const current = useCurrentSlot(unit);
  const series = useMemo(() => {
    if (!state) return null;
    const newest = newestSlot(state, current);
    return fillSlots(state, newest - presetOf(last).ms, slotEnd(newest, unit), unit);
  }, [state, current, last, unit]);
  return { series, error: refused };
}

/** The current slot, or a later one that already has hits: the server's clock may be ahead of the browser's. */
function newestSlot(counts: Counts, current: number): number {
  let newest = current;
  for (const start of counts.keys()) newest = Math.max(newest, start);
  return newest;
}

const currentSlot: Record<TimeUnit, (now: number) => number> = {
  MINUTE: (now) => slotStart(now, 'MINUTE'),
  HOUR: (now) => slotStart(now, 'HOUR'),
  DAY: (now) => slotStart(now, 'DAY'),
  WEEK: (now) => slotStart(now, 'WEEK'),
  MONTH: (now) => slotStart(now, 'MONTH'),
};

/** The start of the current slot. */
export const useCurrentSlot = (unit: TimeUnit): number => useClock(1000, currentSlot[unit]);

/** A chart of a fixed range. */
export function useFixedChart(site: string, page: string | null, span: FixedSpan | null): ChartData {
  const { from, to, unit } = span ?? { from: 0, to: 0, unit: 'DAY' };
  const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  const asked = span === null || page === null ? null : { site, page, unit, range };
  const { data, error, again } = useData(HitChartDocument, asked);
  const series = useMemo(
    () => data && fillSlots(new Map(readPoints(data.hitChart.points)), from, to, unit),
    [data, from, to, unit],
  );
  return { series, error, again };
}

/** The chart of the selected span. */
export function useChart(site: string, page: string | null, span: Span): ChartData {
  const isLive = span.kind === 'live';
  const live = useLiveChart(site, isLive ? page : null, isLive ? span.last : 'PT1H', span.unit);
  const fixed = useFixedChart(site, page, isLive ? null : span);
  return isLive ? live : fixed;
}
