/** The statistics of a zone, live by slot. */
import { graphql } from '../../../generated/gql.js';
import { useLive } from '../../api/use-live.js';
import { applyEvent, type SlotStats, type StatsSpan, useSlots } from './stats-slots.js';
import type { ZoneName } from './zones.js';

const ZoneStatsChangedDocument = graphql(`
  subscription ZoneStatsChanged($site: String!, $zone: String!, $last: Duration!, $unit: TimeUnit!, $after: String) {
    zoneStatsChanged(site: $site, zone: $zone, last: $last, unit: $unit, after: $after) {
      __typename
      cursor
      reset
      ... on ZoneStatsSnapshot { stats { points { at decisions filled impressions clicks conversions earned } } }
      ... on ZoneStatsChange { points { at decisions filled impressions clicks conversions earned } }
    }
  }
`);

/** The counts of a slot. */
export interface ZoneCounts {
  readonly decisions: number;
  readonly filled: number;
  readonly impressions: number;
  readonly clicks: number;
  readonly conversions: number;
  /** Thousandths of a minor unit. */
  readonly earned: number;
}

/** Follows the statistics of a period up to now. */
export function useZoneStats({ site, zone }: ZoneName, span: StatsSpan): SlotStats<ZoneCounts> {
  const { last, unit } = span;
  return useSlots(useLive(ZoneStatsChangedDocument, { site, zone, last, unit }, applyEvent<ZoneCounts>), span, nothing);
}

const nothing: ZoneCounts = { decisions: 0, filled: 0, impressions: 0, clicks: 0, conversions: 0, earned: 0 };
