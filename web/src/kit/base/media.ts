import { useCallback, useSyncExternalStore } from 'react';

/** The breakpoint below which columns are stacked; the same as in the style sheets. */
export const NARROW = '(max-width: 720px)';

/** Whether the window matches a media query. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
