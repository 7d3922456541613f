import { useCallback, useState } from 'react';
import type { Draft } from './draft.js';
import { type KeptDraft, keepDraft, readDraft } from './kept-drafts.js';

interface UsedDraft {
  readonly kept: KeptDraft;
  readonly keep: (kept: KeptDraft) => void;
  readonly change: (some: Partial<Draft>) => void;
}

/** The draft of a person for a wall, as it was left. Give the component a key of both. */
export function useDraft(personId: string, wall: string | null): UsedDraft {
  const [kept, setKept] = useState(() => readDraft(personId, wall));
  const keep = useCallback(
    (next: KeptDraft) => {
      setKept(next);
      keepDraft(personId, wall, next, Date.now());
    },
    [personId, wall],
  );
  const change = useCallback(
    (some: Partial<Draft>) =>
      setKept((known) => {
        const next = { draft: { ...known.draft, ...some }, attempt: known.attempt };
        keepDraft(personId, wall, next, Date.now());
        return next;
      }),
    [personId, wall],
  );
  return { kept, keep, change };
}
