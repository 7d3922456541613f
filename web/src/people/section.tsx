/** People and programs: who may use this server, by which keys, and what administrators have done. Three pages. */
import { useLocation } from '../location.js';
import { Link } from '../parts/link.js';
import { useTitle } from '../parts/title.js';
import { AuditPage } from './audit-page.js';
import { KeysPage } from './keys-page.js';
import { PeoplePage } from './people-page.js';
import styles from './section.module.css';

const pages = [
  { path: '/people', name: 'People', Content: PeoplePage },
  { path: '/people/keys', name: 'API keys', Content: KeysPage },
  { path: '/people/audit', name: 'Audit trail', Content: AuditPage },
] as const;

export function PeopleSection() {
  const { path } = useLocation();
  const { name, Content } = pages.find((page) => page.path === path) ?? pages[0];
  useTitle(name);
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1>{name}</h1>
        <nav className={styles.pages} aria-label="People and programs">
          {pages.map((page) => (
            <Link key={page.path} href={page.path} aria-current={page.path === path ? 'page' : undefined}>
              {page.name}
            </Link>
          ))}
        </nav>
      </div>
      <Content />
    </div>
  );
}
