/** The sections of the dashboard, in the order of the navigation. A new domain adds its section here. */
import { useMemo } from 'react';
import { adsSection } from './ads/section.js';
import { trafficSection } from './analytics/section.js';
import { domainsStore } from './api/session.js';
import { commentsSection } from './comments/section.js';
import { commerceSection } from './commerce/section.js';
import { contentSection } from './content/section.js';
import { gameSection } from './game/section.js';
import { useStore } from './kit/base/store.js';
import { peopleSection } from './people/section.js';
import type { Section } from './shell/section.js';
import { socialSection } from './social/section.js';
import { systemSection } from './system/section.js';

const sections: readonly Section[] = [
  trafficSection,
  commerceSection,
  contentSection,
  commentsSection,
  adsSection,
  socialSection,
  gameSection,
  peopleSection,
  systemSection,
];

/** The sections of the domains that the server runs. Null until the server has listed them. */
export function useSections(): readonly Section[] | null {
  const domains = useStore(domainsStore);
  return useMemo(
    () => domains && sections.filter(({ domain }) => domain === undefined || domains.includes(domain)),
    [domains],
  );
}
