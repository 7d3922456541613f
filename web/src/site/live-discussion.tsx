/** Loaded on demand: React, the client, and the discussion. */
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { useViewer } from '../api/use-viewer.js';
import { DiscussionView } from '../comments/discussion/discussion.js';
import { keepDraft, readDraft } from '../comments/discussion/drafts.js';
import { type OpenDiscussion, openDiscussion } from '../comments/discussion/open-discussion.js';

/** @param section the server's discussion, which is replaced when the comments are here @param on what it is about */
export async function mountDiscussion(section: HTMLElement, on: string): Promise<void> {
  const discussion = openDiscussion(on);
  followWhileVisible(discussion);
  await untilRead(discussion);
  keepWritten(section, on);
  const place = document.createElement('div');
  const root = createRoot(place);
  flushSync(() => root.render(<Framed discussion={discussion} />));
  section.replaceWith(place);
}

/** A hidden tab holds no connection; what it missed is read again when it is visible. */
function followWhileVisible(discussion: OpenDiscussion): void {
  let stop = discussion.start();
  document.addEventListener('visibilitychange', () => {
    stop();
    if (!document.hidden) stop = discussion.start();
  });
}

function Framed({ discussion }: { readonly discussion: OpenDiscussion }) {
  useViewer();
  return <DiscussionView discussion={discussion} signInAt="/" />;
}

const untilRead = ({ state }: OpenDiscussion): Promise<void> =>
  new Promise((resolve) => {
    const stop = state.subscribe(() => {
      if (!state.get().thread) return;
      stop();
      resolve();
    });
  });

/** What was written into the server's form becomes the draft. */
function keepWritten(section: HTMLElement, on: string): void {
  const text = section.querySelector<HTMLTextAreaElement>(':scope > form textarea')?.value ?? '';
  if (text.trim() !== '') keepDraft(on, { ...readDraft(on), text });
}
