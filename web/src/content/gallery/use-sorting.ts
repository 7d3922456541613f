/**
 * Sorting tiles by hand. With the mouse, a tile is dragged by its picture; by touch, by its handle, so that the page can still be
 * scrolled. With the keyboard, the handle takes the tile with Space or Enter, arrow keys move it, Space or Enter drops it and Escape
 * puts it back. What happens is announced.
 */
import { type KeyboardEvent, type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { PhotoRow } from '../data/photos.js';
import { followPointer } from './pointer-drag.js';
import { insertedAt } from './use-photos.js';

interface Grab {
  readonly id: string;
  /** The index at which it would be dropped. */
  readonly to: number;
}

export interface Sorting {
  readonly grabbed: string | null;
  /** What has happened, for screen readers. */
  readonly news: string;
  /** Of a tile. While one is grabbed, only the style moves it: an element that moves within the document loses focus and touch. */
  readonly tile: (photo: PhotoRow) => {
    readonly style: { readonly order?: number };
    readonly 'data-photo': string;
    readonly 'data-grabbed': boolean;
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  };
  /** Of its handle. */
  readonly handle: (photo: PhotoRow) => {
    readonly 'data-handle': string;
    readonly 'aria-pressed': boolean;
    readonly onClick: (event: MouseEvent<HTMLElement>) => void;
    readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  };
}

export function useSorting(stored: readonly PhotoRow[], place: (id: string, after: string | null) => void): Sorting {
  const [grab, setGrab] = useState<Grab | null>(null);
  const [news, setNews] = useState('');
  const photos = sorted(stored, grab);
  const latest = useRef({ stored, photos, grab });
  const byKeyboard = useRef<string | null>(null);
  latest.current = { stored, photos, grab };
  const grabbed = grab?.id ?? null;

  const placeOf = (index: number) => `place ${index + 1} of ${latest.current.stored.length}`;
  const indexOf = (id: string) => latest.current.stored.findIndex((photo) => photo.id === id);
  const take = ({ id, title }: PhotoRow, isByKeyboard: boolean) => {
    const at = indexOf(id);
    byKeyboard.current = isByKeyboard ? id : null;
    setGrab({ id, to: at });
    setNews(
      isByKeyboard
        ? `${title} is grabbed, ${placeOf(at)}. Arrow keys move it, Space drops it, Escape puts it back.`
        : '',
    );
  };
  const moveTo = ({ id, title }: PhotoRow, index: number) => {
    const to = Math.max(0, Math.min(latest.current.stored.length - 1, index));
    if (to === latest.current.grab?.to) return;
    setGrab({ id, to });
    setNews(`${title}: ${placeOf(to)}`);
  };
  const drop = ({ id, title }: PhotoRow) => {
    const { grab, photos: shown } = latest.current;
    setGrab(null);
    if (!grab) return;
    const to = shown.findIndex((photo) => photo.id === id);
    if (to !== indexOf(id)) place(id, shown[to - 1]?.id ?? null);
    setNews(`${title} is dropped, ${placeOf(to)}.`);
  };
  const cancel = ({ id, title }: PhotoRow) => {
    setGrab(null);
    setNews(`${title} is back, ${placeOf(indexOf(id))}.`);
  };

  // Once it is dropped, its tile moves within the list, which loses the focus.
  useEffect(() => {
    if (byKeyboard.current === null) return;
    const handle = document.querySelector<HTMLElement>(`[data-handle="${CSS.escape(byKeyboard.current)}"]`);
    if (grab === null) byKeyboard.current = null;
    if (document.activeElement === document.body) handle?.focus();
    handle?.scrollIntoView({ block: 'nearest' });
  }, [grab]);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>, photo: PhotoRow) => {
    if (grab?.id !== photo.id) return;
    if (event.key === 'Tab') return cancel(photo);
    const to = event.key === 'Escape' ? null : targetOf(event, grab.to, photos.length);
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (to === null) cancel(photo);
    else moveTo(photo, to);
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>, photo: PhotoRow) => {
    const pressed = event.target as Element;
    const isOnHandle = pressed.closest('[data-handle]') !== null;
    const isOnOther = !isOnHandle && pressed.closest('button') !== null;
    if (event.button !== 0 || isOnOther || !(isOnHandle || event.pointerType === 'mouse')) return;
    followPointer(event.nativeEvent, {
      begin: () => take(photo, false),
      over: (id) => {
        const to = latest.current.photos.findIndex((each) => each.id === id);
        if (to >= 0 && id !== photo.id) moveTo(photo, to);
      },
      drop: () => drop(photo),
      cancel: () => cancel(photo),
    });
  };
  return {
    grabbed,
    news,
    tile: (photo) => ({
      style: grab ? { order: photos.indexOf(photo) } : {},
      'data-photo': photo.id,
      'data-grabbed': photo.id === grabbed,
      onPointerDown: (event) => onPointerDown(event, photo),
    }),
    handle: (photo) => ({
      'data-handle': photo.id,
      'aria-pressed': photo.id === grabbed,
      onClick: ({ detail }) => {
        if (detail > 0) return; // a pointer, which drags
        if (photo.id === grabbed) drop(photo);
        else take(photo, true);
      },
      onKeyDown: (event) => onKeyDown(event, photo),
    }),
  };
}

function sorted(photos: readonly PhotoRow[], grab: Grab | null): readonly PhotoRow[] {
  const photo = grab && photos.find(({ id }) => id === grab.id);
  if (!photo) return photos;
  return insertedAt(
    photos.filter((each) => each !== photo),
    photo,
    grab.to,
  );
}

/** Where a key moves the tile. Undefined: nowhere. */
function targetOf({ key, currentTarget }: KeyboardEvent<HTMLElement>, from: number, length: number) {
  const targets: Readonly<Record<string, () => number>> = {
    ArrowLeft: () => from - 1,
    ArrowRight: () => from + 1,
    ArrowUp: () => from - columnsAround(currentTarget),
    ArrowDown: () => from + columnsAround(currentTarget),
    Home: () => 0,
    End: () => length - 1,
  };
  return targets[key]?.();
}

/** The number of tiles in a row. */
function columnsAround(element: Element): number {
  const tiles = [...(element.closest('ul')?.children ?? [])] as HTMLElement[];
  const top = Math.min(...tiles.map(({ offsetTop }) => offsetTop));
  return tiles.filter(({ offsetTop }) => offsetTop === top).length;
}
