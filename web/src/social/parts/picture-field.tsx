/** Uploads a picture, by the button or by dropping it, and shows it. */
import { useId, useState } from 'react';
import { Icon } from '../../kit/display/icon.js';
import { Notice } from '../../kit/display/notice.js';
import { ProgressBar } from '../../kit/display/progress-bar.js';
import { uploadPicture } from '../data/pictures.js';
import styles from './picture-field.module.css';

export interface ShownPicture {
  readonly id: string;
  readonly small: string;
}

interface PictureFieldProps {
  readonly label: string;
  readonly picture: ShownPicture | null;
  readonly onChange: (picture: ShownPicture | null) => void;
  readonly onBusy: (isBusy: boolean) => void;
  readonly isRound?: boolean;
}

const TYPES = 'image/jpeg,image/png,image/gif,image/webp,image/avif';

export function PictureField({ label, picture, onChange, onBusy, isRound = false }: PictureFieldProps) {
  const id = useId();
  const [share, setShare] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const take = async (file: File | undefined) => {
    if (!file || share !== null) return;
    setFailure(null);
    setShare(0);
    onBusy(true);
    const uploaded = await uploadPicture(file, setShare);
    setShare(null);
    onBusy(false);
    if (typeof uploaded === 'string') setFailure(uploaded);
    else onChange(uploaded);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the button
    <div
      className={styles.field}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void take(event.dataTransfer.files[0]);
      }}
    >
      {picture ? (
        <img className={styles.picture} data-round={isRound} src={picture.small} alt={label} />
      ) : (
        <span className={styles.picture} data-round={isRound} data-empty>
          <Icon name="picture" size={22} />
        </span>
      )}
      <div className={styles.acts}>
        <span className={styles.row}>
          <label className={`button ${styles.choose}`} htmlFor={id}>
            <Icon name="upload" />
            {picture ? 'Replace' : 'Choose'} <span className="hidden">{label.toLowerCase()}</span>
            <input
              id={id}
              type="file"
              accept={TYPES}
              onChange={({ target }) => {
                void take(target.files?.[0]);
                target.value = '';
              }}
            />
          </label>
          {picture && (
            <button type="button" className="button quiet" onClick={() => onChange(null)}>
              Remove
            </button>
          )}
        </span>
        {share === null ? (
          <span className="note">JPEG, PNG, GIF, WebP or AVIF. The place where it was taken is removed.</span>
        ) : (
          <ProgressBar label="Uploading" share={share} />
        )}
        {failure !== null && <Notice tone="bad">{failure}</Notice>}
      </div>
    </div>
  );
}
