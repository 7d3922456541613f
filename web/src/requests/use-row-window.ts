/** Which rows of a long list are in sight, where all rows are equally high. Only these are in the document. */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** Drawn above and below what is in sight, so that a quick scroll meets rows and not the ground. */
const MARGIN_ROWS = 14;
/**
 * Browsers draw no element that is much higher than 16 million pixels. The body of a longer list is this high, and stands for another
 * stretch of the list when its end comes near.
 */
const BODY_ROWS_MAX = 200_000;
const BODY_EDGE_ROWS = 20_000;

export interface RowWindow {
  /** The rows to draw: from `first` to before `end`. */
  readonly first: number;
  readonly end: number;
  /** The rows that are seen. */
  readonly seen: { readonly first: number; readonly last: number };
  /** How far below the body's top the first drawn row stands, and how high the body is. Pixels. */
  readonly top: number;
  readonly height: number;
  /** Brings a row into sight by the shortest way. */
  readonly show: (row: number) => void;
}

/** The row at the body's top from which on it stands for the list, when a row is looked at. @param base the one so far */
export function baseFor(row: number, base: number, rows: number): number {
  if (rows <= BODY_ROWS_MAX) return 0;
  const place = row - base;
  const isWithin = (place >= BODY_EDGE_ROWS || base === 0) && place < BODY_ROWS_MAX - BODY_EDGE_ROWS;
  return isWithin ? base : Math.max(0, row - BODY_ROWS_MAX / 2);
}

/** @param headHeight what stands above the rows and stays in sight. Pixels. */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  rows: number,
  rowHeight: number,
  headHeight: number,
): RowWindow {
  const [sight, setSight] = useState({ base: 0, first: 0, last: 0 });
  const latest = useRef({ rows, base: 0 });
  latest.current.rows = rows;

  /** Reads the place, and moves the body on when its end comes near. */
  const look = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const { base, rows } = latest.current;
    const place = Math.floor(element.scrollTop / rowHeight);
    const next = baseFor(base + place, base, rows);
    if (next !== base) element.scrollTop += (base - next) * rowHeight;
    latest.current.base = next;
    const first = base + place;
    const last = first + Math.ceil((element.clientHeight - headHeight) / rowHeight);
    setSight((before) =>
      before.base === next && before.first === first && before.last === last ? before : { base: next, first, last },
    );
  }, [scroller, rowHeight, headHeight]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: with other rows, another body may be needed
  useEffect(look, [look, rows]);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    element.addEventListener('scroll', look, { passive: true });
    const resize = new ResizeObserver(look);
    resize.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      resize.disconnect();
    };
  }, [scroller, look]);

  const show = useCallback(
    (row: number) => {
      const element = scroller.current;
      if (!element) return;
      const base = baseFor(row, latest.current.base, latest.current.rows);
      if (base !== latest.current.base) element.scrollTop += (latest.current.base - base) * rowHeight;
      latest.current.base = base;
      const top = (row - base) * rowHeight;
      const lowest = top + rowHeight - (element.clientHeight - headHeight);
      if (element.scrollTop > top) element.scrollTop = top;
      else if (element.scrollTop < lowest) element.scrollTop = lowest;
      look();
    },
    [scroller, look, rowHeight, headHeight],
  );

  const first = Math.max(sight.base, sight.first - MARGIN_ROWS);
  return {
    first,
    end: Math.min(rows, sight.last + MARGIN_ROWS),
    seen: { first: sight.first, last: Math.min(rows - 1, sight.last - 1) },
    top: (first - sight.base) * rowHeight,
    height: Math.min(rows - sight.base, BODY_ROWS_MAX) * rowHeight,
    show,
  };
}
