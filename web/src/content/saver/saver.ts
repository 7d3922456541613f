/**
 * Saves one node: drives the state machine of `autosave.ts` with a clock, the server and the browser's storage. It goes
 * on after the page is left, until the server has what was sent.
 */

import { newKey } from '../../api/new-key.js';
import { connectionStore } from '../../api/socket.js';
import { createStore, type Store } from '../../kit/base/store.js';
import { saveNode } from '../data/commands.js';
import { type EditorNode, storedOf } from '../data/nodes.js';
import * as autosave from '../saving/autosave.js';
import { ALIVE_MS, type CopyPlace, keepCopy, removeOldCopies, resume, takeCopy } from '../saving/copies.js';

export interface SaverState extends autosave.Autosave {
  /** The time of the last confirmed save. Null: none since the page was opened. */
  readonly savedAt: number | null;
  /** The text was restored from a copy of this time. Null: it was not. */
  readonly restoredFrom: number | null;
  /** The browser's storage takes no copy: the text is only in this window. */
  readonly withoutCopy: boolean;
}

export interface Saver {
  readonly state: Store<SaverState>;
  /** The page shows it. Again after `close`, if the page is shown again. */
  readonly open: () => void;
  readonly edit: (changes: autosave.Fields) => void;
  /** Saves now. Also what readers see. */
  readonly save: () => void;
  /** The server has told of a version. @param isOwn it is the answer to a command of this page */
  readonly hear: (stored: autosave.Stored, isOwn: boolean) => void;
  /** Compares with the announced version. */
  readonly review: () => void;
  readonly merge: (fields: autosave.Fields) => void;
  readonly discard: () => void;
  /** The page is left: saves a draft, and stops when that is done. */
  readonly close: () => void;
}

const COPY_QUIET_MS = 250;
const RETRY_MS = [1_000, 2_000, 5_000, 15_000, 30_000] as const;

/** @param onNode called with the node after each save */
export function openSaver(opened: autosave.Stored, place: CopyPlace, onNode: (node: EditorNode) => void): Saver {
  const begun = Date.now();
  removeOldCopies(localStorage, begun);
  const copy = takeCopy(localStorage, place, begun);
  const resumed = resume(opened, copy, begun);
  const state = createStore<SaverState>({
    ...resumed,
    savedAt: null,
    restoredFrom: copy && autosave.isUnsaved(resumed) ? copy.at : null,
    withoutCopy: false,
  });
  let isOpen = false;
  let isLeft = false;
  let isSending = false;
  let attempt = 0;
  let saveTimer: ReturnType<typeof setTimeout> | undefined;
  let copyTimer: ReturnType<typeof setTimeout> | undefined;

  const set = (next: autosave.Autosave, more: Partial<SaverState> = {}) => {
    state.set({ ...state.get(), ...next, ...more });
    plan();
  };

  const writeCopy = (isReleased = false) => {
    clearTimeout(copyTimer);
    copyTimer = undefined;
    const kept = keepCopy(localStorage, place, state.get(), Date.now(), isReleased);
    if (state.get().withoutCopy === kept) state.set({ ...state.get(), withoutCopy: !kept });
    // Written again in time, so that another window does not take the copy for one that was left behind.
    if (isOpen && autosave.isUnsaved(state.get())) copyTimer = setTimeout(writeCopy, ALIVE_MS / 2);
  };

  const plan = () => {
    clearTimeout(saveTimer);
    const current = state.get();
    if (current.trouble?.kind === 'offline') {
      saveTimer = setTimeout(send, RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]);
      return;
    }
    const due = autosave.dueAt(current);
    if (due !== null) saveTimer = setTimeout(send, Math.max(0, due - Date.now()));
  };

  const send = () => {
    if (isSending) return;
    const next = autosave.begin(state.get(), newKey(), Date.now());
    const { request } = next;
    if (!request || next.trouble) return;
    isSending = true;
    set(next);
    writeCopy(); // with the key: a repeat after a crash is recognized
    void saveNode(place.nodeId, request)
      .catch(() => ({ kind: 'unknown' }) as const)
      .then((outcome) => {
        isSending = false;
        const current = state.get();
        attempt = outcome.kind === 'unknown' ? attempt + 1 : 0;
        if (outcome.kind === 'unknown') set(autosave.loseConnection(current));
        else if (outcome.kind === 'refused') set(autosave.refuse(current, outcome.message));
        else if (outcome.kind === 'conflict') set(autosave.conflict(current, outcome.theirs, outcome.conflicts));
        else {
          onNode(outcome.node);
          set(autosave.succeed(current, storedOf(outcome.node), Date.now()), {
            savedAt: Date.now(),
            restoredFrom: null,
          });
        }
        writeCopy();
        if (isOpen || isBusy()) return;
        release();
        finish();
      });
  };

  /** What readers see is sent only if the user says so, and a request without an outcome in any case. */
  const flush = () => {
    const { stored, request, trouble, heard } = state.get();
    if (request || (stored.isDraft && !heard && trouble === null)) send();
  };
  /** A window that is closed is hidden after it has given up its copy. */
  const onHide = () => {
    if (!isLeft) writeCopy();
    if (document.hidden) flush();
  };
  const onAway = () => {
    if (connectionStore.get().phase !== 'offline' && state.get().trouble?.kind === 'offline') send();
  };
  /** Whoever opens the node next, even at once, finds the changes. */
  const release = () => {
    isLeft = true;
    writeCopy(true);
  };
  /** The page is shown, perhaps again. */
  const keep = () => {
    isLeft = false;
    writeCopy();
  };
  let stopListening = () => {};
  const begin = () => {
    if (isOpen) return;
    isOpen = true;
    finish();
    keep();
    const stopConnection = connectionStore.subscribe(onAway);
    document.addEventListener('visibilitychange', onHide);
    window.addEventListener('pagehide', release);
    window.addEventListener('pageshow', keep);
    stopListening = () => {
      stopConnection();
      document.removeEventListener('visibilitychange', onHide);
      window.removeEventListener('pagehide', release);
      window.removeEventListener('pageshow', keep);
    };
    plan();
  };

  /** Also while the page is left, for as long as the server does not answer. */
  const isBusy = () => isSending || state.get().trouble?.kind === 'offline';
  const finish = () => {
    clearTimeout(saveTimer);
    clearTimeout(copyTimer);
    stopListening();
    stopListening = () => {};
  };

  return {
    state,
    open: begin,
    edit: (changes) => {
      set(autosave.edit(state.get(), changes, Date.now()));
      clearTimeout(copyTimer);
      copyTimer = setTimeout(writeCopy, COPY_QUIET_MS);
    },
    save: () => {
      const current = state.get();
      if (current.heard && !current.request) set(autosave.review(current));
      else send();
    },
    hear: (stored, isOwn) => {
      set(autosave.hear(state.get(), stored), isOwn ? { savedAt: Date.now() } : {});
    },
    review: () => set(autosave.review(state.get())),
    merge: (fields) => {
      set(autosave.merge(state.get(), fields, Date.now()), { restoredFrom: null });
      writeCopy();
      send();
    },
    discard: () => {
      set(autosave.discard(state.get()), { restoredFrom: null });
      writeCopy();
    },
    close: () => {
      isOpen = false;
      writeCopy();
      flush();
      if (isBusy()) return;
      release();
      finish();
    },
  };
}

/**
 * Names this window. A reload keeps the name, so that the window finds its copies again; a duplicate of it, which has a
 * copy of the session's storage, gets a name of its own.
 */
export const windowId: string = (() => {
  const KEY = 'sextant.window';
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const former =
    navigation?.type === 'reload' || navigation?.type === 'back_forward' ? sessionStorage.getItem(KEY) : null;
  const id = former ?? newKey();
  sessionStorage.setItem(KEY, id);
  return id;
})();

export type Review = Extract<autosave.Trouble, { kind: 'conflict' }>;
