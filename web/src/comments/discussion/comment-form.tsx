/** Writes a comment or a reply. What is written is kept until it is posted. */
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import type { CommentPolicy } from '../../../generated/graphql.js';
import { viewerStore } from '../../api/session.js';
import { useStore } from '../../kit/base/store.js';
import { dropDraft, keepDraft, readDraft } from './drafts.js';
import type { OpenDiscussion } from './open-discussion.js';
import type { DiscussionComment } from './thread.js';

const TEXT_LENGTH_MAX = 10_000;
const NAME_LENGTH_MAX = 100;

interface CommentFormProps {
  readonly discussion: OpenDiscussion;
  readonly policy: CommentPolicy;
  /** Where visitors sign in. */
  readonly signInAt: string;
  /** The comment that it replies to. */
  readonly above: DiscussionComment | null;
  readonly onPosted: (comment: DiscussionComment) => void;
  /** Of a reply. */
  readonly onClose?: () => void;
  /** Whether somebody has just asked for it. */
  readonly isAskedFor?: boolean;
}

export function CommentForm({
  discussion,
  policy,
  signInAt,
  above,
  onPosted,
  onClose,
  isAskedFor = false,
}: CommentFormProps) {
  const viewer = useStore(viewerStore);
  const place = above?.id ?? discussion.on;
  const [draft, setDraft] = useState(() => readDraft(place));
  const [failure, setFailure] = useState<string | null>(null);
  const [isHeld, setHeld] = useState(false);
  const [isSending, setSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const failureId = useId();
  const isVisitor = viewer === null;

  const write = (some: Partial<typeof draft>) => {
    const next = { ...draft, ...some };
    setDraft(next);
    keepDraft(place, next);
    setHeld(false);
  };
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending || draft.text.trim() === '') return;
    setSending(true);
    setFailure(null);
    const replyTo = above?.id ?? null;
    const posted = await discussion.post({ text: draft.text, replyTo, authorName: isVisitor ? draft.name : null });
    setSending(false);
    if (typeof posted === 'string') return setFailure(posted);
    dropDraft(place);
    setDraft({ ...draft, text: '' });
    setHeld(posted.state === 'HELD');
    onPosted(posted);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.current?.requestSubmit();
    } else if (event.key === 'Escape' && onClose) onClose();
  };

  if (isVisitor && policy === 'MEMBERS')
    return (
      <p className="discussion-note">
        Only members can comment. <a href={signInAt}>Sign in</a> first.
      </p>
    );
  return (
    <form className="comment-form" ref={form} onSubmit={send} onKeyDown={onKey}>
      {isHeld && (
        <p role="status" className="form-note">
          Thank you. Your comment will appear as soon as a moderator has published it.
        </p>
      )}
      {failure !== null && (
        <p role="alert" id={failureId}>
          {failure}
        </p>
      )}
      <label>
        <span>
          {above ? `Your reply to ${above.author.name || 'a deleted account'}` : 'Your comment'}{' '}
          <small>Markdown, for example **bold** or a [link](https://…)</small>
        </span>
        <textarea
          required
          // biome-ignore lint/a11y/noAutofocus: it opens because somebody asked for it
          autoFocus={isAskedFor}
          rows={4}
          dir="auto"
          maxLength={TEXT_LENGTH_MAX}
          value={draft.text}
          aria-describedby={failure === null ? undefined : failureId}
          onChange={({ target }) => write({ text: target.value })}
        />
      </label>
      {isVisitor && (
        <label>
          <span>
            Your name <small>Comments of visitors wait for a moderator.</small>
          </span>
          <input
            required
            maxLength={NAME_LENGTH_MAX}
            autoComplete="name"
            value={draft.name}
            onChange={({ target }) => write({ name: target.value })}
          />
        </label>
      )}
      <div className="comment-actions">
        <button type="submit" disabled={isSending || viewer === undefined}>
          {above ? 'Post reply' : 'Post comment'}
        </button>
        {onClose && (
          <button type="button" className="plain" onClick={onClose}>
            Close
          </button>
        )}
      </div>
    </form>
  );
}
