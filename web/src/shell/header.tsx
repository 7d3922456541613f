/** The bar at the top of every page: navigation, connection status, user menu. */
import { DropdownMenu } from 'radix-ui';
import { useEffect, useRef } from 'react';
import { signOut, type Viewer } from '../api/session.js';
import { navigate } from '../kit/base/location.js';
import { Link } from '../kit/controls/link.js';
import { Icon } from '../kit/display/icon.js';
import { Logo } from '../kit/display/logo.js';
import { hasGraphiQL } from './access.js';
import styles from './header.module.css';
import { LiveMark } from './live-mark.js';
import { type OwnedSections, pagesFor, type Section } from './section.js';
import { ThemeButton } from './theme-button.js';

interface HeaderProps {
  readonly viewer: Viewer;
  /** The sections that the viewer can open. */
  readonly sections: readonly Section[];
  readonly owned: OwnedSections;
  /** The current one. */
  readonly here: Section | undefined;
}

export function Header({ viewer, sections, owned, here }: HeaderProps) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const link = here && nav.current?.querySelector('[aria-current]');
    if (!nav.current || !link) return;
    // Not `scrollIntoView`, which may move the page as well.
    const [whole, one] = [nav.current.getBoundingClientRect(), link.getBoundingClientRect()];
    nav.current.scrollLeft += one.left - whole.left - (whole.width - one.width) / 2;
  }, [here]);
  return (
    <header className={styles.header}>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Link href="/" className={styles.brand} aria-label="Sextant, home page">
        <Logo />
        <span>Sextant</span>
      </Link>
      <nav ref={nav} aria-label="Pages" className={styles.pages}>
        {sections.map((section) => (
          <Link
            key={section.name}
            className="page-link"
            href={(pagesFor(section, viewer, owned)[0] ?? section.pages[0]).path}
            aria-current={section === here ? 'page' : undefined}
          >
            <Icon name={section.icon} />
            {section.name}
            {section.Mark && <section.Mark />}
          </Link>
        ))}
        {hasGraphiQL && (
          <a className={`page-link ${styles.explorer}`} href="/graphiql">
            <Icon name="code" />
            GraphiQL
          </a>
        )}
      </nav>
      <LiveMark />
      <ThemeButton />
      <ViewerMenu viewer={viewer} />
    </header>
  );
}

function ViewerMenu({ viewer }: { viewer: Viewer }) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button quiet icon" aria-label={`Signed in as ${viewer.name}`}>
        <Icon name="user" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={6}>
          <DropdownMenu.Label className="menu-label">
            <strong>{viewer.name}</strong>
            <br />
            {viewer.email}
          </DropdownMenu.Label>
          <DropdownMenu.Item className="menu-item" onSelect={() => navigate('/profile')}>
            Profile
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={() => void signOut()}>
            Sign out
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
