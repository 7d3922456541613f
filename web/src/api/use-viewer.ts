/** The viewer, found when the page opens. */
import { useEffect, useState } from 'react';
import { useStore } from '../kit/base/store.js';
import { findViewer, type Viewer, viewerStore } from './session.js';

export const VIEWER_RETRY_MS = 3_000;

interface FoundViewer {
  /** Undefined until the server has identified the viewer; null for a visitor. */
  readonly viewer: Viewer | null | undefined;
  /** Whether the server could not be reached at the last attempt. */
  readonly unreachable: boolean;
}

/** Retries until the server responds. Call it only once per page, in its frame. */
export function useViewer(): FoundViewer {
  const viewer = useStore(viewerStore);
  const [unreachable, setUnreachable] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const find = () =>
      findViewer().then(
        () => setUnreachable(false),
        () => {
          setUnreachable(true);
          timer = setTimeout(find, VIEWER_RETRY_MS);
        },
      );
    void find();
    return () => clearTimeout(timer);
  }, []);
  return { viewer, unreachable };
}
