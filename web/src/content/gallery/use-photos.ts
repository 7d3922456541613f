/**
 * The photos of a gallery in its order. What the user places is shown there at once, and goes back if the server refuses it. The list
 * is read again when the order changes elsewhere.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import { usePolling } from '../../api/polling.js';
import { useLive } from '../../api/use-live.js';
import { GalleryChangedDocument, type GalleryPhotos, type PhotoRow, placePhoto, readPhotos } from '../data/photos.js';

const POLL_MS = 15_000; // photos that are new or edited elsewhere

interface Placing {
  readonly id: string;
  /** Null: it becomes the first one. */
  readonly after: string | null;
}

export interface Photos {
  /** Null until they are read for the first time. */
  readonly data: GalleryPhotos | null;
  /** Why they could not be read. */
  readonly error: string | null;
  /** Why the last placing was taken back. */
  readonly refusal: string | null;
  readonly again: () => void;
  readonly showMore: () => void;
  readonly place: (id: string, after: string | null) => void;
}

const count = (events: number | null): number => (events ?? 0) + 1;

/** @param ownOnly only those of the viewer, who places none */
export function usePhotos(galleryId: string, ownOnly: boolean): Photos {
  const [read, setRead] = useState<GalleryPhotos | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [placings, setPlacings] = useState<readonly Placing[]>([]);
  const pages = useRef(1);
  const reads = useRef(0);
  const queue = useRef<Promise<void>>(Promise.resolve());

  const load = useCallback(async () => {
    reads.current += 1;
    const turn = reads.current;
    const outcome = await readPhotos(galleryId, ownOnly, pages.current);
    if (turn !== reads.current) return; // a later one has begun
    if (typeof outcome === 'string') return setError(outcome);
    setError(null);
    setRead(outcome);
  }, [galleryId, ownOnly]);
  const again = useCallback(() => void load(), [load]);

  const { state: events } = useLive(GalleryChangedDocument, { id: galleryId }, count);
  useEffect(again, [again]);
  useEffect(() => {
    if (events !== null) again();
  }, [events, again]);
  usePolling(again, POLL_MS);

  const place = useCallback(
    (id: string, after: string | null) => {
      const placing: Placing = { id, after };
      setRefusal(null);
      setPlacings((all) => [...all, placing]);
      // One after the other: each was made in the order that those before it lead to.
      queue.current = queue.current.then(async () => {
        const failure = await placePhoto(id, after);
        reads.current += 1; // what is being read now may be older
        setRead((before) => (failure === null && before ? placed(before, placing) : before));
        setPlacings((all) => all.filter((each) => each !== placing));
        if (failure !== null) setRefusal(failure);
        again();
      });
    },
    [again],
  );

  const data = read && placings.reduce(placed, read);
  const showMore = () => {
    pages.current += 1;
    again();
  };
  return { data, error, refusal, again, showMore, place };
}

/** As it will be on the server. */
function placed(before: GalleryPhotos, { id, after }: Placing): GalleryPhotos {
  const photo = before.photos.find((each) => each.id === id);
  const others = before.photos.filter((each) => each.id !== id);
  const at = after === null ? 0 : others.findIndex((each) => each.id === after) + 1;
  if (!photo || (after !== null && at === 0)) return before;
  return { ...before, isNewestFirst: false, photos: insertedAt(others, photo, at) };
}

export const insertedAt = (others: readonly PhotoRow[], photo: PhotoRow, at: number): readonly PhotoRow[] => [
  ...others.slice(0, at),
  photo,
  ...others.slice(at),
];
