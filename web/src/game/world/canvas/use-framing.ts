/** Which part of the world is seen: all of it at first, later also the room that was chosen elsewhere. */
import { useCallback, useEffect, useRef } from 'react';
import { BOX, pointOf } from '../../map/grid.js';
import type { Cell } from '../../map/place.js';
import type { View } from '../../map/use-view.js';

interface Framing {
  readonly cells: ReadonlyMap<string, Cell>;
  readonly chosen: string | null;
  readonly size: { readonly width: number; readonly height: number };
  readonly show: (next: View | ((view: View) => View)) => void;
}

const SCALE_MAX = 1.1;
/** A room that is nearer than this to the edge is not well seen. */
const EDGE_PX = 50;

/** @returns shows all rooms */
export function useFraming({ cells, chosen, size, show }: Framing): () => void {
  const { width, height } = size;
  const showAll = useCallback(() => {
    const points = [...cells.values()].map(pointOf);
    if (points.length === 0 || width === 0) return;
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    const [left, right] = [Math.min(...xs) - BOX.width, Math.max(...xs) + BOX.width];
    const [top, bottom] = [Math.min(...ys) - BOX.height * 1.5, Math.max(...ys) + BOX.height * 1.5];
    const scale = Math.min(SCALE_MAX, width / (right - left), height / (bottom - top));
    show({ x: (left + right) / 2, y: (top + bottom) / 2, scale });
  }, [cells, width, height, show]);

  const isFramed = useRef(false);
  useEffect(() => {
    if (isFramed.current || width === 0 || cells.size === 0) return;
    isFramed.current = true;
    showAll();
  }, [cells, width, showAll]);

  const shown = useRef(chosen);
  const cell = chosen === null ? undefined : cells.get(chosen);
  useEffect(() => {
    if (chosen === shown.current || !cell) return;
    shown.current = chosen;
    const { x, y } = pointOf(cell);
    const isNear = (distance: number, span: number) => Math.abs(distance) < span / 2 - EDGE_PX;
    show((view) => {
      const isSeen = isNear((x - view.x) * view.scale, width) && isNear((y - view.y) * view.scale, height);
      return isSeen ? view : { ...view, x, y };
    });
  }, [chosen, cell, show, width, height]);
  return showAll;
}
