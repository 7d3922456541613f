/** A section of the dashboard: its pages and the links between them. */
import { type ReactNode, Suspense } from 'react';
import type { Role } from '../../generated/graphql.js';
import type { Viewer } from '../api/session.js';
import { useTitle } from '../kit/base/title.js';
import { Link } from '../kit/controls/link.js';
import type { IconName } from '../kit/display/icon.js';
import { Empty } from '../kit/display/notice.js';
import { SkeletonRows } from '../kit/display/skeleton.js';
import { hasRole } from './access.js';
import type { LazyPage } from './lazy-page.js';
import styles from './section.module.css';

/** Declared by each domain in its `section.tsx`, and listed in `sections.ts`. */
export interface Section {
  /** The domain of the server that the pages need. Omitted: every server has it. */
  readonly domain?: string;
  readonly name: string;
  readonly icon: IconName;
  /** The role required to open it. */
  readonly role: Role;
  /** As wide as the window. */
  readonly wide?: boolean;
  /** Shown on the home page to users who cannot open any section. */
  readonly welcome?: ReactNode;
  /** The first one is the target of the section's link. */
  readonly pages: readonly [SectionPage, ...SectionPage[]];
}

export interface SectionPage {
  readonly path: string;
  readonly name: string;
  readonly Content: LazyPage;
  /** The page sets the tab title itself. */
  readonly titled?: boolean;
  /** Opened from another page, and not listed in the section's navigation. */
  readonly unlisted?: boolean;
  /** The role required to open it. Omitted: the section's role. */
  readonly role?: Role;
}

interface SectionViewProps {
  readonly section: Section;
  /** The first page is shown if the path matches none. */
  readonly path: string;
  readonly viewer: Viewer;
}

export function SectionView({ section: { name: label, pages, wide = false }, path, viewer }: SectionViewProps) {
  const mayOpen = ({ role }: SectionPage) => role === undefined || hasRole(viewer, role);
  const page = pages.find((each) => each.path === path) ?? pages[0];
  const { name, Content, titled } = page;
  useTitle(titled ? null : name);
  return (
    <div className={styles.page} data-wide={wide}>
      <div className={styles.head}>
        <h1>{name}</h1>
        <nav className={styles.pages} aria-label={label}>
          {pages
            .filter((each) => mayOpen(each) && !each.unlisted)
            .map((each) => (
              <Link
                key={each.path}
                className="page-link"
                href={each.path}
                aria-current={each === page ? 'page' : undefined}
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
