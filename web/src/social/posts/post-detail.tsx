/** What is specific to the type of a post: its photo, link, place or poll. */
import { Icon } from '../../kit/display/icon.js';
import type { Post } from '../data/post-list.js';
import { Poll } from './poll.js';
import styles from './post-detail.module.css';

export function PostDetail({ post, onChange }: { post: Post; onChange: (post: Post) => void }) {
  const { detail } = post;
  switch (detail?.__typename) {
    case 'PhotoDetail': {
      const { url, small, large, width, height } = detail.image;
      return (
        <a href={url} target="_blank" rel="noreferrer" className={styles.photo}>
          <img
            src={small}
            srcSet={`${small} 640w, ${large} 1280w`}
            sizes="(max-width: 680px) 100vw, 640px"
            style={frameOf(width, height)}
            width={width}
            height={height}
            alt={detail.description || (post.text === '' ? `Posted by ${post.author.name}` : post.title)}
            loading="lazy"
          />
        </a>
      );
    }
    case 'LinkDetail': {
      const [host, path] = placeOf(detail.url);
      return (
        <a href={detail.url} target="_blank" rel="noreferrer nofollow" className={styles.link}>
          <Icon name="link" />
          <span>
            <strong>
              <bdi>{detail.title || host}</bdi>
            </strong>
            <span className="note cut">{detail.title ? host : path}</span>
          </span>
        </a>
      );
    }
    case 'CheckInDetail':
      return <Place {...detail} />;
    case 'PollDetail':
      return <Poll postId={post.id} poll={detail} mayVote={post.commentPolicy !== 'NOBODY'} onChange={onChange} />;
    default:
      return null;
  }
}

/** Its place is there before it is loaded, so that nothing moves. Of tall ones, the middle shows, 4 to 5. */
const frameOf = (width: number, height: number) => ({
  aspectRatio: `${width} / ${Math.min(height, width * 1.25)}`,
  width: `min(100%, ${width}px)`,
});

/** @returns the host, and what follows it, empty for the root */
function placeOf(url: string): readonly [host: string, path: string] {
  try {
    const { host, pathname, search, hash } = new URL(url);
    const path = `${pathname}${search}${hash}`;
    return [host, path === '/' ? '' : path];
  } catch {
    return [url, ''];
  }
}

interface PlaceProps {
  readonly name: string;
  readonly latitude?: number | null | undefined;
  readonly longitude?: number | null | undefined;
}

function Place({ name, latitude, longitude }: PlaceProps) {
  const isKnown = typeof latitude === 'number' && typeof longitude === 'number';
  return (
    <p className={styles.place}>
      <Icon name="pin" />
      <span>
        At <strong dir="auto">{name}</strong>{' '}
        {isKnown && (
          <a
            className="note"
            target="_blank"
            rel="noreferrer"
            href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=15/${latitude}/${longitude}`}
          >
            Show on a map
          </a>
        )}
      </span>
    </p>
  );
}
