/** Repeats queries that have no subscription: every while, and at once when an import has changed the past. */
import { useEffect } from 'react';
import { createStore } from '../parts/store.js';

const changes = createStore(0);

/** The stored past has changed: whoever shows it asks again. */
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
