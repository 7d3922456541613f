/** Whether the live connection is up. Code that fetches over HTTP uses it to notice that the server is down or back. */
import { useEffect, useSyncExternalStore } from 'react';
import { connectionStore } from './socket.js';

const isAway = () => connectionStore.get().phase === 'offline';

export const useIsAway = (): boolean => useSyncExternalStore(connectionStore.subscribe, isAway);

/** Calls back when the connection drops and when it returns. */
export function useConnectionTurn(onTurn: (isAway: boolean) => void): void {
  useEffect(() => {
    let wasAway = isAway();
    return connectionStore.subscribe(() => {
      if (isAway() === wasAway) return;
      wasAway = !wasAway;
      onTurn(wasAway);
    });
  }, [onTurn]);
}
