/** Uploads a picture, by the button or by dropping it, and shows it. */
import { type UploadedPicture, usePictureUpload } from '../../api/picture-upload.js';
import { PictureChoice } from '../../kit/controls/picture-choice.js';
import { Icon } from '../../kit/display/icon.js';
import { Notice } from '../../kit/display/notice.js';
import { ProgressBar } from '../../kit/display/progress-bar.js';
import styles from './picture-field.module.css';

interface PictureFieldProps {
  readonly label: string;
  readonly picture: UploadedPicture | null;
  readonly onChange: (picture: UploadedPicture | null) => void;
  readonly onBusy: (isBusy: boolean) => void;
  readonly isRound?: boolean;
}

export function PictureField({ label, picture, onChange, onBusy, isRound = false }: PictureFieldProps) {
  const { share, failure, take } = usePictureUpload(onChange, onBusy);
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
        <PictureChoice
          what={label.toLowerCase()}
          isChosen={picture !== null}
          onFile={(file) => void take(file)}
          onRemove={() => onChange(null)}
        />
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
