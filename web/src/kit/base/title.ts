import { useEffect } from 'react';

/** Sets the tab title. @param title null: set elsewhere */
export function useTitle(title: string | null): void {
  useEffect(() => {
    if (title !== null) document.title = `${title} · Sextant`;
  }, [title]);
}
