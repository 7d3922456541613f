/** The photos of a gallery as tiles: for editors in its order, which they change by dragging; for authors their own. */
import { useEffect, useId } from 'react';
import { Empty, Notice } from '../../kit/display/notice.js';
import { Waiting } from '../../kit/lists/waiting.js';
import { useRole } from '../../shell/access.js';
import styles from './photo-grid.module.css';
import { PhotoTile } from './photo-tile.js';
import { PublishDrafts } from './publish-drafts.js';
import { usePhotos } from './use-photos.js';
import { useReplacements } from './use-replacements.js';
import { useSorting } from './use-sorting.js';

interface PhotoGridProps {
  readonly galleryId: string;
  /** Increases when there is a new photo. */
  readonly news: number;
}

export function PhotoGrid({ galleryId, news }: PhotoGridProps) {
  const isEditor = useRole('EDITOR');
  const { data, error, refusal, again, showMore, place } = usePhotos(galleryId, !isEditor);
  const stored = data?.photos ?? [];
  const sorting = useSorting(stored, place);
  const { choose, progress, failure, picker } = useReplacements(again);
  const help = useId();
  const canSort = isEditor && stored.length > 1;
  useEffect(() => {
    if (news > 0) again();
  }, [news, again]);
  return (
    <div className={styles.photos}>
      <Waiting data={data} error={error} again={again} rows={2} height="160px" />
      {refusal && <Notice tone="bad">The photo is back at its place: {refusal}</Notice>}
      {failure && <Notice tone="bad">{failure}</Notice>}
      {data && stored.length === 0 && (
        <Empty icon="picture" title={isEditor ? 'No photos yet' : 'No photos of yours yet'}>
          Drop some above. Each is a draft until you publish it.
        </Empty>
      )}
      {!isEditor && stored.length > 0 && (
        <p className={styles.help}>Your photos here. Editors put the photos of all authors in order.</p>
      )}
      {canSort && (
        <p className={styles.help}>
          {data?.isNewestFirst
            ? 'Newest first. Drag photos to put them in another order.'
            : 'In your order. Drag photos to change it.'}
        </p>
      )}
      <PublishDrafts photos={stored} onChange={again} />
      <p id={help} className="hidden">
        Press Space to grab the photo, arrow keys to move it, Space to drop it, Escape to put it back.
      </p>
      <ul className={styles.grid} aria-label="Photos" data-sorting={sorting.grabbed !== null}>
        {stored.map((photo) => (
          <PhotoTile
            key={photo.id}
            photo={photo}
            tile={canSort ? sorting.tile(photo) : {}}
            handle={canSort ? { ...sorting.handle(photo), 'aria-describedby': help } : null}
            progress={progress.get(photo.id) ?? null}
            onReplace={() => choose(photo)}
          />
        ))}
      </ul>
      <p className="hidden" aria-live="assertive">
        {sorting.news}
      </p>
      {data?.hasMore && (
        <button type="button" className={`button ${styles.more}`} onClick={showMore}>
          Show more
        </button>
      )}
      {picker}
    </div>
  );
}
