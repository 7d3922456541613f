/** The picture of an ad. */
import { useId, useState } from 'react';
import { Icon } from '../../kit/display/icon.js';
import { Notice } from '../../kit/display/notice.js';
import { ProgressBar } from '../../kit/display/progress-bar.js';
import { type AdPicture, uploadAdPicture } from '../data/ad-units.js';
import styles from './picture-field.module.css';

interface PictureFieldProps {
  readonly picture: AdPicture | null;
  readonly onChange: (picture: AdPicture | null) => void;
  readonly onBusy: (isBusy: boolean) => void;
}

const TYPES = 'image/jpeg,image/png,image/gif,image/webp,image/avif';

export function PictureField({ picture, onChange, onBusy }: PictureFieldProps) {
  const id = useId();
  const [share, setShare] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const take = async (file: File | undefined) => {
    if (!file || share !== null) return;
    setFailure(null);
    setShare(0);
    onBusy(true);
    const uploaded = await uploadAdPicture(file, setShare);
    setShare(null);
    onBusy(false);
    if (typeof uploaded === 'string') setFailure(uploaded);
    else onChange(uploaded);
  };
  return (
    <div className="field">
      <span className="label">Picture</span>
      <div className={styles.row}>
        <label className={`button ${styles.choose}`} htmlFor={id}>
          <Icon name="upload" /> {picture ? 'Replace' : 'Choose'} <span className="hidden">the picture</span>
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
      </div>
      {share !== null && <ProgressBar label="Uploading" share={share} />}
      {failure !== null && <Notice tone="bad">{failure}</Notice>}
    </div>
  );
}
