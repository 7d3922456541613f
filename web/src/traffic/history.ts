/** All that was ever counted for a page, in few points: the ground of the brush. */
import { useCallback } from 'react';
import { useRefresh } from './refresh.js';
import { DAY_MS, type Series, slotStart } from './slots.js';
import { useCurrentSlot, useFixedChart } from './use-hit-chart.js';
import { bestUnit, fixedSpan } from './view.js';

/** No web server's log is older. */
const EARLIEST_MS = Date.UTC(1995, 0, 1);
const REFRESH_MS = 30_000;

export interface History {
  /** Undefined while it is loading, null when the page has never had a hit. */
  readonly series: Series | null | undefined;
  /** When the last slot with hits begins. */
  readonly latest: number | null;
}

export function useHistory(site: string, page: string | null): History {
  const today = useCurrentSlot('DAY');
  const tomorrow = today + DAY_MS;
  const months = useFixedChart(site, page, fixedSpan(EARLIEST_MS, tomorrow, 'MONTH'));
  const first = months.series?.starts[months.series.counts.findIndex((count) => count > 0)];
  // At least a month, so that a page of yesterday has a brush to move.
  const from = first === undefined ? null : Math.min(first, tomorrow - 30 * DAY_MS);
  const unit = from === null ? 'DAY' : bestUnit(tomorrow - from);
  const detail = useFixedChart(site, page, from === null ? null : fixedSpan(slotStart(from, unit), tomorrow, unit));

  const { again: monthsAgain } = months;
  const { again: detailAgain } = detail;
  const refresh = useCallback(() => {
    monthsAgain?.();
    detailAgain?.();
  }, [monthsAgain, detailAgain]);
  useRefresh(refresh, REFRESH_MS);

  if (months.series && first === undefined) return { series: null, latest: null };
  const series = detail.series ?? undefined;
  return { series, latest: series?.starts[series.counts.findLastIndex((count) => count > 0)] ?? null };
}
