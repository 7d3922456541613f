/** A section of the dashboard: its pages and the links between them. */
import { type ComponentType, Suspense } from 'react';
import type { Role } from '../../generated/graphql.js';
import { viewerStore } from '../api/session.js';
import { useLocation } from '../kit/base/location.js';
import { useStore } from '../kit/base/store.js';
import { useTitle } from '../kit/base/title.js';
import { Link } from '../kit/controls/link.js';
import { Empty } from '../kit/display/notice.js';
import { SkeletonRows } from '../kit/display/skeleton.js';
import { hasRole } from './access.js';
import styles from './section.module.css';

export interface SectionPage {
  readonly path: string;
  readonly name: string;
  readonly Content: ComponentType;
  /** The page sets the tab title itself. */
  readonly titled?: boolean;
  /** The role required to open it. Omitted: the section's role. */
  readonly role?: Role;
}

interface SectionProps {
  /** The accessible name of the navigation. */
  readonly label: string;
  /** The first one is shown if the URL matches none of them. */
  readonly pages: readonly [SectionPage, ...SectionPage[]];
  /** As wide as the window. */
  readonly wide?: boolean;
}

export function Section({ label, pages, wide = false }: SectionProps) {
  const { path } = useLocation();
  const viewer = useStore(viewerStore);
  const mayOpen = ({ role }: SectionPage) => role === undefined || (viewer ? hasRole(viewer, role) : false);
  const page = pages.find((each) => each.path === path) ?? pages[0];
  const { name, Content, titled } = page;
  useTitle(titled ? null : name);
  return (
    <div className={styles.page} data-wide={wide}>
      <div className={styles.head}>
        <h1>{name}</h1>
        <nav className={styles.pages} aria-label={label}>
          {pages.filter(mayOpen).map((each) => (
            <Link
              key={each.path}
              className="page-link"
              href={each.path}
              aria-current={each.path === path ? 'page' : undefined}
            >
              {each.name}
            </Link>
          ))}
        </nav>
      </div>
      {mayOpen(page) ? (
        <Suspense key={name} fallback={<SkeletonRows rows={6} height="64px" />}>
          <Content />
        </Suspense>
      ) : (
        <Empty icon="people" title="This page is for administrators">
          Your account does not have access to it. An administrator can change your roles in People.
        </Empty>
      )}
    </div>
  );
}
