/** For what is asked for by requests: whether the live connection stands, by which it is seen at once that a server is gone or back. */
import { useEffect, useSyncExternalStore } from 'react';
import { connectionStore } from './socket.js';

const isAway = () => connectionStore.get().phase === 'offline';

export const useIsAway = (): boolean => useSyncExternalStore(connectionStore.subscribe, isAway);

/** Tells when the connection breaks, and when it is back. */
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
