/** Announces that someone else has saved a version, before the user writes into an old one. */
import { useEffect, useRef, useState } from 'react';
import { useData } from '../../../api/use-data.js';
import { Notice } from '../../../kit/display/notice.js';
import { LastEditorDocument } from '../../data/versions.js';
import type { SavedNode } from '../../saver/use-saver.js';

export function NewerVersion({ saved: { saver, state, node } }: { readonly saved: SavedNode }) {
  const { heard, stored, request, savedAt } = state;
  // Shown after it was taken over without a question, because nothing was unsaved.
  const [taken, setTaken] = useState<number | null>(null);
  const own = useRef({ version: stored.version, savedAt });
  useEffect(() => {
    const isOwn = savedAt !== own.current.savedAt;
    if (!isOwn && stored.version > own.current.version) setTaken(stored.version);
    if (isOwn) setTaken(null);
    own.current = { version: stored.version, savedAt };
  }, [stored.version, savedAt]);
  const name = useLastEditor(node.id, heard && !request ? heard.version : taken);
  if (heard && !request && state.trouble === null)
    return (
      <Notice
        tone="warn"
        icon="people"
        action={
          <button type="button" className="button" onClick={saver.review}>
            Compare and merge
          </button>
        }
      >
        {name} saved version {heard.version} while you were writing. Your text is kept in this browser.
      </Notice>
    );
  return (
    taken !== null && (
      <Notice
        tone="plain"
        icon="people"
        action={
          <button type="button" className="button small" onClick={() => setTaken(null)}>
            Dismiss
          </button>
        }
      >
        {name} saved version {taken} just now. You see it below.
      </Notice>
    )
  );
}

/** @param version null: not needed */
function useLastEditor(id: string, version: number | null): string {
  const { data, again } = useData(LastEditorDocument, version === null ? null : { id });
  useEffect(() => {
    if (version !== null) again();
  }, [version, again]);
  const node = data?.node;
  return (node && 'versions' in node && node.versions?.edges[0]?.node.author.name) || 'Someone else';
}
