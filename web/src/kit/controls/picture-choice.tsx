/** Buttons to choose, replace and remove a picture. */
import { useId } from 'react';
import { Icon } from '../display/icon.js';
import styles from './picture-choice.module.css';

interface PictureChoiceProps {
  /** For screen readers, after "Choose" or "Replace". */
  readonly what: string;
  readonly isChosen: boolean;
  readonly onFile: (file: File | undefined) => void;
  readonly onRemove: () => void;
}

const TYPES = 'image/jpeg,image/png,image/gif,image/webp,image/avif';

export function PictureChoice({ what, isChosen, onFile, onRemove }: PictureChoiceProps) {
  const id = useId();
  return (
    <span className={styles.row}>
      <label className={`button ${styles.choose}`} htmlFor={id}>
        <Icon name="upload" />
        {isChosen ? 'Replace' : 'Choose'} <span className="hidden">{what}</span>
        <input
          id={id}
          type="file"
          accept={TYPES}
          onChange={({ target }) => {
            onFile(target.files?.[0]);
            target.value = '';
          }}
        />
      </label>
      {isChosen && (
        <button type="button" className="button quiet" onClick={onRemove}>
          Remove
        </button>
      )}
    </span>
  );
}
