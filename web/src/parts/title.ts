import { useEffect } from 'react';

/** Names the page in the browser's tab. @param title null: somebody else does */
export function useTitle(title: string | null): void {
  useEffect(() => {
    if (title !== null) document.title = `${title} · Sextant`;
  }, [title]);
}
