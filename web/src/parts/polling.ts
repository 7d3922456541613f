import { useCallback, useEffect } from 'react';
import { useConnectionTurn, useIsAway } from '../live/connection.js';

/** A server that is stopping closes the sockets first, and still answers for a moment: that it is gone shows a little later. */
const AWAY_MS = 3_000;

/**
 * Asks again and again while somebody looks. Also at once when the live connection breaks and when it is back, and more often between.
 * @param everyMs null: not now
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
