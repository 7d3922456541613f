/** The comment that the address names: `#comment-2s`. */
import { useEffect, useState } from 'react';
import { useStore } from '../../kit/base/store.js';
import type { OpenDiscussion } from './open-discussion.js';
import { nameOf } from './thread.js';

/** Pages that are read to find it. */
const PAGES_MAX = 10;

const named = (): string | null => /^#comment-([0-9a-z]+)$/.exec(location.hash)?.[1] ?? null;

/** Reads on until the comment is shown. @returns its name, and what names another one */
export function useTarget(discussion: OpenDiscussion): readonly [string | null, (name: string) => void] {
  const [target, setTarget] = useState(named);
  const [pages, setPages] = useState(0);
  const { thread, isLoading, failure } = useStore(discussion.state);
  useEffect(() => {
    const follow = () => {
      setTarget(named());
      setPages(0);
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const isMissing = target !== null && thread !== null && !thread.shown.some((comment) => nameOf(comment) === target);
  const readsOn = isMissing && thread.end !== null && !isLoading && failure === null && pages < PAGES_MAX;
  useEffect(() => {
    if (!readsOn) return;
    setPages((read) => read + 1);
    void discussion.more();
  }, [readsOn, discussion]);
  return [target, setTarget];
}
