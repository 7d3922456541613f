import { useCallback, useEffect } from 'react';
import { useConnectionTurn, useIsAway } from './connection.js';

/** A server that shuts down closes its sockets first, and still answers for a moment before it becomes unreachable. */
const AWAY_MS = 3_000;

/**
 * Polls while the page is visible. Also refetches immediately when the live connection drops and when it returns, and
 * polls more often in between.
 * @param everyMs null: no polling
 */
export function usePolling(again: () => void, everyMs: number | null): void {
  const isAway = useIsAway();
  const ask = useCallback(() => {
    if (everyMs !== null && !document.hidden) again();
  }, [again, everyMs]);
  useEffect(() => {
    if (everyMs === null) return;
    const timer = setInterval(ask, isAway ? Math.min(everyMs, AWAY_MS) : everyMs);
    return () => clearInterval(timer);
  }, [ask, everyMs, isAway]);
  useConnectionTurn(ask);
}
