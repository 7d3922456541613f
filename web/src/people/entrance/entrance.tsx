/** The frame of the pages for visitors who are not signed in. */
import type { ReactNode } from 'react';
import { viewerStore } from '../../api/session.js';
import { useStore } from '../../kit/base/store.js';
import { useTitle } from '../../kit/base/title.js';
import { Link } from '../../kit/controls/link.js';
import { Logo } from '../../kit/display/logo.js';
import { Notice } from '../../kit/display/notice.js';
import { ThemeButton } from '../../shell/theme-button.js';
import styles from './entrance.module.css';

interface EntranceProps {
  readonly title: string;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

export function Entrance({ title, wide = false, children }: EntranceProps) {
  useTitle(title);
  return (
    <main className={styles.page} id="main">
      <div className={styles.theme}>
        <ThemeButton />
      </div>
      <div className={styles.card} data-wide={wide}>
        <Logo size={40} />
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}

/** @param good how long the link is valid, in words */
export function CheckYourMail({ address, good }: { address: string; good: string }) {
  return (
    <Entrance title="Check your email">
      <p role="status">
        We sent an email to <strong className={styles.address}>{address}</strong>. Its link is valid for {good}.
      </p>
      <p className="note">Nothing there? Check your spam folder, and whether the address is correct.</p>
      <Link href="/">Back to sign-in</Link>
    </Entrance>
  );
}

export const BrokenLink = () => (
  <Notice tone="warn" action={<Link href="/">Go to the home page</Link>}>
    This link is incomplete. Copy the whole link, up to the end of its line.
  </Notice>
);

/** Warns before this browser switches to another account. @param then when it does */
export function SomebodyIsHere({ then }: { then: string }) {
  const viewer = useStore(viewerStore);
  if (!viewer) return null;
  return (
    <p className="note">
      You are signed in as {viewer.email}. {then}, this browser will be signed in to that account instead.
    </p>
  );
}
