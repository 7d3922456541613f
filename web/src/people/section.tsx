/** People and programs: user accounts, API keys and the audit trail. Three pages. */
import { lazyPage } from '../shell/lazy-page.js';
import { Section, type SectionPage } from '../shell/section.js';

const pages: readonly [SectionPage, ...SectionPage[]] = [
  {
    path: '/people',
    name: 'People',
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
];

export const PeopleSection = () => <Section label="People and programs" pages={pages} />;
