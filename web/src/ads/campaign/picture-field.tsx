/** The picture of an ad. */
import { type UploadedPicture, usePictureUpload } from '../../api/picture-upload.js';
import { PictureChoice } from '../../kit/controls/picture-choice.js';
import { Notice } from '../../kit/display/notice.js';
import { ProgressBar } from '../../kit/display/progress-bar.js';

interface PictureFieldProps {
  readonly picture: UploadedPicture | null;
  readonly onChange: (picture: UploadedPicture | null) => void;
  readonly onBusy: (isBusy: boolean) => void;
}

export function PictureField({ picture, onChange, onBusy }: PictureFieldProps) {
  const { share, failure, take } = usePictureUpload(onChange, onBusy);
  return (
    <div className="field">
      <span className="label">Picture</span>
      <PictureChoice
        what="the picture"
        isChosen={picture !== null}
        onFile={(file) => void take(file)}
        onRemove={() => onChange(null)}
      />
      {share !== null && <ProgressBar label="Uploading" share={share} />}
      {failure !== null && <Notice tone="bad">{failure}</Notice>}
    </div>
  );
}
