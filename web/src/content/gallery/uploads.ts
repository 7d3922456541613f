/** The uploads into one gallery: one after the other, so that each gets the whole bandwidth. */
import { useCallback, useRef, useState } from 'react';
import { uploadPhoto } from '../data/photos.js';

export interface PhotoUpload {
  readonly key: number;
  readonly name: string;
  /** 0 to 1. */
  readonly progress: number;
  /** Null: not failed. */
  readonly failure: string | null;
  readonly cancel: () => void;
}

interface Uploads {
  /** Pending ones, and failed ones until they are dismissed. */
  readonly uploads: readonly PhotoUpload[];
  readonly add: (files: Iterable<File>) => void;
  readonly dismiss: (key: number) => void;
  /** How many have been stored. */
  readonly finished: number;
}

let keys = 0;

export function useUploads(galleryId: string): Uploads {
  const [uploads, setUploads] = useState<readonly PhotoUpload[]>([]);
  const [finished, setFinished] = useState(0);
  const queue = useRef<Promise<void>>(Promise.resolve());
  const dismiss = useCallback((key: number) => setUploads((all) => all.filter((each) => each.key !== key)), []);
  const add = useCallback(
    (files: Iterable<File>) => {
      // The last one first: the list is newest first, and then shows them in the order of the files.
      for (const file of [...files].toReversed()) {
        keys += 1;
        const key = keys;
        const canceled = new AbortController();
        const cancel = () => {
          canceled.abort();
          dismiss(key);
        };
        const change = (to: Partial<PhotoUpload>) =>
          setUploads((all) => all.map((each) => (each.key === key ? { ...each, ...to } : each)));
        setUploads((all) => [{ key, name: file.name, progress: 0, failure: null, cancel }, ...all]);
        queue.current = queue.current.then(async () => {
          if (canceled.signal.aborted) return;
          const failure = await uploadPhoto(galleryId, file, {
            onProgress: (progress) => change({ progress }),
            signal: canceled.signal,
          });
          if (failure !== null) return change({ failure });
          dismiss(key);
          setFinished((count) => count + 1);
        });
      }
    },
    [galleryId, dismiss],
  );
  return { uploads, add, dismiss, finished };
}
