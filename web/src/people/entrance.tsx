/** The frame of the pages that are there before one is signed in. */
import type { ReactNode } from 'react';
import { Link } from '../parts/link.js';
import { Logo } from '../parts/logo.js';
import { Notice } from '../parts/notice.js';
import { useStore } from '../parts/store.js';
import { useTitle } from '../parts/title.js';
import { viewerStore } from '../session.js';
import { ThemeButton } from '../shell/header.js';
import styles from './entrance.module.css';

export function Entrance({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title);
  return (
    <main className={styles.page} id="main">
      <div className={styles.theme}>
        <ThemeButton />
      </div>
      <div className={styles.card}>
        <Logo size={40} />
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}

/** @param good how long its link is */
export function CheckYourMail({ address, good }: { address: string; good: string }) {
  return (
    <Entrance title="Check your mail">
      <p role="status">
        We have sent a mail to <strong className={styles.address}>{address}</strong>. Its link is good for {good}.
      </p>
      <p className="note">Nothing there? Look among the unwanted mail, or check that the address is right.</p>
      <Link href="/">Back to sign-in</Link>
    </Entrance>
  );
}

export const BrokenLink = () => (
  <Notice tone="warn" action={<Link href="/">Go to the first page</Link>}>
    This link is not whole. Copy all of it, up to the end of its line.
  </Notice>
);

/** Accounts are not mixed up without a word. @param then when this browser is signed in with another account */
export function SomebodyIsHere({ then }: { then: string }) {
  const viewer = useStore(viewerStore);
  if (!viewer) return null;
  return (
    <p className="note">
      You are signed in as {viewer.email}. {then}, this browser is signed in with that one.
    </p>
  );
}
