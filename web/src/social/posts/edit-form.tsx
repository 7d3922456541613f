/** Changes the text of an own post, in its place. */
import { useState } from 'react';
import { Notice } from '../../kit/display/notice.js';
import { edit } from '../data/acts.js';
import type { Post } from '../data/post-list.js';
import { excessOf, lengthNear } from '../parts/text-limit.js';
import styles from './form.module.css';

interface EditFormProps {
  readonly post: Post;
  readonly onChange: (post: Post) => void;
  readonly onClose: () => void;
}

export function EditForm({ post, onChange, onClose }: EditFormProps) {
  const [text, setText] = useState(post.text);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const send = async () => {
    if (busy) return;
    const excess = excessOf(text);
    if (excess !== null) return setFailure(excess);
    setBusy(true);
    const edited = await edit(post.id, text);
    setBusy(false);
    if (typeof edited === 'string') return setFailure(edited);
    onChange(edited);
    onClose();
  };
  const length = lengthNear(text);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send();
      }}
    >
      <textarea
        className="input"
        dir="auto"
        aria-label="Text of the post"
        rows={4}
        required={post.type === 'STATUS'}
        // biome-ignore lint/a11y/noAutofocus: it opens because somebody asked for it
        autoFocus
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {length !== null && <p className="note">{length}</p>}
      {failure !== null && <Notice tone="bad">{failure}</Notice>}
      <div className={styles.actions}>
        <button type="submit" className="button primary" disabled={busy}>
          {busy ? 'Saving…' : 'Save'}
        </button>
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}
