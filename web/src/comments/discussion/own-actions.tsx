/** What a reader does with one comment besides replying: edits, deletes or reports it, with a question in place. */
import { type FormEvent, useState } from 'react';
import { viewerStore } from '../../api/session.js';
import { useStore } from '../../kit/base/store.js';
import type { OpenDiscussion } from './open-discussion.js';
import type { DiscussionComment } from './thread.js';

export type Act = 'edit' | 'delete' | 'report';

interface ActsProps {
  readonly discussion: OpenDiscussion;
  readonly comment: DiscussionComment;
}

/** @returns what this reader may do with it */
export function useActs({ author, text }: DiscussionComment): readonly Act[] {
  const viewer = useStore(viewerStore);
  if (!viewer || text === null) return [];
  if (author.id === viewer.id) return ['edit', 'delete'];
  return viewer.roles.some((role) => role === 'EDITOR' || role === 'ADMIN') ? ['delete', 'report'] : ['report'];
}

const words: Readonly<Record<Act, { readonly label: string; readonly question: string; readonly button: string }>> = {
  edit: { label: 'Edit', question: 'Your comment', button: 'Save' },
  delete: { label: 'Delete', question: 'Delete this comment? Its text is lost for good.', button: 'Delete comment' },
  report: { label: 'Report', question: 'What should a moderator know about it?', button: 'Report comment' },
};
export const labelOf = (act: Act): string => words[act].label;

export function ActForm({
  discussion,
  comment,
  act,
  onDone,
}: ActsProps & { act: Act; onDone: (note: string) => void }) {
  const [text, setText] = useState(act === 'edit' ? (comment.text ?? '') : '');
  const [failure, setFailure] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const { question, button } = words[act];

  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending) return;
    setSending(true);
    const failed = await sendAct(discussion, comment.id, act, text);
    setSending(false);
    if (failed === null) onDone(act === 'report' ? 'Thank you. A moderator will look at it.' : '');
    else setFailure(failed);
  };

  return (
    <form className="comment-form" onSubmit={send} onKeyDown={({ key }) => key === 'Escape' && onDone('')}>
      {failure !== null && <p role="alert">{failure}</p>}
      {act === 'delete' ? (
        <p className="form-note">{question}</p>
      ) : (
        <label>
          <span>{question}</span>
          <textarea
            required
            // biome-ignore lint/a11y/noAutofocus: it opens because somebody asked for it
            autoFocus
            rows={act === 'edit' ? 4 : 2}
            dir="auto"
            maxLength={act === 'edit' ? 10_000 : 500}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
      )}
      <div className="comment-actions">
        <button type="submit" disabled={isSending}>
          {button}
        </button>
        <button type="button" className="plain" onClick={() => onDone('')}>
          Cancel
        </button>
      </div>
    </form>
  );
}

function sendAct(discussion: OpenDiscussion, id: string, act: Act, text: string): Promise<string | null> {
  if (act === 'edit') return discussion.edit(id, text);
  return act === 'delete' ? discussion.remove(id) : discussion.report(id, text);
}
