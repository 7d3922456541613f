/** A value with its history over the last few minutes, one sample per poll. */
import styles from './sparkline.module.css';

/** The width of the line in samples. */
export const SAMPLES_MAX = 60;

interface SparklineProps {
  readonly label: string;
  /** The current value, with its unit. */
  readonly value: string;
  readonly note?: string;
  /** Oldest first. */
  readonly samples: readonly number[];
  /** The minimum of the scale's upper end, so that noise does not look like a problem. */
  readonly scaleMin: number;
}

export function Sparkline({ label, value, note, samples, scaleMin }: SparklineProps) {
  const highest = Math.max(scaleMin, ...samples);
  const offset = SAMPLES_MAX - samples.length;
  const points = samples.map((sample, index) => `${offset + index},${(-sample / highest).toFixed(4)}`);
  return (
    <figure className={styles.sparkline}>
      <figcaption>
        <span>{label}</span>
        <strong>{value}</strong>
        {note && <span className="note">{note}</span>}
      </figcaption>
      <svg aria-hidden="true" viewBox={`0 -1.1 ${SAMPLES_MAX - 1} 1.15`} preserveAspectRatio="none">
        <polyline points={points.join(' ')} vectorEffect="non-scaling-stroke" />
      </svg>
    </figure>
  );
}
