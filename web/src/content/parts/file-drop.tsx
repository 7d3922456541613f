/** An area that takes pictures by drop, and a button beside it that does the same by keyboard. */
import { type DragEvent, type ReactNode, useRef, useState } from 'react';

interface FileDrop {
  /** Of the area. */
  readonly area: {
    readonly 'data-over': boolean;
    readonly onDragOver: (event: DragEvent) => void;
    readonly onDragLeave: () => void;
    readonly onDrop: (event: DragEvent) => void;
  };
  /** Opens the file dialog. */
  readonly choose: () => void;
  /** To be rendered anywhere. */
  readonly picker: ReactNode;
}

/** @param label of the file field */
export function useFileDrop(label: string, multiple: boolean, onFiles: (files: readonly File[]) => void): FileDrop {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  return {
    area: {
      'data-over': over,
      onDragOver: (event) => {
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop: (event) => {
        event.preventDefault();
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      },
    },
    choose: () => input.current?.click(),
    picker: (
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple={multiple}
        hidden
        aria-label={label}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    ),
  };
}
