/** The picture of a post or a photo: chosen or dropped, uploaded, then saved with the node. */
import { useRef, useState } from 'react';
import { Icon } from '../../kit/display/icon.js';
import { Notice } from '../../kit/display/notice.js';
import { type Picture, uploadPicture } from '../data/pictures.js';
import type { SavedNode } from '../saver/use-saver.js';
import styles from './picture-field.module.css';

export function PictureField({ saved: { saver, state, node } }: { readonly saved: SavedNode }) {
  const [uploaded, setUploaded] = useState<Picture | null>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [over, setOver] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
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
  return (
    <div className={styles.field}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same by keyboard */}
      <div
        className={styles.frame}
        data-over={over}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void take(event.dataTransfer.files[0]);
        }}
      >
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
        <button type="button" className="button" disabled={progress !== null} onClick={() => picker.current?.click()}>
          <Icon name="upload" /> {imageId ? 'Replace picture' : 'Choose picture'}
        </button>
        {progress !== null && <progress aria-label="Upload of the picture" value={progress} max={1} />}
      </div>
      {failure && <Notice tone="bad">{failure}</Notice>}
      <input
        ref={picker}
        type="file"
        accept="image/*"
        hidden
        aria-label="Picture"
        onChange={(event) => {
          void take(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
    </div>
  );
}
