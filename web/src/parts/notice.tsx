/** What happened, and a way on. */
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.js';
import styles from './notice.module.css';

interface NoticeProps {
  readonly tone: 'good' | 'warn' | 'bad' | 'plain';
  readonly icon?: IconName;
  readonly children: ReactNode;
  /** The way on: a button or a link. */
  readonly action?: ReactNode;
}

export function Notice({ tone, icon = 'warning', children, action }: NoticeProps) {
  return (
    <div className={`${styles.notice} ${styles[tone]}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon name={icon} />
      <div className={styles.text}>{children}</div>
      {action}
    </div>
  );
}

interface FailureProps {
  readonly children: ReactNode;
  readonly again: () => void;
  /** Whether an answer of before stands below. */
  readonly old?: boolean;
}

/** Something could not be had, and may be when it is asked for again. */
export function Failure({ children, again, old = false }: FailureProps) {
  const action = (
    <button type="button" className="button" onClick={again}>
      Try again
    </button>
  );
  return (
    <Notice tone="bad" action={action}>
      {children}
      {old && ' What stands below may be old.'}
    </Notice>
  );
}

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** Nothing is here yet, and how to change that. */
export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <Icon name={icon} size={22} />
      <strong>{title}</strong>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}
