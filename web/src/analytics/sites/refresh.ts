/** Refetches queries without a subscription: periodically, and immediately when an import has changed the past. */
import { useEffect } from 'react';
import { createStore } from '../../kit/base/store.js';

const changes = createStore(0);

/** Call when stored history has changed: everything that shows it is refetched. */
export const tellPastChanged = () => changes.set(changes.get() + 1);

export function useRefresh(refresh: () => void, everyMs: number): void {
  useEffect(() => {
    const timer = setInterval(() => document.hidden || refresh(), everyMs);
    const stop = changes.subscribe(refresh);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [refresh, everyMs]);
}
