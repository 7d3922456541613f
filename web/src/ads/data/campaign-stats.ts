/** The statistics of a campaign: live by slot, and by ad unit. */
import { useEffect, useMemo, useRef } from 'react';
import { graphql } from '../../../generated/gql.js';
import type { CampaignUnitCountsQuery } from '../../../generated/graphql.js';
import { slotEnd, slotStart } from '../../analytics/chart/slots.js';
import { usePolling } from '../../api/polling.js';
import { useData } from '../../api/use-data.js';
import { useLive } from '../../api/use-live.js';
import { useClock } from '../../kit/base/clock.js';
import { useQuiet } from '../../kit/base/use-quiet.js';
import { rangeOf } from './stats-range.js';
import { applyEvent, type SlotStats, type StatsSpan, useSlots } from './stats-slots.js';

const CampaignStatsChangedDocument = graphql(`
  subscription CampaignStatsChanged($id: ID!, $adUnitId: ID, $last: Duration!, $unit: TimeUnit!, $after: String) {
    campaignStatsChanged(id: $id, adUnitId: $adUnitId, last: $last, unit: $unit, after: $after) {
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

/** Follows the statistics of a period up to now. @param adUnitId null for those of the campaign */
export function useCampaignStats(id: string, adUnitId: string | null, span: StatsSpan): SlotStats<Counts> {
  const { last, unit } = span;
  const followed = useLive(CampaignStatsChangedDocument, { id, adUnitId, last, unit }, applyEvent<Counts>);
  return useSlots(followed, span, nothing);
}

const nothing: Counts = { impressions: 0, clicks: 0, conversions: 0, spent: 0 };

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
