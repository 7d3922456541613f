/** Follows a pointer that is pressed on a part of the drawing, until it is released. */
import type { PointerEvent as ReactPointerEvent } from 'react';

interface PressSink {
  readonly move: (event: PointerEvent) => void;
  /** @param moved whether it was more than a click */
  readonly end: (event: PointerEvent, moved: boolean) => void;
  readonly cancel: () => void;
}

const CLICK_PX = 5;

export function followPress(start: ReactPointerEvent, sink: PressSink): void {
  const { pointerId, clientX, clientY } = start;
  start.stopPropagation(); // the drawing itself stays where it is
  const ended = new AbortController();
  const { signal } = ended;
  let moved = false;
  const stop = () => ended.abort();
  window.addEventListener(
    'pointermove',
    (event) => {
      if (event.pointerId !== pointerId) return;
      moved ||= Math.hypot(event.clientX - clientX, event.clientY - clientY) > CLICK_PX;
      if (moved) sink.move(event);
    },
    { signal },
  );
  window.addEventListener(
    'pointerup',
    (event) => {
      if (event.pointerId !== pointerId) return;
      stop();
      sink.end(event, moved);
    },
    { signal },
  );
  const cancel = () => {
    stop();
    sink.cancel();
  };
  window.addEventListener('pointercancel', (event) => event.pointerId === pointerId && cancel(), { signal });
  window.addEventListener('keydown', (event) => event.key === 'Escape' && cancel(), { signal });
}
