/** The statistics of a campaign: live by slot, and by ad unit. */
import { useEffect, useMemo, useRef } from 'react';
import { graphql } from '../../../generated/gql.js';
import type { CampaignStatsChangedSubscription, CampaignUnitCountsQuery } from '../../../generated/graphql.js';
import { fillSlots, type Series, slotEnd, slotStart, unitMs } from '../../analytics/chart/slots.js';
import { usePolling } from '../../api/polling.js';
import type { EventOf } from '../../api/subscription.js';
import { useData } from '../../api/use-data.js';
import { useLive } from '../../api/use-live.js';
import { useClock } from '../../kit/base/clock.js';
import { useQuiet } from '../../kit/base/use-quiet.js';
import { rangeOf } from './stats-range.js';

const CampaignStatsChangedDocument = graphql(`
  subscription CampaignStatsChanged($id: ID!, $last: Duration!, $unit: TimeUnit!, $after: String) {
    campaignStatsChanged(id: $id, last: $last, unit: $unit, after: $after) {
      __typename
      cursor
      reset
      ... on CampaignStatsSnapshot { stats { points { at impressions clicks conversions spent } } }
      ... on CampaignStatsChange { points { at impressions clicks conversions spent } }
    }
  }
`);

const CampaignUnitCountsDocument = graphql(`
  query CampaignUnitCounts($id: ID!, $range: DateRange!) {
    campaignStats(id: $id, range: $range, unit: DAY) {
      byAdUnit { adUnitId impressions clicks spent }
    }
  }
`);

/** The counts of a slot. */
export interface Counts {
  readonly impressions: number;
  readonly clicks: number;
  readonly conversions: number;
  /** Thousandths of a minor unit. */
  readonly spent: number;
}

type Event = EventOf<CampaignStatsChangedSubscription>;
type Points = Extract<Event, { readonly __typename: 'CampaignStatsChange' }>['points'];
type BySlot = ReadonlyMap<number, Counts>;

const readPoints = (points: Points) => points.map(({ at, ...counts }) => [Date.parse(at), counts] as const);

/** A snapshot is the whole chart; a change has the new counts of its slots. */
function applyEvent(state: BySlot | null, event: Event): BySlot {
  if (event.__typename === 'CampaignStatsSnapshot') return new Map(readPoints(event.stats.points));
  return new Map([...(state ?? []), ...readPoints(event.points)]);
}

export interface StatsSpan {
  readonly last: string;
  readonly ms: number;
  readonly unit: 'HOUR' | 'DAY';
}

const currentSlots = {
  HOUR: (now: number) => slotStart(now, 'HOUR'),
  DAY: (now: number) => slotStart(now, 'DAY'),
} as const;

export interface CampaignStats {
  /** Why the server refused to send them; null otherwise. */
  readonly refused: string | null;
  /** Null until they are known. */
  readonly known: { readonly totals: Counts; readonly seriesOf: (count: keyof Counts) => Series } | null;
}

/** Follows the statistics of a period up to now. */
export function useCampaignStats(id: string, { last, ms, unit }: StatsSpan): CampaignStats {
  const { state, refused } = useLive(CampaignStatsChangedDocument, { id, last, unit }, applyEvent);
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
  }, [state, refused, current, ms, unit]);
}

const nothing: Counts = { impressions: 0, clicks: 0, conversions: 0, spent: 0 };

const add = (one: Counts, other: Counts): Counts => ({
  impressions: one.impressions + other.impressions,
  clicks: one.clicks + other.clicks,
  conversions: one.conversions + other.conversions,
  spent: one.spent + other.spent,
});

export type UnitCounts = NonNullable<CampaignUnitCountsQuery['campaignStats']>['byAdUnit'][number];

const POLL_MS = 5_000;
const tomorrow = (now: number) => slotEnd(slotStart(now, 'DAY'), 'DAY');

/**
 * The counts of the ad units since the campaign was started, by their ids.
 * @param totals of the campaign, live: the counts are asked for again when they change @returns null until they are known
 */
export function useUnitCounts(
  id: string,
  flight: { readonly from: string },
  totals: Counts | null,
): ReadonlyMap<string, UnitCounts> | null {
  const until = useClock(POLL_MS, tomorrow);
  const { data, again } = useData(CampaignUnitCountsDocument, { id, range: rangeOf(flight, until) });
  usePolling(again, POLL_MS);
  const changed = useQuiet(totals ? Object.values(totals).join() : '');
  const asked = useRef('');
  useEffect(() => {
    if (asked.current !== '' && changed !== asked.current) again();
    asked.current = changed;
  }, [changed, again]);
  return useMemo(
    () => data && new Map((data.campaignStats?.byAdUnit ?? []).map((counts) => [counts.adUnitId, counts])),
    [data],
  );
}
