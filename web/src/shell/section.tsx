/** A section of the dashboard: its pages and the links between them. */
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import type { Role } from '../../generated/graphql.js';
import type { Viewer } from '../api/session.js';
import { navigate } from '../kit/base/location.js';
import { useTitle } from '../kit/base/title.js';
import { Link } from '../kit/controls/link.js';
import type { IconName } from '../kit/display/icon.js';
import { Empty } from '../kit/display/notice.js';
import { SkeletonRows } from '../kit/display/skeleton.js';
import { hasRole } from './access.js';
import { HeadingPlace } from './heading.js';
import type { LazyPage } from './lazy-page.js';
import { roleWords } from './role-words.js';
import styles from './section.module.css';
import { useAbove } from './use-above.js';

/** Declared by each domain in its `section.tsx`, and listed in `sections.ts`. */
export interface Section {
  /** The domain of the server that the pages need. Omitted: every server has it. */
  readonly domain?: string;
  readonly name: string;
  readonly icon: IconName;
  /** The role required to open its pages, except those that name another one. */
  readonly role: Role;
  /** Whether something of it is the viewer's own: its pages that name no role are then open without the role. Asked once. */
  readonly isOwner?: () => Promise<boolean>;
  /** Shown beside its name in the navigation, for example how many things wait. */
  readonly Mark?: () => ReactNode;
  /** As wide as the window. */
  readonly wide?: boolean;
  /** Shown on the home page to users who cannot open any section. */
  readonly welcome?: ReactNode;
  /** Shown at its addresses to visitors who are not signed in. Omitted: the form to sign in. */
  readonly visitors?: LazyPage;
  /** The first one that the viewer may open is the target of the section's link. */
  readonly pages: readonly [SectionPage, ...SectionPage[]];
}

export interface SectionPage {
  /** One that ends with `/:id` is a page for each id, which `idIn` reads from the address. */
  readonly path: string;
  readonly name: string;
  readonly Content: LazyPage;
  /** The page sets the tab title itself. */
  readonly titled?: boolean;
  /** The page sets the heading itself, with `Heading`. */
  readonly headed?: boolean;
  /** Opened from another page, and not listed in the section's navigation. */
  readonly unlisted?: boolean;
  /** The listed page to which it belongs, which the navigation marks instead. */
  readonly parentPath?: string;
  /** The role required to open it. Omitted: the section's role. */
  readonly role?: Role;
  /** The page to which it leads who may not open it, and may open that one. */
  readonly insteadPath?: string;
  /** Also for visitors who are not signed in. Where they see nothing, it offers to sign in. */
  readonly forVisitors?: true;
}

const ID = ':id';

/** The id in an address, for a page whose path ends with `/:id`. Null if the address is of another page. */
export function idIn(pagePath: string, path: string): string | null {
  const start = pagePath.slice(0, -ID.length);
  if (!pagePath.endsWith(`/${ID}`) || !path.startsWith(start)) return null;
  const id = path.slice(start.length);
  if (id === '' || id.includes('/')) return null;
  try {
    return decodeURIComponent(id);
  } catch {
    return id; // a `%` that encodes nothing
  }
}

/** The page of a section at an address. */
export const pageAt = ({ pages }: Section, path: string): SectionPage | undefined =>
  pages.find((page) => page.path === path || idIn(page.path, path) !== null);

/** The names of sections of which something is the viewer's own. */
export type OwnedSections = ReadonlySet<string>;

/** @returns the pages that the viewer may open. None: the section is not for this viewer */
export const pagesFor = (section: Section, viewer: Viewer, owned: OwnedSections): readonly SectionPage[] =>
  section.pages.filter(
    ({ role }) => hasRole(viewer, role ?? section.role) || (role === undefined && owned.has(section.name)),
  );

/** Whether the viewer has lost a page that was open. Who has is told so; only who arrives is led elsewhere. */
export function useLost(path: string, isOpen: boolean): boolean {
  const open = useRef<string | null>(null);
  useEffect(() => {
    if (isOpen) open.current = path;
    else if (open.current !== path) open.current = null;
  });
  return !isOpen && open.current === path;
}

interface SectionViewProps {
  readonly section: Section;
  /** The first page that the viewer may open is shown if the path matches none. */
  readonly path: string;
  /** The pages that the viewer may open. */
  readonly open: readonly SectionPage[];
}

export function SectionView({ section, path, open }: SectionViewProps) {
  const { name: label, pages, wide = false } = section;
  const page = pageAt(section, path) ?? open[0] ?? pages[0];
  const { name, Content, titled, headed, parentPath } = page;
  const [heading, setHeading] = useState<HTMLElement | null>(null);
  // The address of the first page is that of the section: who may not open it is led to the first one that they may.
  const isLost = useLost(page.path, open.includes(page));
  const instead = page === pages[0] && !open.includes(page) && !isLost ? open[0] : undefined;
  useEffect(() => {
    if (instead) navigate(instead.path, { replace: true });
  }, [instead]);
  useTitle(titled ? null : name);
  const head = useAbove();
  return (
    <div className={styles.page} data-wide={wide}>
      <div ref={head} className={styles.head}>
        <h1 ref={setHeading}>{headed && open.includes(page) ? null : name}</h1>
        <nav className={styles.pages} aria-label={label}>
          {open
            .filter((each) => !each.unlisted)
            .map((each) => (
              <Link
                key={each.path}
                className="page-link"
                href={each.path}
                aria-current={each === page ? 'page' : each.path === parentPath ? 'true' : undefined}
              >
                {each.name}
              </Link>
            ))}
        </nav>
      </div>
      {open.includes(page) ? (
        <Suspense key={name} fallback={<SkeletonRows rows={6} height="64px" />}>
          <HeadingPlace value={heading}>
            <Content />
          </HeadingPlace>
        </Suspense>
      ) : (
        <Empty icon="people" title="You cannot open this page">
          It requires the {roleWords[page.role ?? section.role].name} role. An administrator can change your roles in
          People.
        </Empty>
      )}
    </div>
  );
}
