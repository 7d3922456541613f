/** People and programs: user accounts, API keys and the audit trail. */
import { lazyPage } from '../shell/lazy-page.js';
import type { Section, SectionPage } from '../shell/section.js';

export const peopleSection: Section = {
  name: 'People',
  icon: 'people',
  role: 'ADMIN',
  pages: [
    {
      path: '/people',
      name: 'People',
      insteadPath: '/social', // members look for people there
      Content: lazyPage(() => import('./people-page.js').then((module) => module.PeoplePage)),
    },
    {
      path: '/people/keys',
      name: 'API keys',
      Content: lazyPage(() => import('./keys-page.js').then((module) => module.KeysPage)),
    },
    {
      path: '/people/audit',
      name: 'Audit trail',
      Content: lazyPage(() => import('./audit-page.js').then((module) => module.AuditPage)),
    },
  ],
};

/** Open to everyone who is signed in, from the user menu. */
export const profilePage: SectionPage = {
  path: '/profile',
  name: 'Profile',
  Content: lazyPage(() => import('./profile-page.js').then((module) => module.ProfilePage)),
};
