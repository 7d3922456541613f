/** A photo of a gallery: its picture, which opens it, its name and state, and what can be done with it. */
import type { HTMLAttributes } from 'react';
import { Link } from '../../kit/controls/link.js';
import { Icon } from '../../kit/display/icon.js';
import { addressOf } from '../data/nodes.js';
import type { PhotoRow } from '../data/photos.js';
import { StateBadge } from '../parts/state-badge.js';
import styles from './photo-grid.module.css';

interface PhotoTileProps {
  readonly photo: PhotoRow;
  /** Empty if there is nothing to sort, or the viewer may not. */
  readonly tile: HTMLAttributes<HTMLElement>;
  /** Null: the same. */
  readonly handle: HTMLAttributes<HTMLElement> | null;
  /** Of an upload of another picture, 0 to 1. Null: there is none. */
  readonly progress: number | null;
  readonly onReplace: () => void;
}

export function PhotoTile({ photo, tile, handle, progress, onReplace }: PhotoTileProps) {
  const image = 'image' in photo ? photo.image : null;
  return (
    <li {...tile} className={styles.item}>
      <Link className={styles.tile} href={addressOf(photo)} draggable={false}>
        <span className={styles.frame}>
          {image ? (
            <img src={image.small} alt="" width={image.width} height={image.height} loading="lazy" draggable={false} />
          ) : (
            <Icon name="picture" size={28} />
          )}
        </span>
        <span className={styles.caption}>{photo.title}</span>
      </Link>
      <div className={styles.foot}>
        <StateBadge node={photo} />
        {progress === null ? (
          <button
            type="button"
            className="button quiet icon small"
            aria-label={`Replace the picture of ${photo.title}`}
            title="Replace picture"
            onClick={onReplace}
          >
            <Icon name="upload" />
          </button>
        ) : (
          <progress aria-label={`Upload of another picture for ${photo.title}`} value={progress} max={1} />
        )}
      </div>
      {handle && (
        <button
          type="button"
          {...handle}
          className={styles.handle}
          aria-label={`Move ${photo.title}`}
          title="Drag to another place"
        >
          <Icon name="grip" size={20} />
        </button>
      )}
    </li>
  );
}
