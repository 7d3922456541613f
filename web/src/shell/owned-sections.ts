/** Sections of which something is the viewer's own, though the viewer lacks their role. */
import { useEffect, useState } from 'react';
import type { Viewer } from '../api/session.js';
import { hasRole } from './access.js';
import type { OwnedSections, Section } from './section.js';

const none: OwnedSections = new Set();

/** Asked when the viewer, or the viewer's roles, are known. Grows as the answers arrive; a question that fails leaves the section closed. */
export function useOwnedSections(viewer: Viewer, sections: readonly Section[]): OwnedSections {
  const [owned, setOwned] = useState(none);
  useEffect(() => {
    let isCurrent = true;
    for (const { name, role, isOwner } of sections) {
      if (!isOwner || hasRole(viewer, role)) continue;
      isOwner().then(
        (is) => is && isCurrent && setOwned((before) => new Set([...before, name])),
        () => undefined,
      );
    }
    return () => {
      isCurrent = false;
    };
  }, [viewer, sections]);
  return owned;
}
