/** A part of the dashboard with pages of its own, and the links between them. */
import type { ComponentType } from 'react';
import { useLocation } from '../location.js';
import { Link } from './link.js';
import styles from './section.module.css';
import { useTitle } from './title.js';

export interface SectionPage {
  readonly path: string;
  readonly name: string;
  readonly Content: ComponentType;
  /** It names itself in the browser's tab. */
  readonly titled?: boolean;
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
  const { name, Content, titled } = pages.find((page) => page.path === path) ?? pages[0];
  useTitle(titled ? null : name);
  return (
    <div className={styles.page} data-wide={wide}>
      <div className={styles.head}>
        <h1>{name}</h1>
        <nav className={styles.pages} aria-label={label}>
          {pages.map((page) => (
            <Link
              key={page.path}
              className="page-link"
              href={page.path}
              aria-current={page.path === path ? 'page' : undefined}
            >
              {page.name}
            </Link>
          ))}
        </nav>
      </div>
      <Content />
    </div>
  );
}
