import { useEffect } from 'react';

/** Asks again and again while somebody looks. @param everyMs null: not now */
export function usePolling(again: () => void, everyMs: number | null): void {
  useEffect(() => {
    if (everyMs === null) return;
    const timer = setInterval(() => document.hidden || again(), everyMs);
    return () => clearInterval(timer);
  }, [again, everyMs]);
}
