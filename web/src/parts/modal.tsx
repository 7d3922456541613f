/** A dialog over the page: keeps the keyboard inside, closes on Escape, gives the focus back. */
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { Icon } from './icon.js';
import styles from './modal.module.css';

interface ModalProps {
  readonly title: string;
  /** One sentence below the title. */
  readonly description?: ReactNode;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

export function Modal({ title, description, open, onOpenChange, wide = false, children }: ModalProps) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.veil} />
        <Dialog.Content
          className={`${styles.modal} ${wide ? styles.wide : ''}`}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <header className={styles.header}>
            <Dialog.Title className={styles.title}>{title}</Dialog.Title>
            <Dialog.Close className="button quiet icon" aria-label="Close">
              <Icon name="close" />
            </Dialog.Close>
          </header>
          {description && <Dialog.Description className={styles.description}>{description}</Dialog.Description>}
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
