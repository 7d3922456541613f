/** How far the change stream was behind the database, poll by poll. */
import { formatCount } from '../parts/format.js';
import styles from './lag-chart.module.css';

interface LagChartProps {
  /** Milliseconds, oldest first. */
  readonly lags: readonly number[];
  readonly now: number;
  readonly samplesMax: number;
  readonly everyMs: number;
}

/** Below this the line stays low, so that noise of a few milliseconds does not look like trouble. */
const SCALE_MIN_MS = 50;

export function LagChart({ lags, now, samplesMax, everyMs }: LagChartProps) {
  const highest = Math.max(SCALE_MIN_MS, ...lags);
  const offset = samplesMax - lags.length;
  const points = lags.map((lag, index) => `${offset + index},${(-lag / highest).toFixed(4)}`);
  const minutes = Math.round((samplesMax * everyMs) / 60_000);
  return (
    <figure className={styles.lag}>
      <figcaption>
        <span>Lag</span>
        <strong>{formatCount(now)} ms</strong>
        <span className="note">
          at most {formatCount(Math.max(0, ...lags))} ms in the last {minutes} min shown
        </span>
      </figcaption>
      <svg aria-hidden="true" viewBox={`0 -1.1 ${samplesMax - 1} 1.15`} preserveAspectRatio="none">
        <polyline points={points.join(' ')} vectorEffect="non-scaling-stroke" />
      </svg>
    </figure>
  );
}
