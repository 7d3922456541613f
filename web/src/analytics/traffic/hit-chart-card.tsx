/** The chart of the selected page, with its totals and the brush over its history. */
import { useState } from 'react';
import { formatCount, formatDate } from '../../kit/base/format.js';
import { Segmented } from '../../kit/controls/segmented.js';
import { Icon } from '../../kit/display/icon.js';
import { Notice } from '../../kit/display/notice.js';
import { Skeleton } from '../../kit/display/skeleton.js';
import { Brush } from '../chart/brush.js';
import { ChartCanvas } from '../chart/chart-canvas.js';
import { sum, unitMs } from '../chart/slots.js';
import { ChartTable } from './chart-table.js';
import { Figures } from './figures.js';
import { type Busy, useHistory, useLatestDay } from './history.js';
import styles from './hit-chart-card.module.css';
import { useChart } from './use-hit-chart.js';
import { fixedSpan, presetOf, type Span, unitNames, unitsFor } from './view.js';

interface HitChartCardProps {
  readonly site: string;
  readonly page: string | null;
  readonly span: Span;
  readonly onSpan: (span: Span) => void;
}

export function HitChartCard({ site, page, span, onSpan }: HitChartCardProps) {
  const [form, setForm] = useState<'chart' | 'table'>('chart');
  const { series, error, again } = useChart(site, page, span);
  const history = useHistory(site, page);
  const live = span.kind === 'live';
  const stretch = live
    ? `in the ${presetOf(span.last).name.toLowerCase()}`
    : `from ${formatDate(span.from)} to ${formatDate(span.to - 1)}`;
  const summary = `Hits on ${page ?? 'the page'} by ${unitNames[span.unit]} ${stretch}`;
  const total = series && sum(series.counts);
  const select = (from: number, to: number) => onSpan(selectedSpan(from, to));

  return (
    <section className="card" aria-label="Hit chart">
      <div className={styles.top}>
        <Figures site={site} page={page} series={series} />
        <Segmented
          label="View"
          value={form}
          onChange={setForm}
          options={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
        />
      </div>
      <div className={styles.stage}>
        {error && (
          <Notice tone="bad" action={again && <AgainButton onClick={again} />}>
            {error}
          </Notice>
        )}
        {!series && !error && <Skeleton height="100%" />}
        {series && form === 'table' && <ChartTable series={series} summary={summary} />}
        {series && form === 'chart' && (
          <ChartCanvas
            series={series}
            live={live}
            summary={`${summary}: ${formatCount(total ?? 0)} in total`}
            onSelect={select}
          />
        )}
        {total === 0 && form === 'chart' && (
          <div className={styles.nothing}>
            <p>No hits {stretch}</p>
            {history.busy && <Latest site={site} page={page} busy={history.busy} onSpan={onSpan} />}
          </div>
        )}
      </div>
      <div className={styles.history}>
        {history.series !== null && <Brush series={history.series} selected={stretchOf(span)} onSelect={select} />}
      </div>
    </section>
  );
}

const AgainButton = ({ onClick }: { onClick: () => void }) => (
  <button type="button" className="button" onClick={onClick}>
    Try again
  </button>
);

/** Widens a selection that is too narrow to at least two slots of the finest unit. */
function selectedSpan(from: number, to: number): Span {
  return fixedSpan(from, Math.max(to, from + 2 * unitMs.MINUTE));
}

const stretchOf = (span: Span) =>
  span.kind === 'live' ? { from: Date.now() - presetOf(span.last).ms, to: Date.now() } : span;

const LATEST_SHOWN_MS = 28 * unitMs.DAY;

interface LatestProps {
  readonly site: string;
  readonly page: string | null;
  readonly busy: Busy;
  readonly onSpan: (span: Span) => void;
}

/** Offers to jump to the latest hits if the range is empty. */
function Latest({ site, page, busy, onSpan }: LatestProps) {
  const latest = useLatestDay(site, page, busy);
  if (!latest) return null;
  const from = Math.max(busy.from, latest.to - LATEST_SHOWN_MS);
  return (
    <>
      <p>The latest hits were on {formatDate(latest.last)}.</p>
      <button type="button" className="button" onClick={() => onSpan(fixedSpan(from, latest.to))}>
        <Icon name="chart" /> Show them
      </button>
    </>
  );
}

interface UnitPickerProps {
  readonly lengthMs: number;
  readonly span: Span;
  readonly onSpan: (span: Span) => void;
}

/** Minute, hour, day, week or month: those that suit the range. */
export function UnitPicker({ lengthMs, span, onSpan }: UnitPickerProps) {
  const units = unitsFor(lengthMs);
  if (units.length < 2) return null;
  return (
    <Segmented
      label="Interval"
      value={span.unit}
      onChange={(unit) => onSpan(span.kind === 'live' ? { ...span, unit } : fixedSpan(span.from, span.to, unit))}
      options={units.map((unit) => ({
        value: unit,
        label: unitNames[unit],
        name: `By ${unitNames[unit]}`,
      }))}
    />
  );
}
