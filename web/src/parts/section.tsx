/** A part of the dashboard with pages of its own, and the links between them. */
import { type ComponentType, Suspense } from 'react';
import type { Role } from '../../generated/graphql.js';
import { hasRole } from '../access.js';
import { useLocation } from '../location.js';
import { viewerStore } from '../session.js';
import { Link } from './link.js';
import { Empty } from './notice.js';
import styles from './section.module.css';
import { SkeletonRows } from './skeleton.js';
import { useStore } from './store.js';
import { useTitle } from './title.js';

export interface SectionPage {
  readonly path: string;
  readonly name: string;
  readonly Content: ComponentType;
  /** It names itself in the browser's tab. */
  readonly titled?: boolean;
  /** What it takes to open it. Left out: what the section takes. */
  readonly role?: Role;
}

interface SectionProps {
  /** What the links lead through. */
  readonly label: string;
  /** The first one is shown where the address names none of them. */
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
          You are signed in, and may not see it. Whoever gives roles in People can change that.
        </Empty>
      )}
    </div>
  );
}
