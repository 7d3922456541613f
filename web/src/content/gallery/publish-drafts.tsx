/** Publishes the drafts of a gallery that are shown, so that nobody opens thirty editors after dropping thirty files. */
import { useState } from 'react';
import { newKey } from '../../api/new-key.js';
import { Notice } from '../../kit/display/notice.js';
import { saveNode } from '../data/commands.js';
import type { PhotoRow } from '../data/photos.js';
import styles from './photo-grid.module.css';

interface PublishDraftsProps {
  /** In the order in which they are shown. */
  readonly photos: readonly PhotoRow[];
  /** Called after each photo. */
  readonly onChange: () => void;
}

const CHANGED = 'Somebody else has changed it: open it to see how.';
const AWAY = 'The server did not answer: try again.';

export function PublishDrafts({ photos, onChange }: PublishDraftsProps) {
  const [left, setLeft] = useState(0);
  const [failures, setFailures] = useState<readonly string[]>([]);
  const drafts = photos.filter(({ state }) => state === 'DRAFT');

  const publish = async () => {
    setFailures([]);
    const now = Date.now();
    for (const [at, { id, nonce, title }] of drafts.entries()) {
      setLeft(drafts.length - at);
      // A millisecond between each two keeps the order in which they are shown, newest first.
      const publishedAt = new Date(now - at).toISOString();
      const outcome = await saveNode(id, { key: newKey(), nonce, changes: { publishedAt } });
      if (outcome.kind === 'stored') onChange();
      else {
        const reason = outcome.kind === 'refused' ? outcome.message : outcome.kind === 'conflict' ? CHANGED : AWAY;
        setFailures((all) => [...all, `${title} was not published. ${reason}`]);
      }
    }
    setLeft(0);
  };

  return (
    <>
      {failures.map((failure) => (
        <Notice key={failure} tone="bad">
          {failure}
        </Notice>
      ))}
      {drafts.length > 0 && (
        <button type="button" className={`button ${styles.publish}`} disabled={left > 0} onClick={() => void publish()}>
          {left > 0
            ? `Publishing, ${left} left`
            : drafts.length === 1
              ? 'Publish the draft'
              : `Publish ${drafts.length} drafts`}
        </button>
      )}
    </>
  );
}
