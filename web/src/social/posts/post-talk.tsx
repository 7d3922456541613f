/** The last comments of a post, and the whole discussion on request. */
import { formatCountOf } from '../../kit/base/format.js';
import { Icon } from '../../kit/display/icon.js';
import type { Post } from '../data/post-list.js';
import { textOfHtml } from '../parts/text-of-html.js';
import { Person } from './person.js';
import { PostDiscussion } from './post-discussion.js';
import styles from './post-talk.module.css';

interface PostTalkProps {
  readonly post: Post;
  readonly isOpen: boolean;
  readonly onOpen: (id: string | null) => void;
  readonly isShut?: boolean;
}

export function PostTalk({ post, isOpen, onOpen, isShut = false }: PostTalkProps) {
  const { id, latestComments, commentCount, commentPolicy } = post;
  const isClosed = commentPolicy === 'NOBODY';
  return (
    <div className={styles.talk}>
      {!isOpen && latestComments.length > 0 && (
        <ul className={styles.latest} aria-label="Latest comments">
          {latestComments.map(({ id: comment, author, html }) => (
            <li key={comment} dir="auto">
              <Person id={author.profile && author.id} name={author.name || 'Deleted account'} />{' '}
              {textOfHtml(html ?? '')}
            </li>
          ))}
        </ul>
      )}
      {!isShut && (!isClosed || commentCount > 0) && (
        <button
          type="button"
          className="button quiet small"
          aria-expanded={isOpen}
          onClick={() => onOpen(isOpen ? null : id)}
        >
          <Icon name="comment" />
          {isOpen ? 'Close discussion' : wordsOf(commentCount, latestComments.length > 0)}
        </button>
      )}
      {isOpen && <PostDiscussion post={post} />}
    </div>
  );
}

/** Without the number if the reader is shown none of the latest: perhaps all are by people on the other side of a block. */
function wordsOf(count: number, hasLatest: boolean): string {
  if (count === 0) return 'Comment';
  return hasLatest ? `Discuss · ${formatCountOf(count, 'comment')}` : 'Discuss';
}
