/** Other pictures for photos of a gallery: one file dialog for all, and how far each upload is. */
import { type ReactNode, useRef, useState } from 'react';
import { type PhotoRow, replacePhoto } from '../data/photos.js';

interface Replacements {
  /** Opens the file dialog for a photo. */
  readonly choose: (photo: PhotoRow) => void;
  /** How far the upload for each photo is, 0 to 1. */
  readonly progress: ReadonlyMap<string, number>;
  /** Why the last one has failed. */
  readonly failure: string | null;
  /** To be rendered anywhere. */
  readonly picker: ReactNode;
}

export function useReplacements(onReplaced: () => void): Replacements {
  const input = useRef<HTMLInputElement>(null);
  const target = useRef<PhotoRow | null>(null);
  const [progress, setProgress] = useState<ReadonlyMap<string, number>>(new Map());
  const [failure, setFailure] = useState<string | null>(null);

  const replace = async ({ id, title }: PhotoRow, file: File) => {
    const report = (share: number) => setProgress((all) => new Map(all).set(id, share));
    setFailure(null);
    report(0);
    const reason = await replacePhoto(id, file, { onProgress: report });
    setProgress((all) => new Map([...all].filter(([each]) => each !== id)));
    if (reason === null) onReplaced();
    else setFailure(`${title} still has its old picture. ${file.name}: ${reason}`);
  };
  return {
    progress,
    failure,
    choose: (photo) => {
      target.current = photo;
      input.current?.click();
    },
    picker: (
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label="Another picture"
        onChange={({ target: { files } }) => {
          const [file] = files ?? [];
          if (file && target.current) void replace(target.current, file);
          if (input.current) input.current.value = '';
        }}
      />
    ),
  };
}
