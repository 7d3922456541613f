/** The uPlot options of a time chart: bars while they are wide enough to tell apart, otherwise an area. */
import uPlot from 'uplot';
import { readColors } from '../../kit/base/colors.js';
import { timeLabels } from './chart-labels.js';
import type { Measure } from './measure.js';
import { type Series, type SlotUnit, slotEnd } from './slots.js';

/** With more slots than this, bars would be thinner than the gaps between them. */
const BARS_MAX = 150;

export const hasBars = (series: Series<SlotUnit>) => series.starts.length <= BARS_MAX;

/** From the start of the first slot to the end of the last one, in seconds. */
function timeRange({ starts, unit }: Series<SlotUnit>): uPlot.Range.MinMax {
  const first = starts[0] ?? 0;
  return [first / 1000, slotEnd(starts.at(-1) ?? first, unit) / 1000];
}

/** The data for uPlot: the centers of the slots in seconds, so that a bar fills its slot, and the counts. */
export function plotData({ starts, counts, unit }: Series<SlotUnit>): uPlot.AlignedData {
  return [starts.map((start) => (start + slotEnd(start, unit)) / 2000), [...counts]];
}

interface ChartOptions {
  readonly container: HTMLElement;
  /** Returns the current series; called on each draw. */
  readonly series: () => Series<SlotUnit>;
  readonly measure: Measure;
  /** Whether the last slot is still running; its bar is paler. */
  readonly live: boolean;
  readonly onHover: (plot: uPlot) => void;
  /** Called with the range selected with the pointer, in milliseconds. Null: ranges cannot be selected. */
  readonly onSelect: ((from: number, to: number) => void) | null;
}

export function chartOptions({ container, series, measure, live, onHover, onSelect }: ChartOptions): uPlot.Options {
  const colors = readColors(container, ['--chart', '--chart-soft', '--line', '--ink-faint', '--surface']);
  const font = `11px ${getComputedStyle(container).fontFamily}`;
  const axis = { stroke: colors['--ink-faint'], font, ticks: { show: false } };
  const fade = (plot: uPlot) => {
    const { top, height } = plot.bbox;
    const gradient = plot.ctx.createLinearGradient(0, top, 0, top + height);
    gradient.addColorStop(0, withAlpha(colors['--chart'], 0.28));
    gradient.addColorStop(1, withAlpha(colors['--chart'], 0.02));
    return gradient;
  };
  const barColors = (plot: uPlot) => {
    const fills = Array.from<string>({ length: plot.data[0].length }).fill(colors['--chart']);
    if (live) fills[fills.length - 1] = colors['--chart-soft'];
    return fills;
  };
  const bars = hasBars(series());
  return {
    width: container.clientWidth,
    height: container.clientHeight,
    padding: [10, 22, 0, 0], // room for half a label at the end of the time axis
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    legend: { show: false },
    cursor: {
      x: false,
      y: false,
      points: { show: !bars, size: 8, width: 2, stroke: colors['--chart'], fill: colors['--surface'] },
      drag: { x: onSelect !== null, y: false, setScale: false },
    },
    scales: {
      x: { range: () => timeRange(series()) },
      y: { range: (_plot, _min, max) => [0, Math.max(4, (max ?? 0) * 1.06)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 38,
        space: 64,
        values: (_plot, ticks, _axis, _space, every) => timeLabels(ticks, every),
      },
      {
        ...axis,
        grid: { stroke: colors['--line'], width: 1 },
        incrs: [...measure.steps],
        space: 44,
        size: 44,
        values: (_plot, ticks) => ticks.map(measure.tick),
      },
    ],
    series: [
      {},
      bars
        ? {
            width: 0,
            fill: colors['--chart'],
            points: { show: false },
            paths: uPlot.paths.bars?.({
              size: [0.76, 44],
              radius: [0.22, 0],
              disp: { fill: { unit: 3, values: barColors } },
            }) as uPlot.Series.PathBuilder,
          }
        : { width: 1.5, stroke: colors['--chart'], fill: fade, points: { show: false } },
    ],
    hooks: {
      setCursor: [onHover],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width < 4) return; // a click, not a selection
          onSelect?.(plot.posToVal(left, 'x') * 1000, plot.posToVal(left + width, 'x') * 1000);
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
    },
  };
}

const withAlpha = (rgb: string, alpha: number) => `color-mix(in srgb, ${rgb} ${alpha * 100}%, transparent)`;
