/** The log's collections along the time that they cover, newest first. */
import type { CSSProperties } from 'react';
import { formatBytes, formatCount, formatDate, formatMoment } from '../../kit/base/format.js';
import type { LogCollection } from './growth-data.js';
import { strategyWords } from './strategies.js';
import styles from './timeline.module.css';

/** The minimum width that keeps a bar visible, as a percentage of the whole. */
const WIDTH_MIN = 0.8;

interface Span {
  readonly from: number;
  readonly to: number;
}

export function Timeline({ collections }: { collections: readonly LogCollection[] }) {
  const spans = collections.map(spanOf).filter((span) => span !== null);
  const whole = {
    from: Math.min(Date.now(), ...spans.map(({ from }) => from)),
    to: Math.max(Date.now(), ...spans.map(({ to }) => to)),
  };
  const databases = new Set(collections.map(({ database }) => database));
  return (
    <>
      <ul className={styles.timeline} aria-label="Collections of the log">
        {collections.map((collection) => (
          <Row
            key={`${collection.database}.${collection.name}`}
            collection={collection}
            whole={whole}
            nameDatabase={databases.size > 1}
          />
        ))}
      </ul>
      {spans.length > 0 && (
        <p className={styles.axis} aria-hidden="true">
          <span>{formatDate(whole.from)}</span>
          <span>{formatDate((whole.from + whole.to) / 2)}</span>
          <span>{formatDate(whole.to)}</span>
        </p>
      )}
    </>
  );
}

/** Null while it is empty. */
function spanOf({ oldest, newest }: LogCollection): Span | null {
  return oldest && newest ? { from: Date.parse(oldest), to: Date.parse(newest) } : null;
}

interface RowProps {
  readonly collection: LogCollection;
  readonly whole: Span;
  readonly nameDatabase: boolean;
}

function Row({ collection, whole, nameDatabase }: RowProps) {
  const { name, database, strategy, isActive, events, bytes, dropsAt } = collection;
  const span = spanOf(collection);
  return (
    <li data-active={isActive}>
      <div className={styles.name}>
        <strong>{nameDatabase ? `${database}.${name}` : name}</strong>
        <span className="note">{strategyWords[strategy].name.toLowerCase()}</span>
        {isActive && (
          <span className="badge" data-tone="accent">
            takes new requests
          </span>
        )}
      </div>
      <div className={styles.track}>{span && <span className={styles.bar} style={placeOf(span, whole)} />}</div>
      <p className={styles.facts}>
        <span>
          <strong>{formatCount(events)}</strong> {events === 1 ? 'request' : 'requests'}
        </span>
        <span>
          <strong>{formatBytes(bytes)}</strong> on disk
        </span>
        <span>{span ? `${formatMoment(span.from)} – ${formatMoment(span.to)}` : 'empty'}</span>
        {dropsAt && <span>dropped after {formatMoment(Date.parse(dropsAt))}</span>}
      </p>
    </li>
  );
}

function placeOf({ from, to }: Span, whole: Span): CSSProperties {
  const share = (ms: number) => (100 * ms) / Math.max(1, whole.to - whole.from);
  const width = Math.max(WIDTH_MIN, share(to - from));
  return { left: `${Math.min(share(from - whole.from), 100 - width)}%`, width: `${width}%` };
}
