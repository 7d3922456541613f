/** The last comments of a post, and the whole discussion on request. */
import { formatCountOf } from '../../kit/base/format.js';
import '../../comments/discussion/discussion.css';
import { Discussion } from '../../comments/discussion/discussion.js';
import { Icon } from '../../kit/display/icon.js';
import { signInAddress } from '../../shell/visitor-frame.js';
import type { Post } from '../data/post-list.js';
import { addressOf } from '../parts/links.js';
import styles from './post-talk.module.css';

interface PostTalkProps {
  readonly post: Post;
  readonly isOpen: boolean;
  readonly onOpen: (id: string | null) => void;
}

export function PostTalk({ post, isOpen, onOpen }: PostTalkProps) {
  const { id, latestComments, commentCount, commentPolicy } = post;
  const isClosed = commentPolicy === 'NOBODY';
  return (
    <div className={styles.talk}>
      {!isOpen && latestComments.length > 0 && (
        <ul className={styles.latest} aria-label="Latest comments">
          {latestComments.map((comment) => (
            <li key={comment.id} dir="auto">
              <strong>
                <bdi>{comment.author.name || 'Deleted account'}</bdi>
              </strong>{' '}
              {comment.text}
            </li>
          ))}
        </ul>
      )}
      {(!isClosed || commentCount > 0) && (
        <button
          type="button"
          className="button quiet small"
          aria-expanded={isOpen}
          onClick={() => onOpen(isOpen ? null : id)}
        >
          <Icon name="comment" />
          {isOpen ? 'Close discussion' : wordsOf(commentCount)}
        </button>
      )}
      {isOpen && <Discussion on={id} signInAt={signInAddress(addressOf(id))} />}
    </div>
  );
}

const wordsOf = (count: number): string => (count === 0 ? 'Comment' : `Discuss · ${formatCountOf(count, 'comment')}`);
