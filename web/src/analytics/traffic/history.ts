/** The complete history of a page in few points, for the brush. */
import { useCallback } from 'react';
import { DAY_MS, type Series, slotEnd } from '../chart/slots.js';
import { useRefresh } from '../sites/refresh.js';
import { useCurrentSlot, useFixedChart } from './use-hit-chart.js';
import { bestUnit, type FixedSpan, fixedSpan } from './view.js';

/** No web server log is older than this. */
const EARLIEST_MS = Date.UTC(1995, 0, 1);
const REFRESH_MS = 30_000;

export interface History {
  /** Undefined while it is loading, null when the page has never had a hit. */
  readonly series: Series | null | undefined;
  readonly busy: Busy | null;
}

/** From the first slot with hits to the end of the last one, which starts at `last`. */
export interface Busy {
  readonly from: number;
  readonly last: number;
  readonly to: number;
}

export function useHistory(site: string, page: string | null): History {
  const today = useCurrentSlot('DAY');
  const months = useFixedChart(site, page, fixedSpan(EARLIEST_MS, today + DAY_MS, 'MONTH'));
  const busyMonths = months.series && busyPart(months.series);
  const detail = useFixedChart(site, page, busyMonths && historySpan(busyMonths, today + DAY_MS));

  const { again: monthsAgain } = months;
  const { again: detailAgain } = detail;
  const refresh = useCallback(() => {
    monthsAgain?.();
    detailAgain?.();
  }, [monthsAgain, detailAgain]);
  useRefresh(refresh, REFRESH_MS);

  if (months.series && !busyMonths) return { series: null, busy: null };
  return { series: detail.series ?? undefined, busy: detail.series && busyPart(detail.series) };
}

/** The day of the latest hits. A long history consists of weeks or months, the last of which may end in the future. */
export function useLatestDay(site: string, page: string | null, { last, to }: Busy): Busy | null {
  const { series } = useFixedChart(site, page, fixedSpan(last, to, 'DAY'));
  return series && busyPart(series);
}

function busyPart({ starts, counts, unit }: Series): Busy | null {
  const from = starts[counts.findIndex((count) => count > 0)];
  const last = starts[counts.findLastIndex((count) => count > 0)];
  return from === undefined || last === undefined ? null : { from, last, to: slotEnd(last, unit) };
}

/** Up to now, unless the hits are so old that they would be a sliver; at least a month, so that the window can move. */
function historySpan({ from, to }: { from: number; to: number }, tomorrow: number): FixedSpan {
  const end = tomorrow - to > to - from ? to : tomorrow;
  const begin = Math.min(from, end - 30 * DAY_MS);
  return fixedSpan(begin, end, bestUnit(end - begin));
}
