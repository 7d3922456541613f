/**
 * A discussion: on the public site, in the shop and in the dashboard. It has only the classes of `discussion.css`, because the public site
 * allows no other style sheet.
 */
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { CommentOrder } from '../../../generated/graphql.js';
import { formatCount, formatCountOf } from '../../kit/base/format.js';
import { useStore } from '../../kit/base/store.js';
import { CommentForm } from './comment-form.js';
import { Branches, type Shown } from './comment-item.js';
import { type OpenDiscussion, openDiscussion } from './open-discussion.js';
import { branchesOf, countHidden, nameOf, type Thread } from './thread.js';
import { useTarget } from './use-target.js';

const orders: readonly (readonly [CommentOrder, string])[] = [
  ['THREADED', 'Threads'],
  ['NEWEST_FIRST', 'Newest first'],
  ['OLDEST_FIRST', 'Oldest first'],
];

interface DiscussionProps {
  /** The global id of what it is about. */
  readonly on: string;
  /** Where visitors sign in. */
  readonly signInAt?: string;
  /** Who wrote a comment and when, if the page shows people in its own way. */
  readonly by?: Shown['by'];
  /** Said where the viewer may not comment. */
  readonly closed?: ReactNode;
}

export function Discussion({ on, signInAt = '/', by = null, closed }: DiscussionProps) {
  const [discussion] = useState(() => openDiscussion(on));
  useEffect(() => discussion.start(), [discussion]);
  return <DiscussionView discussion={discussion} signInAt={signInAt} by={by} closed={closed} />;
}

interface DiscussionViewProps {
  readonly discussion: OpenDiscussion;
  readonly signInAt: string;
  readonly by?: Shown['by'];
  readonly closed?: ReactNode;
}

/** Of a discussion that somebody else has started. */
export function DiscussionView({
  discussion,
  signInAt,
  by = null,
  closed = 'The discussion is closed.',
}: DiscussionViewProps) {
  const { thread, policy, failure, isLoading } = useStore(discussion.state);
  const [target, setTarget] = useTarget(discussion);
  const shown = useMemo<Shown | null>(() => {
    if (!thread || !policy) return null;
    const byId = new Map(thread.shown.map((comment) => [comment.id, comment]));
    const isFlat = thread.order !== 'THREADED';
    return {
      discussion,
      policy,
      signInAt,
      target,
      onTarget: (comment) => setTarget(nameOf(comment)),
      parentOf: ({ parentId }) => (isFlat && parentId ? (byId.get(parentId) ?? null) : null),
      by,
    };
  }, [thread, policy, signInAt, discussion, target, setTarget, by]);

  return (
    <section className="discussion" id="discussion" aria-labelledby="discussion-title" aria-busy={isLoading}>
      <h2 id="discussion-title">{thread ? headOf(thread) : 'Comments'}</h2>
      {thread && thread.count > 1 && <Orders thread={thread} onChange={discussion.sort} />}
      {thread && <News thread={thread} onShow={discussion.showWaiting} />}
      {shown && thread && <Branches branches={branchesOf(thread)} shown={shown} />}
      {failure !== null && (
        <p className="discussion-note" role="alert">
          {failure}{' '}
          <button type="button" className="plain" onClick={() => void discussion.more()}>
            Try again
          </button>
        </p>
      )}
      {!thread && failure === null && <p className="discussion-note">Loading the comments…</p>}
      {thread && thread.end !== null && failure === null && (
        <p className="discussion-more">
          <button type="button" disabled={isLoading} onClick={() => void discussion.more()}>
            Show more comments
          </button>
        </p>
      )}
      {policy === 'NOBODY' && <p className="discussion-note">{closed}</p>}
      {shown && policy && policy !== 'NOBODY' && (
        <CommentForm
          discussion={discussion}
          policy={policy}
          signInAt={signInAt}
          above={null}
          onPosted={(posted) => posted.state === 'PUBLISHED' && setTarget(nameOf(posted))}
        />
      )}
    </section>
  );
}

function headOf(thread: Thread): string {
  if (thread.count === 0) return 'No comments yet';
  const hidden = countHidden(thread);
  const all = formatCountOf(thread.count, 'comment');
  return hidden === 0 ? all : `${all}, ${formatCount(hidden)} not shown to you`;
}

const Orders = ({ thread, onChange }: { thread: Thread; onChange: (order: CommentOrder) => void }) => (
  <fieldset className="comment-actions">
    <legend>Order of the comments</legend>
    {orders.map(([order, label]) => (
      <button
        key={order}
        type="button"
        className="plain"
        aria-pressed={thread.order === order}
        onClick={() => onChange(order)}
      >
        {label}
      </button>
    ))}
  </fieldset>
);

/** What came since the list was read. It stays at the top of the window, so that nothing moves. */
const News = ({ thread: { waiting }, onShow }: { thread: Thread; onShow: () => void }) => (
  <div className="discussion-news" role="status">
    {waiting.length > 0 && (
      <button type="button" onClick={onShow}>
        {waiting.length === 1 ? '1 new comment' : `${formatCount(waiting.length)} new comments`}
      </button>
    )}
  </div>
);
