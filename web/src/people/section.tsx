/** People and programs: who may use this server, by which keys, and what administrators have done. Three pages. */
import { Section, type SectionPage } from '../parts/section.js';
import { AuditPage } from './audit-page.js';
import { KeysPage } from './keys-page.js';
import { PeoplePage } from './people-page.js';

const pages: readonly [SectionPage, ...SectionPage[]] = [
  { path: '/people', name: 'People', Content: PeoplePage },
  { path: '/people/keys', name: 'API keys', Content: KeysPage },
  { path: '/people/audit', name: 'Audit trail', Content: AuditPage },
];

export const PeopleSection = () => <Section label="People and programs" pages={pages} />;
