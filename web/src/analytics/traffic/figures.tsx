/** Hit totals above the chart. */
import { useClock } from '../../kit/base/clock.js';
import { formatCount } from '../../kit/base/format.js';
import { Skeleton } from '../../kit/display/skeleton.js';
import { MINUTE_MS, type Series, sum } from '../chart/slots.js';
import styles from './figures.module.css';
import { useLiveChart } from './use-hit-chart.js';

interface FiguresProps {
  readonly site: string;
  readonly page: string | null;
  /** The series of the chart. */
  readonly series: Series | null;
}

export function Figures({ site, page, series }: FiguresProps) {
  const minutes = useLiveChart(site, page, 'PT1H', 'MINUTE').series;
  const hours = useLiveChart(site, page, 'P1D', 'HOUR').series;
  const secondOfMinute = useClock(1000, (now) => Math.floor((now % MINUTE_MS) / 1000));
  return (
    <dl className={styles.figures}>
      <Figure
        label="In the chart"
        value={series && sum(series.counts)}
        title="All hits in the range of the chart"
        strong
      />
      <Figure
        label="Last 60 s"
        value={minutes && lastMinute(minutes, secondOfMinute)}
        title="The current minute, plus a share of the previous one to make up 60 seconds"
      />
      <Figure
        label="Last hour"
        value={minutes && sum(minutes.counts.slice(-60))}
        title="60 minutes, including the current one"
      />
      <Figure
        label="Last 24 h"
        value={hours && sum(hours.counts.slice(-24))}
        title="24 hours, including the current one"
      />
    </dl>
  );
}

/** Hits are counted by minute: the previous minute's seconds are estimated by its share. */
function lastMinute({ counts }: Series, secondOfMinute: number): number {
  return Math.round((counts.at(-1) ?? 0) + ((counts.at(-2) ?? 0) * (60 - secondOfMinute)) / 60);
}

interface FigureProps {
  readonly label: string;
  readonly value: number | null;
  readonly title: string;
  readonly strong?: boolean;
}

function Figure({ label, value, title, strong = false }: FigureProps) {
  return (
    <div className={`${styles.figure} ${strong ? styles.strong : ''}`} title={title}>
      <dt>{label}</dt>
      <dd>{value === null ? <Skeleton width="3.5ch" height="0.8em" /> : formatCount(value)}</dd>
    </div>
  );
}
