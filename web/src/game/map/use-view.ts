/** The part of a drawing that is seen: moved with the pointer, zoomed with the wheel, two fingers or buttons. */
import { type PointerEvent, useCallback, useEffect, useRef, useState } from 'react';
import type { Point } from './grid.js';

export interface View {
  /** The point of the drawing in the middle of the window. */
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

const SCALE_MIN = 0.15;
const SCALE_MAX = 2.5;
const CLICK_PX = 5;

const bounded = (scale: number) => Math.min(SCALE_MAX, Math.max(SCALE_MIN, scale));

export function useView(first: View) {
  const [view, setView] = useState(first);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [element, setElement] = useState<SVGSVGElement | null>(null);
  const current = useRef(view);
  current.current = view;

  useEffect(() => {
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);

  /** The point of the drawing below a point of the page. */
  const pointAt = useCallback(
    (clientX: number, clientY: number): Point => {
      const { left, top, width, height } = element?.getBoundingClientRect() ?? new DOMRect();
      const { x, y, scale } = current.current;
      return { x: x + (clientX - left - width / 2) / scale, y: y + (clientY - top - height / 2) / scale };
    },
    [element],
  );
  /** @param around stays where it is */
  const zoom = useCallback((by: number, around?: Point) => {
    setView(({ x, y, scale }) => {
      const next = bounded(scale * by);
      const fixed = around ?? { x, y };
      const kept = scale / next;
      return { x: fixed.x + (x - fixed.x) * kept, y: fixed.y + (y - fixed.y) * kept, scale: next };
    });
  }, []);

  useEffect(() => {
    if (!element) return;
    const turn = (event: WheelEvent) => {
      event.preventDefault(); // the page must not scroll, for which React's listener is too late
      zoom(Math.exp(-event.deltaY / 500), pointAt(event.clientX, event.clientY));
    };
    element.addEventListener('wheel', turn, { passive: false });
    return () => element.removeEventListener('wheel', turn);
  }, [element, zoom, pointAt]);

  return {
    ref: setElement,
    element,
    view,
    size,
    pointAt,
    zoom,
    show: setView,
    transform: `translate(${size.width / 2} ${size.height / 2}) scale(${view.scale}) translate(${-view.x} ${-view.y})`,
    drag: useDrag(setView, zoom, pointAt),
  };
}

/** The listeners of the drawing by which it is moved. What was moved is no click. */
function useDrag(
  setView: (next: (view: View) => View) => void,
  zoom: (by: number, around?: Point) => void,
  pointAt: (clientX: number, clientY: number) => Point,
) {
  const fingers = useRef(new Map<number, Point>());
  const moved = useRef(0);
  const spread = () => {
    const [a, b] = [...fingers.current.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  };
  const down = ({ pointerId, clientX, clientY }: PointerEvent) => {
    if (fingers.current.size === 0) moved.current = 0;
    fingers.current.set(pointerId, { x: clientX, y: clientY });
  };
  const move = (event: PointerEvent<SVGSVGElement>) => {
    const before = fingers.current.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before.x, event.clientY - before.y];
    const was = spread();
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    moved.current += Math.hypot(dx, dy);
    if (moved.current > CLICK_PX) event.currentTarget.setPointerCapture(event.pointerId);
    if (fingers.current.size === 2 && was > 0) zoom(spread() / was, pointAt(event.clientX, event.clientY));
    else setView(({ x, y, scale }) => ({ x: x - dx / scale, y: y - dy / scale, scale }));
  };
  const up = ({ pointerId }: PointerEvent) => fingers.current.delete(pointerId);
  return {
    /** Whether the last press has moved the drawing. */
    hasMoved: () => moved.current > CLICK_PX,
    onPointerDown: down,
    onPointerMove: move,
    onPointerUp: up,
    onPointerCancel: up,
  };
}
