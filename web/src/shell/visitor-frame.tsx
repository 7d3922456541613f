/** The frame of the few pages that visitors see without signing in. */
import type { ReactNode } from 'react';
import { Link } from '../kit/controls/link.js';
import { Logo } from '../kit/display/logo.js';
import styles from './header.module.css';
import { ThemeButton } from './theme-button.js';

/** In the address of a page: the visitor wants to sign in, and to come back to it. */
export const SIGN_IN = 'sign-in';
/** Of the page at a path. */
export const signInAddress = (path: string): string => `${path}?${SIGN_IN}`;

export function VisitorFrame({ path, children }: { path: string; children: ReactNode }) {
  return (
    <>
      <header className={styles.header}>
        <a className="skip" href="#main">
          Skip to content
        </a>
        <Link href="/" className={`${styles.brand} ${styles.alone}`} aria-label="Sextant, home page">
          <Logo />
          <span>Sextant</span>
        </Link>
        <ThemeButton />
        <Link className="button" href={signInAddress(path)}>
          Sign in
        </Link>
      </header>
      {children}
    </>
  );
}
