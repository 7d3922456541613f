/** The picture of a post or a photo: chosen or dropped, uploaded, then saved with the node. */
import { useState } from 'react';
import { Icon } from '../../kit/display/icon.js';
import { Notice } from '../../kit/display/notice.js';
import { type Picture, uploadPicture } from '../data/pictures.js';
import { useFileDrop } from '../parts/file-drop.js';
import type { SavedNode } from '../saver/use-saver.js';
import styles from './picture-field.module.css';

export function PictureField({ saved: { saver, state, node } }: { readonly saved: SavedNode }) {
  const [uploaded, setUploaded] = useState<Picture | null>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const { imageId } = state.fields;
  const stored = 'image' in node ? (node.image ?? null) : null;
  const shown = [uploaded, stored].find((picture) => picture && picture.id === imageId) ?? null;
  const take = async (file: File | undefined) => {
    if (!file || progress !== null) return;
    setFailure(null);
    setProgress(0);
    const outcome = await uploadPicture(file, setProgress);
    setProgress(null);
    if (typeof outcome === 'string') return setFailure(`${file.name}: ${outcome}`);
    setUploaded(outcome);
    saver.edit({ imageId: outcome.id });
  };
  const { area, choose, picker } = useFileDrop('Picture', false, ([file]) => void take(file));
  return (
    <div className={styles.field}>
      <div className={styles.frame} {...area}>
        {shown ? (
          <img src={shown.url} alt="As readers will see it" width={shown.width} height={shown.height} />
        ) : (
          <span className={styles.none}>
            <Icon name="picture" size={24} />
            {imageId ? 'A picture that is not saved yet' : 'Drop a picture here'}
          </span>
        )}
      </div>
      <div className={styles.actions}>
        <button type="button" className="button" disabled={progress !== null} onClick={choose}>
          <Icon name="upload" /> {imageId ? 'Replace picture' : 'Choose picture'}
        </button>
        {progress !== null && <progress aria-label="Upload of the picture" value={progress} max={1} />}
      </div>
      {failure && <Notice tone="bad">{failure}</Notice>}
      {picker}
    </div>
  );
}
