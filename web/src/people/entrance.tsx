/** The frame of the pages that are there before one is signed in. */
import type { ReactNode } from 'react';
import { Logo } from '../parts/logo.js';
import { useTitle } from '../parts/title.js';
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
