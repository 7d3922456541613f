/** A short message about the last action, at the bottom of the page. */
import { type ReactNode, useEffect } from 'react';
import { createStore, useStore } from '../../../kit/base/store.js';
import { Icon } from '../../../kit/display/icon.js';
import styles from './toast.module.css';

interface Toast {
  readonly text: string;
  readonly tone: 'good' | 'bad';
  readonly action?: ReactNode;
}

const SHOWN_MS = 6_000;

const toastStore = createStore<Toast | null>(null);

export const say = (toast: Toast): void => toastStore.set(toast);

/** Hides the toast; on another page it no longer applies. */
export const hush = (): void => toastStore.set(null);

export function ToastPlace() {
  const toast = useStore(toastStore);
  useEffect(() => {
    if (!toast) return;
    const timer = setTimeout(hush, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <div className={styles.place} role="status">
      {toast && (
        <div className={styles.toast} data-tone={toast.tone}>
          <Icon name={toast.tone === 'good' ? 'check' : 'warning'} />
          <span>{toast.text}</span>
          {toast.action}
        </div>
      )}
    </div>
  );
}
