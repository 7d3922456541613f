/** Virtual scrolling for a long list with rows of equal height: only visible rows are in the document. */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { BODY_ROWS_MAX, baseFor } from './row-body.js';

/** Drawn above and below the visible rows, so that a fast scroll shows rows instead of a blank area. */
const MARGIN_ROWS = 14;
export interface RowWindow {
  /** The rows to draw: from `first` to before `end`. */
  readonly first: number;
  readonly end: number;
  /** The visible rows. */
  readonly seen: { readonly first: number; readonly last: number };
  /** The offset of the first drawn row from the body's top, and the height of the body. In pixels. */
  readonly top: number;
  readonly height: number;
  /** Scrolls a row into view over the shortest distance. */
  readonly show: (row: number) => void;
}

/** The row at the body's top, and the visible rows. */
interface Sight {
  readonly base: number;
  readonly first: number;
  readonly last: number;
}

const isSame = (left: Sight, right: Sight) =>
  left.base === right.base && left.first === right.first && left.last === right.last;

/** @param headHeight the height of the sticky header above the rows. In pixels. */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  rows: number,
  rowHeight: number,
  headHeight: number,
): RowWindow {
  const [sight, setSight] = useState<Sight>({ base: 0, first: 0, last: 0 });
  const latest = useRef({ rows, base: 0 });
  latest.current.rows = rows;

  const see = useCallback((next: Sight) => {
    const isMoved = next.base !== latest.current.base;
    latest.current.base = next.base;
    const tell = () => setSight((before) => (isSame(before, next) ? before : next));
    if (isMoved)
      flushSync(tell); // otherwise the next frame would show a body without rows
    else tell();
  }, []);

  /**
   * Reads the scroll position.
   * @param mayMove whether the body may shift when its end is near: not while React renders, since a shift forces a
   *   render
   */
  const look = useCallback(
    (mayMove: boolean) => {
      const element = scroller.current;
      if (!element) return;
      const { scrollTop, clientHeight } = element;
      const { base, rows } = latest.current;
      const first = base + Math.floor(scrollTop / rowHeight);
      const last = first + Math.ceil((clientHeight - headHeight) / rowHeight);
      const next = mayMove ? baseFor(first, base, rows) : base;
      see({ base: next, first, last });
      if (next !== base) element.scrollTop = scrollTop + (base - next) * rowHeight;
    },
    [scroller, see, rowHeight, headHeight],
  );

  useEffect(() => {
    look(false);
    const element = scroller.current;
    if (!element) return;
    const move = () => look(true);
    element.addEventListener('scroll', move, { passive: true });
    const resize = new ResizeObserver(move);
    resize.observe(element);
    return () => {
      element.removeEventListener('scroll', move);
      resize.disconnect();
    };
  }, [scroller, look]);

  const show = useCallback(
    (row: number) => {
      const element = scroller.current;
      if (!element) return;
      const { scrollTop, clientHeight } = element;
      const { base, rows } = latest.current;
      const next = baseFor(row, base, rows);
      if (next !== base) see({ base: next, first: row, last: row + 1 });
      const highest = (row - next) * rowHeight;
      const lowest = highest + rowHeight - (clientHeight - headHeight);
      element.scrollTop = Math.min(highest, Math.max(lowest, scrollTop + (base - next) * rowHeight));
      look(true);
    },
    [scroller, see, look, rowHeight, headHeight],
  );

  const first = Math.max(sight.base, sight.first - MARGIN_ROWS);
  return {
    first,
    end: Math.min(rows, sight.last + MARGIN_ROWS),
    seen: { first: sight.first, last: Math.min(rows - 1, sight.last - 1) },
    top: (first - sight.base) * rowHeight,
    height: Math.max(0, Math.min(rows - sight.base, BODY_ROWS_MAX)) * rowHeight,
    show,
  };
}
