/** The empty state of a page: what to do first, as cards side by side. */
import type { ReactNode } from 'react';
import styles from './first-steps.module.css';

interface FirstStepsProps {
  /** A heading and a sentence below it. */
  readonly head: ReactNode;
  /** A list with a card for each step in order (`ol`), or for each alternative (`ul`). */
  readonly children: ReactNode;
}

export const FirstSteps = ({ head, children }: FirstStepsProps) => (
  <div className={styles.steps}>
    <header className={styles.head}>{head}</header>
    {children}
  </div>
);
