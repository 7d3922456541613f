/** A figure with its last few minutes, poll by poll. */
import styles from './sparkline.module.css';

interface SparklineProps {
  readonly label: string;
  /** The figure now, with its unit. */
  readonly value: string;
  readonly note?: string;
  /** Oldest first. */
  readonly samples: readonly number[];
  /** How many samples the line is wide. */
  readonly samplesMax: number;
  /** Below this the line stays low, so that noise does not look like trouble. */
  readonly scaleMin: number;
}

export function Sparkline({ label, value, note, samples, samplesMax, scaleMin }: SparklineProps) {
  const highest = Math.max(scaleMin, ...samples);
  const offset = samplesMax - samples.length;
  const points = samples.map((sample, index) => `${offset + index},${(-sample / highest).toFixed(4)}`);
  return (
    <figure className={styles.sparkline}>
      <figcaption>
        <span>{label}</span>
        <strong>{value}</strong>
        {note && <span className="note">{note}</span>}
      </figcaption>
      <svg aria-hidden="true" viewBox={`0 -1.1 ${samplesMax - 1} 1.15`} preserveAspectRatio="none">
        <polyline points={points.join(' ')} vectorEffect="non-scaling-stroke" />
      </svg>
    </figure>
  );
}
