/** A post: who wrote it, for whom, what it says, and the discussion below it. */
import { memo, useLayoutEffect, useRef, useState } from 'react';
import { viewerStore } from '../../api/session.js';
import { formatMoment } from '../../kit/base/format.js';
import { useStore } from '../../kit/base/store.js';
import { Icon, type IconName } from '../../kit/display/icon.js';
import type { Post } from '../data/post-list.js';
import { Face } from '../parts/face.js';
import { addressOf } from '../parts/links.js';
import { PlainText } from '../parts/plain-text.js';
import { When } from '../parts/when.js';
import { AboutCard } from './about-card.js';
import { DeliveryNote } from './delivery-note.js';
import { EditForm } from './edit-form.js';
import { Person } from './person.js';
import styles from './post-card.module.css';
import { PostDetail } from './post-detail.js';
import { PostMenu } from './post-menu.js';
import { PostTalk } from './post-talk.js';

export interface PostCardProps {
  readonly post: Post;
  /** The discussion of one post is open at a time. */
  readonly isOpen: boolean;
  readonly onOpen: (id: string | null) => void;
  readonly onChange: (post: Post) => void;
  readonly onRemove: (id: string) => void;
  /** Whose wall the card is on, so that it is not named again. */
  readonly wall?: string | null;
  /** The viewer sees it only as an editor, because it was reported: its own page and its discussion are closed. */
  readonly isShut?: boolean;
}

export const PostCard = memo(function PostCard(props: PostCardProps) {
  const { post, wall = null, isShut = false, onChange, onRemove } = props;
  const { author, onWallOf, text } = post;
  const [isEditing, setEditing] = useState(false);
  const viewer = useStore(viewerStore);
  const isOwn = author.id === viewer?.id;
  const name = author.name || 'Deleted account';
  return (
    <article className={`card ${styles.post}`} aria-label={`Post by ${name}`} data-post={post.id}>
      <header className={styles.head}>
        <Face name={name} src={author.profile?.picture?.small} />
        <div className={styles.who}>
          <p>
            <Person id={author.profile ? author.id : null} name={name} />
            {onWallOf && onWallOf.id !== wall && (
              <>
                {' '}
                to <Person id={onWallOf.id} name={onWallOf.name || 'a deleted account'} />
              </>
            )}
          </p>
          <Line post={post} isOwn={isOwn} isShut={isShut} />
        </div>
        <PostMenu post={post} onEdit={() => setEditing(true)} onRemove={onRemove} />
      </header>
      <div className={styles.body}>
        {isEditing ? (
          <EditForm post={post} onChange={onChange} onClose={() => setEditing(false)} />
        ) : (
          text !== '' && <Text key={text} text={text} />
        )}
        <PostDetail post={post} onChange={onChange} />
        {post.about && <AboutCard about={post.about} />}
      </div>
      <PostTalk {...props} />
    </article>
  );
});

function Line({ post, isOwn, isShut }: { post: Post; isOwn: boolean; isShut: boolean }) {
  const { id, postedAt, editedAt, audience, circles } = post;
  const names = circles.map(({ name }) => name).join(', ');
  const marks: Record<Post['audience'], [IconName, string]> = {
    PUBLIC: ['globe', 'Public'],
    MY_CIRCLES: ['people', isOwn ? 'My circles' : 'Circles'],
    CIRCLES: ['circles', names || 'Circles that are gone'],
  };
  const [icon, words] = marks[audience];
  return (
    <p className={styles.line}>
      <When at={postedAt} href={isShut ? null : addressOf(id)} />
      {editedAt && <span title={`${formatMoment(Date.parse(editedAt))} UTC`}>edited</span>}
      <span className={styles.audience}>
        <Icon name={icon} size={13} /> <span className="hidden">Shared with: </span>
        <bdi>{words}</bdi>
      </span>
      {isOwn && <DeliveryNote post={post} />}
    </p>
  );
}

/** A long text is folded until somebody asks for it. It is measured before it is shown, so nothing jumps. */
function Text({ text }: { text: string }) {
  const [isLong, setLong] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const shown = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    const { current } = shown;
    if (!current || isWhole) return;
    const measure = () => setLong(current.scrollHeight > current.clientHeight + 1); // heights are rounded
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [isWhole]);
  return (
    <div>
      <p
        ref={shown}
        dir="auto"
        className={`${styles.text} ${isWhole ? '' : styles.folded}`}
        onFocus={() => setWhole(isLong)} // the link may be one that is folded away
      >
        <PlainText text={text} />
      </p>
      {isLong && (
        <button type="button" className="link" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : 'Show more'}
        </button>
      )}
    </div>
  );
}
