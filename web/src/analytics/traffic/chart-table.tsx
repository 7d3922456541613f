/** The values of a chart as a table, newest first. */
import { useState } from 'react';
import { formatCount } from '../../kit/base/format.js';
import { slotLabel } from '../chart/chart-labels.js';
import { type Series, sum } from '../chart/slots.js';
import styles from './chart-table.module.css';
import { unitNames } from './view.js';

const ROWS_STEP = 100;

export function ChartTable({ series, summary }: { series: Series; summary: string }) {
  const [onlyHits, setOnlyHits] = useState(true);
  const [rowsMax, setRowsMax] = useState(ROWS_STEP);
  const rows = series.starts
    .map((start, index) => ({ start, count: series.counts[index] ?? 0 }))
    .filter(({ count }) => !onlyHits || count > 0)
    .reverse();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section className={styles.scroll} aria-label={summary} tabIndex={0}>
      <table>
        <caption className={styles.caption}>
          <span>{summary}</span>
          <label className="check">
            <input type="checkbox" checked={onlyHits} onChange={(event) => setOnlyHits(event.target.checked)} />
            Hide empty intervals
          </label>
        </caption>
        <thead>
          <tr>
            <th scope="col">Time (UTC), by {unitNames[series.unit]}</th>
            <th scope="col" className="number">
              Hits
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, rowsMax).map(({ start, count }) => (
            <tr key={start}>
              <td>{slotLabel(start, series.unit)}</td>
              <td className="number">{formatCount(count)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td className="number">{formatCount(sum(series.counts))}</td>
          </tr>
        </tfoot>
      </table>
      {rows.length > rowsMax && (
        <button type="button" className="button" onClick={() => setRowsMax(rowsMax + ROWS_STEP)}>
          Show {formatCount(Math.min(ROWS_STEP, rows.length - rowsMax))} more
        </button>
      )}
    </section>
  );
}
