/** Which part of the world is seen: at first all of it, or as much as can be read; later also the room that was chosen. */
import { useCallback, useEffect, useRef } from 'react';
import { BOX, pointOf } from '../../map/grid.js';
import type { Cell } from '../../map/place.js';
import type { View } from '../../map/use-view.js';

interface Framing {
  readonly cells: ReadonlyMap<string, Cell>;
  /** The room that is seen first in a world that is too large. */
  readonly start: string | null;
  readonly chosen: string | null;
  readonly size: { readonly width: number; readonly height: number };
  readonly show: (next: View | ((view: View) => View)) => void;
}

const SCALE_MAX = 1.1;
/** The smallest scale in which the names of rooms can be read. */
const SCALE_READABLE = 0.7;
/** A room that is nearer than this to the edge is not well seen. */
const EDGE_PX = 50;

/** @returns shows all rooms */
export function useFraming({ cells, start, chosen, size, show }: Framing): () => void {
  const { width, height } = size;
  const frame = useCallback((): View | null => {
    const points = [...cells.values()].map(pointOf);
    if (points.length === 0 || width === 0) return null;
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    const [left, right] = [Math.min(...xs) - BOX.width, Math.max(...xs) + BOX.width];
    const [top, bottom] = [Math.min(...ys) - BOX.height * 1.5, Math.max(...ys) + BOX.height * 1.5];
    const scale = Math.min(SCALE_MAX, width / (right - left), height / (bottom - top));
    return { x: (left + right) / 2, y: (top + bottom) / 2, scale };
  }, [cells, width, height]);
  const showAll = useCallback(() => {
    const all = frame();
    if (all) show(all);
  }, [frame, show]);

  const isFramed = useRef(false);
  useEffect(() => {
    const all = isFramed.current ? null : frame();
    if (!all) return;
    isFramed.current = true;
    const first = chosen ?? start;
    const middle = (first === null ? undefined : cells.get(first)) ?? cells.values().next().value;
    show(all.scale >= SCALE_READABLE || !middle ? all : { ...pointOf(middle), scale: SCALE_READABLE });
  }, [cells, chosen, start, frame, show]);

  const shown = useRef(chosen);
  const cell = chosen === null ? undefined : cells.get(chosen);
  useEffect(() => {
    if (chosen === shown.current || !cell) return;
    shown.current = chosen;
    const { x, y } = pointOf(cell);
    const isNear = (distance: number, span: number) => Math.abs(distance) < span / 2 - EDGE_PX;
    show((view) => {
      const isSeen = isNear((x - view.x) * view.scale, width) && isNear((y - view.y) * view.scale, height);
      const isReadable = view.scale >= SCALE_READABLE;
      return isSeen && isReadable ? view : { x, y, scale: Math.max(view.scale, SCALE_READABLE) };
    });
  }, [chosen, cell, show, width, height]);
  return showAll;
}
