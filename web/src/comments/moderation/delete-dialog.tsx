/** Asks before texts are deleted for good. */
import { useEffect, useRef, useState } from 'react';
import { Confirmation } from '../../kit/controls/confirmation.js';
import type { Decision } from './moderated-comment.js';
import { countOfComments } from './words.js';

interface DeleteDialogProps {
  readonly ids: readonly string[];
  readonly onDelete: (ids: readonly string[], decision: Decision) => void;
  readonly onClose: () => void;
}

export function DeleteDialog({ ids, onDelete, onClose }: DeleteDialogProps) {
  const [isConfirmed, setConfirmed] = useState(false);
  const isAgreed = useRef(false);
  // Deletes after the dialog has closed and given the focus back, from where it then moves to the next comment.
  useEffect(() => {
    if (!isConfirmed) return;
    const timer = setTimeout(() => {
      onClose();
      onDelete(ids, 'DELETED');
    });
    return () => clearTimeout(timer);
  }, [isConfirmed, ids, onDelete, onClose]);
  if (isConfirmed) return null;
  const isOne = ids.length === 1;
  return (
    <Confirmation
      title={`Delete ${isOne ? 'this comment' : countOfComments(ids.length)}?`}
      consequence={`${isOne ? 'Its text is' : 'Their texts are'} gone for good. A comment with replies keeps its place, without its text. To be able to change your mind, hide ${isOne ? 'it' : 'them'} instead.`}
      no="Cancel"
      yes="Delete for good"
      act={async () => {
        isAgreed.current = true;
        return null;
      }}
      onClose={() => isAgreed.current || onClose()}
      onDone={() => setConfirmed(true)}
    />
  );
}
