/**
 * A page's whole history in a strip, with a window over it: drag to select a range, drag the window to move it, or use
 * the arrow keys.
 */
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { formatDate } from '../../kit/base/format.js';
import { Skeleton } from '../../kit/display/skeleton.js';
import styles from './brush.module.css';
import { type Series, slotEnd, unitMs } from './slots.js';

interface Stretch {
  readonly from: number;
  readonly to: number;
}

interface BrushProps {
  /** Undefined while it is loading. */
  readonly series: Series | undefined;
  readonly selected: Stretch;
  readonly onSelect: (from: number, to: number) => void;
}

type Grip = 'new' | 'window' | 'from' | 'to';

export function Brush({ series, selected, onSelect }: BrushProps) {
  const track = useRef<HTMLDivElement>(null);
  const drag = useRef<{ grip: Grip; at: number; from: number; to: number } | null>(null);
  const [drawn, setDrawn] = useState<Stretch | null>(null);
  const begin = series?.starts[0];
  if (!series || begin === undefined) {
    return (
      <div className={styles.brush}>
        <Skeleton height="44px" />
      </div>
    );
  }
  const end = slotEnd(series.starts.at(-1) ?? begin, series.unit);
  const step = unitMs[series.unit];
  const shown = drawn ?? selected;
  const outside = shown.to <= begin || shown.from >= end;
  const share = (moment: number) => (100 * (clamp(moment, begin, end) - begin)) / (end - begin);

  const momentAt = (event: PointerEvent) => {
    const box = track.current?.getBoundingClientRect();
    return box ? clamp(begin + ((event.clientX - box.left) / box.width) * (end - begin), begin, end) : begin;
  };
  const take = (event: PointerEvent<HTMLElement>) => {
    const grip = ((event.target as HTMLElement).dataset.grip ?? 'new') as Grip;
    drag.current = { grip, at: momentAt(event), from: shown.from, to: shown.to };
    track.current?.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const held = drag.current;
    if (!held) return;
    const at = momentAt(event);
    const edges: Record<Grip, readonly [number, number]> = {
      new: [held.at, at],
      from: [at, held.to],
      to: [held.from, at],
      window: [held.from, held.to].map((edge) => edge + at - held.at) as [number, number],
    };
    const [one, other] = edges[held.grip];
    setDrawn({ from: Math.min(one, other), to: Math.max(one, other) });
  };
  const release = () => {
    drag.current = null;
    if (drawn && drawn.to - drawn.from > (end - begin) / 500) commit(drawn.from, drawn.to);
    setDrawn(null);
  };
  const commit = (from: number, to: number) => onSelect(clamp(from, begin, end - step), clamp(to, begin + step, end));

  const nudge = (edge: 'from' | 'to') => (event: KeyboardEvent) => {
    const by = { ArrowLeft: -step, ArrowDown: -step, ArrowRight: step, ArrowUp: step }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const moved = { ...selected, [edge]: selected[edge] + by * (event.shiftKey ? 10 : 1) };
    if (moved.from < moved.to) commit(moved.from, moved.to);
  };
  const slider = (edge: 'from' | 'to', label: string) => (
    <div
      className={styles.grip}
      style={{ left: `${share(shown[edge])}%` }}
      data-grip={edge}
      hidden={outside}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={begin}
      aria-valuemax={end}
      aria-valuenow={clamp(shown[edge], begin, end)}
      aria-valuetext={formatDate(shown[edge])}
      onKeyDown={nudge(edge)}
    />
  );

  return (
    <div className={styles.brush}>
      <div
        ref={track}
        className={styles.track}
        onPointerDown={take}
        onPointerMove={move}
        onPointerUp={release}
        onPointerCancel={release}
      >
        <Silhouette series={series} />
        <div
          className={styles.window}
          data-grip="window"
          hidden={outside}
          style={{ left: `${share(shown.from)}%`, width: `max(3px, ${share(shown.to) - share(shown.from)}%)` }}
        />
        {slider('from', 'Start of the range')}
        {slider('to', 'End of the range')}
      </div>
      <div className={styles.ends}>
        <span>{formatDate(begin)}</span>
        <span>Drag to select a range</span>
        <span>{formatDate(end - 1)}</span>
      </div>
    </div>
  );
}

/** The history's outline, stretched to the strip. */
function Silhouette({ series: { counts } }: { series: Series }) {
  const highest = Math.max(1, ...counts);
  const points = counts.map((count, index) => `${index},${-count / highest} ${index + 1},${-count / highest}`);
  return (
    <svg
      className={styles.outline}
      aria-hidden="true"
      viewBox={`0 -1.08 ${counts.length} 1.08`}
      preserveAspectRatio="none"
    >
      <polygon points={`0,0 ${points.join(' ')} ${counts.length},0`} />
    </svg>
  );
}

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);
