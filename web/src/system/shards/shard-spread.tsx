/** The write throughput of a cluster relative to one server, by number of shards. The dashed line is ideal scaling. */

import type { KeyAdvice } from './shard-advice.js';
import styles from './shard-spread.module.css';

/** Both axes are logarithmic, so that ideal scaling is a straight line. */
const place = (times: number) => Math.log2(times);

export function ShardSpread({ spread }: { spread: KeyAdvice['spread'] }) {
  const steps = spread.map(({ shards, hottestShardShare }) => ({ shards, times: 1 / hottestShardShare }));
  const most = place(Math.max(...spread.map(({ shards }) => shards)));
  const points = [{ shards: 1, times: 1 }, ...steps].map(({ shards, times }) => `${place(shards)},${-place(times)}`);
  return (
    <figure className={styles.spread}>
      <figcaption>
        <h3>Write scaling by shards</h3>
        <span className="note">times one shard; dashed: ideal</span>
      </figcaption>
      <svg aria-hidden="true" viewBox={`0 ${-most - 0.1} ${most} ${most + 0.2}`} preserveAspectRatio="none">
        <line x1={0} y1={0} x2={most} y2={-most} vectorEffect="non-scaling-stroke" />
        <polyline points={points.join(' ')} vectorEffect="non-scaling-stroke" />
      </svg>
      <ol>
        {steps.map(({ shards, times }) => (
          <li key={shards}>
            <strong>{times.toFixed(1)}×</strong>
            <span className="note">{shards} shards</span>
          </li>
        ))}
      </ol>
    </figure>
  );
}
