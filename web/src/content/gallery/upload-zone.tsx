/** Takes photos by drop or from the file dialog, and shows how far their uploads are. */
import { type DragEvent, useRef, useState } from 'react';
import { Icon } from '../../kit/display/icon.js';
import styles from './upload-zone.module.css';
import type { PhotoUpload } from './uploads.js';

interface UploadZoneProps {
  readonly uploads: readonly PhotoUpload[];
  readonly onFiles: (files: Iterable<File>) => void;
  readonly onDismiss: (key: number) => void;
}

export function UploadZone({ uploads, onFiles, onDismiss }: UploadZoneProps) {
  const [over, setOver] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFiles(event.dataTransfer.files);
  };
  return (
    <div className={styles.zone}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same by keyboard */}
      <div
        className={styles.target}
        data-over={over}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Icon name="upload" size={20} />
        <span>Drop photos here, or</span>
        <button type="button" className="button" onClick={() => picker.current?.click()}>
          Choose photos
        </button>
        <input
          ref={picker}
          type="file"
          accept="image/*"
          multiple
          hidden
          aria-label="Photos to upload"
          onChange={(event) => {
            onFiles([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
      </div>
      {uploads.length > 0 && (
        <ul className={styles.uploads} aria-label="Uploads">
          {uploads.map(({ key, name, progress, failure, cancel }) => (
            <li key={key} className={styles.upload} data-failed={failure !== null}>
              <span className="cut">{name}</span>
              {failure === null ? (
                <progress aria-label={`Upload of ${name}`} value={progress} max={1} />
              ) : (
                <span role="alert" className={styles.failure}>
                  {failure}
                </span>
              )}
              <button
                type="button"
                className="button quiet icon small"
                aria-label={failure === null ? `Cancel the upload of ${name}` : `Dismiss ${name}`}
                onClick={failure === null ? cancel : () => onDismiss(key)}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
