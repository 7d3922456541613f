/** The saver of a node and its live state, for the editor and the gallery. */
import { useCallback, useEffect, useState } from 'react';
import type { NodeChangedSubscription } from '../../../generated/graphql.js';
import { useLive } from '../../api/use-live.js';
import { guardLeaving } from '../../kit/base/location.js';
import { useStore } from '../../kit/base/store.js';
import { type EditorNode, storedOf } from '../data/nodes.js';
import { NodeChangedDocument } from '../data/versions.js';
import { isUnsaved } from '../saving/autosave.js';
import { openSaver, type Saver, type SaverState, windowId } from './saver.js';

export interface SavedNode {
  readonly saver: Saver;
  readonly state: SaverState;
  /** What the server last told of the node. Its texts are in `state`. */
  readonly node: EditorNode;
  /** Takes over what a command has answered. */
  readonly take: (node: EditorNode) => void;
  /** Somebody has put it into the trash. */
  readonly isGone: boolean;
}

type Event = Pick<NodeChangedSubscription['nodeChanged'], 'node'>;

const latest = (_before: Event | null, event: Event): Event => event;

const ASK = 'Your last changes are not saved on the server. This browser keeps a copy of them. Leave the page?';

export function useSaver(opened: EditorNode, viewerId: string): SavedNode {
  const [node, setNode] = useState(opened);
  const [saver] = useState(() => openSaver(storedOf(opened), { viewerId, nodeId: opened.id, windowId }, setNode));
  const state = useStore(saver.state);
  const keep = useCallback(
    (told: EditorNode, isOwn: boolean) => {
      setNode((known) => (told.version < known.version ? known : told));
      saver.hear(storedOf(told), isOwn);
    },
    [saver],
  );
  const take = useCallback((answered: EditorNode) => keep(answered, true), [keep]);

  const { state: event } = useLive(NodeChangedDocument, { id: opened.id }, latest);
  const live = event?.node;
  useEffect(() => {
    if (live && 'nonce' in live) keep(live, false);
  }, [live, keep]);

  useEffect(() => {
    saver.open();
    return saver.close;
  }, [saver]);
  useAskBeforeLeaving(saver);
  return { saver, state, node, take, isGone: node.state === 'DELETED' || (event !== null && live === null) };
}

/**
 * A draft that can be saved is saved while the page is left: no question. Otherwise the user is asked. A window that is
 * closed asks in both cases, since the answer of the server may come too late.
 */
function useAskBeforeLeaving(saver: Saver): void {
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      if (isUnsaved(saver.state.get())) event.preventDefault();
    };
    window.addEventListener('beforeunload', onUnload);
    const stopAsking = guardLeaving(() => {
      const current = saver.state.get();
      const isSavedOnLeaving = current.stored.isDraft && current.trouble === null && current.heard === null;
      return !isUnsaved(current) || isSavedOnLeaving || window.confirm(ASK);
    });
    return () => {
      window.removeEventListener('beforeunload', onUnload);
      stopAsking();
    };
  }, [saver]);
}
