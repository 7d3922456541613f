/** The photos of a gallery as tiles, page by page. */
import { useEffect, useState } from 'react';
import { usePolling } from '../../api/polling.js';
import { useData } from '../../api/use-data.js';
import { Link } from '../../kit/controls/link.js';
import { Icon } from '../../kit/display/icon.js';
import { Empty } from '../../kit/display/notice.js';
import { Waiting } from '../../kit/lists/waiting.js';
import { addressOf, ofNodes } from '../data/nodes.js';
import { type PhotoRow, PhotosDocument } from '../data/photos.js';
import { StateBadge } from '../parts/state-badge.js';
import styles from './gallery-page.module.css';

const FIRST = 60;
const POLL_MS = 15_000;

interface PhotoGridProps {
  readonly galleryId: string;
  /** Increases when there is a new photo. */
  readonly news: number;
}

export const PhotoGrid = (props: PhotoGridProps) => (
  <div className={styles.pages}>
    <GridPage {...props} after={null} />
  </div>
);

function GridPage({ galleryId, news, after }: PhotoGridProps & { readonly after: string | null }) {
  const answer = useData(PhotosDocument, { filter: { parentId: galleryId }, first: FIRST, after }, ofNodes);
  const { data, again } = answer;
  const [goesOn, goOn] = useState(false);
  usePolling(again, after === null ? POLL_MS : null);
  useEffect(() => {
    if (news > 0) again();
  }, [news, again]);
  const { edges = [], pageInfo } = data?.nodes ?? {};
  const next = pageInfo?.hasNextPage ? pageInfo.endCursor : null;
  return (
    <>
      <Waiting {...answer} rows={2} height="160px" />
      {data && edges.length === 0 && after === null && (
        <Empty icon="picture" title="No photos yet">
          Drop some above. Each is a draft until you publish it.
        </Empty>
      )}
      <ul className={styles.grid} aria-label="Photos">
        {edges.map(({ node, cursor }) => (
          <Tile key={cursor} photo={node} />
        ))}
      </ul>
      {next && !goesOn && (
        <button type="button" className={`button ${styles.more}`} onClick={() => goOn(true)}>
          Show more
        </button>
      )}
      {next && goesOn && <GridPage galleryId={galleryId} news={0} after={next} />}
    </>
  );
}

function Tile({ photo }: { readonly photo: PhotoRow }) {
  const image = 'image' in photo ? photo.image : null;
  return (
    <li>
      <Link className={styles.tile} href={addressOf(photo)}>
        <span className={styles.frame}>
          {image ? (
            <img src={image.small} alt="" width={image.width} height={image.height} loading="lazy" />
          ) : (
            <Icon name="picture" size={28} />
          )}
        </span>
        <span className={styles.caption}>{photo.title}</span>
      </Link>
      <StateBadge node={photo} />
    </li>
  );
}
