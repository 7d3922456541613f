/** The simulated effects of one shard key, as charts. */

import { formatCount, formatDate, formatShare } from '../../kit/base/format.js';
import { Card } from '../../kit/display/card.js';
import type { KeyAdvice } from './shard-advice.js';
import styles from './shard-key-card.module.css';
import { ShardSpread } from './shard-spread.js';

interface ShardKeyProps {
  readonly advice: KeyAdvice;
  readonly shards: number;
}

export function ShardKeyCard({ advice, shards }: ShardKeyProps) {
  const { key, isRecommended, note, chunks, jumboChunks, chunkMoves, spread } = advice;
  return (
    <Card
      title={<code className={styles.key}>{key}</code>}
      aside={isRecommended && <span className={styles.recommended}>Recommended</span>}
      bodyClass={styles.body}
    >
      {!isRecommended && <p className={styles.reason}>{note}</p>}
      <Shares advice={advice} shards={shards} />
      <Phases advice={advice} shards={shards} />
      <Queries advice={advice} shards={shards} />
      <ShardSpread spread={spread} />
      <dl className={styles.facts}>
        <div>
          <dt>Chunks</dt>
          <dd>{formatCount(chunks)}</dd>
        </div>
        <div data-bad={jumboChunks > 0} title="Too large, with a single key value: they can be neither split nor moved">
          <dt>Jumbo chunks</dt>
          <dd>{formatCount(jumboChunks)}</dd>
        </div>
        <div title="How often the balancer moved a chunk to another shard">
          <dt>Moves</dt>
          <dd>{formatCount(chunkMoves)}</dd>
        </div>
      </dl>
    </Card>
  );
}

/** A shard is hot if it takes this many times its even share. */
const HOT = 1.5;

/** All writes as one bar with a slice per shard. */
function Shares({ advice: { inserts, hottestShardShare }, shards }: ShardKeyProps) {
  const hottest = inserts.find(({ share }) => share === hottestShardShare)?.shard;
  const isHot = hottestShardShare > HOT / shards;
  return (
    <figure className={styles.figure}>
      <figcaption>
        <h3>Writes by shard</h3>
        <span className="note">
          hottest: shard {hottest}, {formatShare(hottestShardShare)} (even: {formatShare(1 / shards)})
        </span>
      </figcaption>
      <div className={styles.shares} aria-hidden="true">
        {inserts
          .filter(({ share }) => share > 0)
          .map(({ shard, share }) => (
            <span
              key={shard}
              style={{ flexGrow: share }}
              data-look={shard === hottest ? (isHot ? 'hot' : 'hottest') : 'usual'}
              title={`Shard ${shard}: ${formatShare(share)}`}
            />
          ))}
      </div>
    </figure>
  );
}

/** The writes over time: a column per phase, a row per shard. Full color is four times the even share. */
function Phases({ advice: { phases, worstPhaseShare }, shards }: ShardKeyProps) {
  const full = Math.min(1, 4 / shards);
  const [from, to] = [phases[0]?.from, phases.at(-1)?.to];
  const cells = phases.flatMap((phase, column) =>
    phase.shares.map(({ shard, share }) => ({ column, shard, look: Math.min(1, share / full) })),
  );
  return (
    <figure className={styles.figure}>
      <figcaption>
        <h3>Over time</h3>
        <span className="note">at worst {formatShare(worstPhaseShare)} on one shard, after the first half</span>
      </figcaption>
      <svg
        className={styles.phases}
        aria-hidden="true"
        viewBox={`0 0 ${phases.length} ${shards}`}
        preserveAspectRatio="none"
      >
        {cells.map(({ column, shard, look }) => (
          <rect key={`${column} ${shard}`} x={column} y={shard} width={0.96} height={0.9} fillOpacity={look} />
        ))}
      </svg>
      <p className={`note ${styles.axis}`}>
        <span>{from ? formatDate(Date.parse(from)) : 'first'}</span>
        <span>one row per shard</span>
        <span>{to ? formatDate(Date.parse(to)) : 'last'}</span>
      </p>
    </figure>
  );
}

function Queries({ advice: { queries }, shards }: ShardKeyProps) {
  return (
    <figure className={styles.figure}>
      <figcaption>
        <h3>Shards per query</h3>
        <span className="note">of {shards}</span>
      </figcaption>
      <ul className={styles.queries}>
        {queries.map(({ name, shardsAsked, shareOfShards }) => (
          <li key={name}>
            <span>{name}</span>
            <span className={styles.track}>
              <span style={{ width: `${100 * shareOfShards}%` }} />
            </span>
            <span className="number">{shardsAsked.toFixed(1)}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
