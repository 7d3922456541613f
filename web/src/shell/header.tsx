/** The bar at the top of every page: navigation, connection status, user menu. */
import { DropdownMenu } from 'radix-ui';
import { signOut, type Viewer } from '../api/session.js';
import { navigate, useLocation } from '../kit/base/location.js';
import { useStore } from '../kit/base/store.js';
import { themeStore, toggleTheme } from '../kit/base/theme.js';
import { Link } from '../kit/controls/link.js';
import { Icon } from '../kit/display/icon.js';
import { Logo } from '../kit/display/logo.js';
import { hasGraphiQL, pageAt, pagesOf } from './access.js';
import styles from './header.module.css';
import { LiveMark } from './live-mark.js';

export function Header({ viewer }: { viewer: Viewer }) {
  const here = pageAt(useLocation().path);
  return (
    <header className={styles.header}>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Link href="/" className={styles.brand} aria-label="Sextant, home page">
        <Logo />
        <span>Sextant</span>
      </Link>
      <nav aria-label="Pages" className={styles.pages}>
        {pagesOf(viewer).map((page) => (
          <Link
            key={page.path}
            className="page-link"
            href={page.path}
            aria-current={page === here ? 'page' : undefined}
          >
            <Icon name={page.icon} />
            {page.name}
          </Link>
        ))}
        {hasGraphiQL && (
          <a className="page-link" href="/graphiql">
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

export function ThemeButton() {
  const theme = useStore(themeStore);
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <button
      type="button"
      className="button quiet icon"
      onClick={toggleTheme}
      aria-label={`Use the ${other} theme`}
      title={`Use the ${other} theme`}
    >
      <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
    </button>
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
