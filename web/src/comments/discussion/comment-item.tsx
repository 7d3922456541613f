/** One comment, with its replies below it. */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { CommentPolicy, CommentState } from '../../../generated/graphql.js';
import { CommentForm } from './comment-form.js';
import { readDraft } from './drafts.js';
import type { OpenDiscussion } from './open-discussion.js';
import { type Act, ActForm, labelOf, useActs } from './own-actions.js';
import { type Branch, type DiscussionComment, nameOf } from './thread.js';

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

export interface Shown {
  readonly discussion: OpenDiscussion;
  readonly policy: CommentPolicy;
  readonly signInAt: string;
  /** The name of the comment that the address or the reader's own act points to. */
  readonly target: string | null;
  readonly onTarget: (comment: DiscussionComment) => void;
  /** Where a comment replies to another one, in an order without threads. */
  readonly parentOf: (comment: DiscussionComment) => DiscussionComment | null;
  /** Who wrote a comment and when, on a page that shows people in its own way. Null: by name, and with the date. */
  readonly by: ((comment: DiscussionComment) => ReactNode) | null;
}

export const Branches = ({ branches, shown }: { branches: readonly Branch[]; shown: Shown }) => (
  <ol className="comments">
    {branches.map(({ comment, replies }) => (
      <li key={comment.id}>
        <CommentItem comment={comment} shown={shown} />
        {replies.length > 0 && (
          <details className="replies" open>
            <summary>{repliesOf(Math.max(comment.replyCount, replies.length))}</summary>
            <Branches branches={replies} shown={shown} />
          </details>
        )}
      </li>
    ))}
  </ol>
);

const repliesOf = (count: number): string => (count === 1 ? '1 reply' : `${count} replies`);

const absent: Readonly<Record<CommentState, string>> = {
  PUBLISHED: '',
  HELD: 'This comment waits for a moderator.',
  HIDDEN: 'A moderator has hidden this comment.',
  DELETED: 'This comment was deleted.',
};

function CommentItem({ comment, shown }: { comment: DiscussionComment; shown: Shown }) {
  const { target, parentOf, by } = shown;
  const name = nameOf(comment);
  const place = useRef<HTMLElement>(null);
  const isTarget = target === name;
  useEffect(() => {
    if (!isTarget) return;
    place.current?.scrollIntoView({ block: 'nearest' });
    place.current?.focus({ preventScroll: true });
  }, [isTarget]);
  const author = comment.author.name || 'Deleted account';
  const parent = parentOf(comment);
  return (
    <article
      ref={place}
      className={isTarget ? 'comment is-target' : 'comment'}
      id={`comment-${name}`}
      aria-label={`Comment by ${author}`}
      tabIndex={-1}
    >
      <p className="comment-head">
        {by?.(comment) ?? (
          <>
            <bdi className="comment-author">{author}</bdi>{' '}
            <a href={`#comment-${name}`}>
              <time dateTime={comment.postedAt}>{time.format(new Date(comment.postedAt))}</time>
            </a>
          </>
        )}{' '}
        {comment.editedAt && <span title={time.format(new Date(comment.editedAt))}>edited</span>}{' '}
        {parent && (
          <a href={`#comment-${nameOf(parent)}`}>
            in reply to <bdi>{parent.author.name || 'a deleted account'}</bdi>
          </a>
        )}
      </p>
      {comment.state !== 'PUBLISHED' && <p className="comment-note">{absent[comment.state]}</p>}
      {comment.html !== null && comment.html !== undefined && (
        <div
          className="comment-text"
          dir="auto"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized by the server, like the texts of the public site
          dangerouslySetInnerHTML={{ __html: comment.html }}
        />
      )}
      <Actions comment={comment} author={author} shown={shown} />
    </article>
  );
}

function Actions({ comment, author, shown }: { comment: DiscussionComment; author: string; shown: Shown }) {
  const { discussion, policy, signInAt, onTarget } = shown;
  const [hasDraft] = useState(() => readDraft(comment.id).text !== '');
  const [isReplying, setReplying] = useState(hasDraft);
  const [isAskedFor, askFor] = useState(false);
  const [act, setAct] = useState<Act | null>(null);
  const [note, setNote] = useState('');
  const replyButton = useRef<HTMLButtonElement>(null);
  const acts = useActs(comment);
  const canReply = comment.state === 'PUBLISHED' && policy !== 'NOBODY';
  const close = () => {
    setReplying(false);
    replyButton.current?.focus();
  };
  return (
    <>
      <div className="comment-actions">
        {canReply && (
          <button
            type="button"
            className="plain"
            ref={replyButton}
            aria-label={`Reply to ${author}`}
            aria-expanded={isReplying}
            onClick={() => {
              setReplying(!isReplying);
              askFor(true);
            }}
          >
            Reply
          </button>
        )}
        {acts
          .filter((each) => each !== 'edit' || policy !== 'NOBODY')
          .map((each) => (
            <button
              key={each}
              type="button"
              className="plain"
              aria-label={`${labelOf(each)} the comment by ${author}`}
              aria-expanded={act === each}
              onClick={() => setAct(act === each ? null : each)}
            >
              {labelOf(each)}
            </button>
          ))}
      </div>
      {note !== '' && (
        <p className="comment-note" role="status">
          {note}
        </p>
      )}
      {act && (
        <ActForm
          key={act}
          discussion={discussion}
          comment={comment}
          act={act}
          onDone={(done) => {
            setAct(null);
            setNote(done);
            replyButton.current?.focus();
          }}
        />
      )}
      {isReplying && canReply && (
        <CommentForm
          discussion={discussion}
          policy={policy}
          signInAt={signInAt}
          above={comment}
          onPosted={(posted) => {
            if (posted.state !== 'PUBLISHED') return; // the form says what happens next
            setReplying(false);
            onTarget(posted);
          }}
          onClose={close}
          isAskedFor={isAskedFor}
        />
      )}
    </>
  );
}
