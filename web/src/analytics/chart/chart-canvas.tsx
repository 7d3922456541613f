/**
 * A time chart on a canvas: hover or use the arrow keys to read values, drag to select a range. The table view has the
 * same numbers.
 */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useStore } from '../../kit/base/store.js';
import { themeStore } from '../../kit/base/theme.js';
import styles from './chart-canvas.module.css';

import { slotLabel } from './chart-labels.js';
import { animateCounts } from './chart-motion.js';
import { chartOptions, hasBars, plotData } from './chart-options.js';
import { hits, type Measure } from './measure.js';
import { type Series, type SlotUnit, slotEnd } from './slots.js';

interface ChartCanvasProps {
  readonly series: Series<SlotUnit>;
  /** What the values measure. */
  readonly measure?: Measure;
  readonly live: boolean;
  /** A description of the chart in words. */
  readonly summary: string;
  /** Called with the range selected with the pointer. Omitted: ranges cannot be selected. */
  readonly onSelect?: (from: number, to: number) => void;
}

export function ChartCanvas({ series, measure = hits, live, summary, onSelect }: ChartCanvasProps) {
  const theme = useStore(themeStore);
  const container = useRef<HTMLDivElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  const band = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  /** What is drawn on the canvas, possibly halfway through the animation. */
  const drawn = useRef<Series<SlotUnit>>(null);
  const latest = useRef({ series, measure, onSelect });
  latest.current = { series, measure, onSelect };
  const [reading, setReading] = useState('');
  const bars = hasBars(series);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the options depend on the theme and the unit
  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const hover = (chart: uPlot) => placeHover(chart, latest.current, tip.current, band.current);
    const chart = new uPlot(
      chartOptions({
        container: element,
        series: () => latest.current.series,
        measure,
        live,
        onHover: hover,
        onSelect: onSelect ? (from, to) => latest.current.onSelect?.(from, to) : null,
      }),
      plotData(latest.current.series),
      element,
    );
    if (band.current && tip.current) chart.over.append(band.current, tip.current);
    plot.current = chart;
    const resize = new ResizeObserver(() => {
      chart.setSize({ width: element.clientWidth, height: element.clientHeight });
    });
    resize.observe(element);
    return () => {
      resize.disconnect();
      chart.destroy();
      plot.current = null;
    };
  }, [bars, live, theme, series.unit, measure]);

  useEffect(() => {
    // Animates only if the slots are the same: otherwise a bar represents another time.
    const same = drawn.current?.starts[0] === series.starts[0] && drawn.current?.unit === series.unit;
    const stop = animateCounts(same && bars ? drawn.current?.counts : undefined, series.counts, (counts) => {
      drawn.current = { ...series, counts };
      plot.current?.setData(plotData(drawn.current));
    });
    if (plot.current) placeHover(plot.current, latest.current, tip.current, band.current);
    return stop;
  }, [series, bars]);

  const read = (event: KeyboardEvent) => {
    const chart = plot.current;
    if (!chart) return;
    const last = series.starts.length - 1;
    const now = chart.cursor.idx ?? null;
    const moves: Record<string, number | null> = {
      ArrowLeft: now === null ? last : Math.max(0, now - 1),
      ArrowRight: now === null ? 0 : Math.min(last, now + 1),
      Home: 0,
      End: last,
      Escape: null,
    };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const x = to === null ? null : chart.data[0][to];
    const left = typeof x === 'number' ? chart.valToPos(x, 'x') : -10;
    chart.setCursor({ left, top: left < 0 ? -10 : 1 });
    setReading(
      to === null ? '' : `${slotLabel(series.starts[to] ?? 0, series.unit)}: ${measure.words(series.counts[to] ?? 0)}`,
    );
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for inputs; this is a chart that is read with the arrow keys
    <div
      className={styles.frame}
      role="group"
      aria-roledescription="chart"
      aria-label={`${summary}. Use the arrow keys to read the values.`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: needs focus for the arrow keys
      tabIndex={0}
      onKeyDown={read}
    >
      <div ref={container} className={styles.canvas} aria-hidden="true" />
      <div hidden>
        <div ref={band} className={styles.band} />
        <div ref={tip} className={styles.tip} />
      </div>
      <span className="hidden" aria-live="polite">
        {reading}
      </span>
    </div>
  );
}

const TIP_GAP = 8;

/** Moves tooltip and highlight to the slot under the pointer. Without React, since it runs on every pointer move. */
function placeHover(
  chart: uPlot,
  { series, measure }: { readonly series: Series<SlotUnit>; readonly measure: Measure },
  tip: HTMLElement | null,
  band: HTMLElement | null,
): void {
  if (!tip || !band) return;
  const index = (chart.cursor.left ?? -1) < 0 ? null : chart.cursor.idx;
  const start = index === null || index === undefined ? undefined : series.starts[index];
  tip.hidden = band.hidden = start === undefined;
  if (start === undefined || index === null || index === undefined) return;
  const from = chart.valToPos(start / 1000, 'x');
  const to = chart.valToPos(slotEnd(start, series.unit) / 1000, 'x');
  band.style.transform = `translateX(${from}px)`;
  band.style.width = `${Math.max(1, to - from)}px`;
  const count = document.createElement('strong');
  count.textContent = measure.words(series.counts[index] ?? 0);
  tip.replaceChildren(count, slotLabel(start, series.unit));
  // Next to the slot, so that it never covers it.
  const right = to + TIP_GAP;
  const left = right + tip.offsetWidth <= chart.over.clientWidth ? right : from - TIP_GAP - tip.offsetWidth;
  tip.style.transform = `translateX(${left}px)`;
}
