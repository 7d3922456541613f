/** Takes photos by drop or from the file dialog, and shows how far their uploads are. */
import { Icon } from '../../kit/display/icon.js';
import { useFileDrop } from '../parts/file-drop.js';
import styles from './upload-zone.module.css';
import type { PhotoUpload } from './uploads.js';

interface UploadZoneProps {
  readonly uploads: readonly PhotoUpload[];
  readonly onFiles: (files: Iterable<File>) => void;
  readonly onDismiss: (key: number) => void;
}

export function UploadZone({ uploads, onFiles, onDismiss }: UploadZoneProps) {
  const { area, choose, picker } = useFileDrop('Photos to upload', true, onFiles);
  return (
    <div className={styles.zone}>
      <div className={styles.target} {...area}>
        <Icon name="upload" size={20} />
        <span>Drop photos here, or</span>
        <button type="button" className="button" onClick={choose}>
          Choose photos
        </button>
        {picker}
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
