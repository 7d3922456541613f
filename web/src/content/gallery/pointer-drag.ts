/** Follows a pointer that is pressed on a tile, until it is released. Near the upper and lower edge, the page scrolls. */

interface DragSink {
  /** It has moved far enough to be no click. */
  readonly begin: () => void;
  /** It is over the tile with this id. */
  readonly over: (id: string) => void;
  readonly drop: () => void;
  readonly cancel: () => void;
}

const CLICK_PX = 6;
const EDGE_PX = 64;
const SCROLL_PX = 14; // a frame

export function followPointer({ pointerId, clientX, clientY }: PointerEvent, sink: DragSink): void {
  const ended = new AbortController();
  const { signal } = ended;
  let isDragging = false;
  let at = { x: clientX, y: clientY };

  const look = () => {
    const tile = document.elementFromPoint(at.x, at.y)?.closest<HTMLElement>('[data-photo]');
    if (tile?.dataset.photo) sink.over(tile.dataset.photo);
  };
  const scroll = () => {
    if (signal.aborted) return;
    const by = at.y < EDGE_PX ? -SCROLL_PX : at.y > window.innerHeight - EDGE_PX ? SCROLL_PX : 0;
    if (by !== 0) {
      window.scrollBy(0, by);
      look();
    }
    requestAnimationFrame(scroll);
  };
  const end = (how: 'drop' | 'cancel') => {
    ended.abort();
    if (!isDragging) return;
    sink[how]();
    preventClick();
  };

  window.addEventListener(
    'pointermove',
    (event) => {
      if (event.pointerId !== pointerId) return;
      at = { x: event.clientX, y: event.clientY };
      if (!isDragging) {
        if (Math.hypot(at.x - clientX, at.y - clientY) < CLICK_PX) return;
        isDragging = true;
        sink.begin();
        requestAnimationFrame(scroll);
      }
      look();
    },
    { signal },
  );
  window.addEventListener('pointerup', (event) => event.pointerId === pointerId && end('drop'), { signal });
  window.addEventListener('pointercancel', (event) => event.pointerId === pointerId && end('cancel'), { signal });
  window.addEventListener('keydown', (event) => event.key === 'Escape' && end('cancel'), { signal });
}

/** The release of a drag is no click on what is below the pointer. */
function preventClick(): void {
  const stop = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('click', stop, { capture: true, once: true });
  setTimeout(() => window.removeEventListener('click', stop, { capture: true }));
}
