/** A message: what happened and what to do next. */
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.js';
import styles from './notice.module.css';

interface NoticeProps {
  readonly tone: 'good' | 'warn' | 'bad' | 'plain';
  readonly icon?: IconName;
  readonly children: ReactNode;
  /** What to do next: a button or a link. */
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
  /** Whether an earlier result is still shown below. */
  readonly old?: boolean;
}

/** A request failed; retrying may help. */
export function Failure({ children, again, old = false }: FailureProps) {
  const action = (
    <button type="button" className="button" onClick={again}>
      Try again
    </button>
  );
  return (
    <Notice tone="bad" action={action}>
      {children}
      {old && ' The data below may be outdated.'}
    </Notice>
  );
}

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** An empty state: nothing is here yet, and how to change that. */
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
