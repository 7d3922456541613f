/**
 * A dialog over the page: begins at its first control, keeps the keyboard inside, closes on Escape. The keyboard then goes back to where it
 * was; to the page's content when that is gone, such as the button of a row that was deleted.
 */
import { Dialog } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { Icon } from './icon.js';
import styles from './modal.module.css';

interface ModalProps {
  readonly title: string;
  /** One sentence below the title. */
  readonly description?: ReactNode;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly wide?: boolean;
  /** What it shows cannot be shown again: a click beside it does not close it. */
  readonly steady?: boolean;
  readonly children: ReactNode;
}

const CONTROL = 'input, textarea, select, button, a[href], [tabindex="0"]';

export function Modal({ title, description, open, onOpenChange, wide = false, steady = false, children }: ModalProps) {
  const body = useRef<HTMLDivElement>(null);
  const before = useRef<Element | null>(null);
  const focusFirst = (event: Event) => {
    before.current = document.activeElement;
    const first = body.current?.querySelector<HTMLElement>(CONTROL);
    if (!first) return; // else the cross would have it
    event.preventDefault();
    first.focus();
  };
  const goBack = (event: Event) => {
    event.preventDefault(); // the library knows only triggers of its own
    const target = before.current?.isConnected ? before.current : document.getElementById('main');
    if (target instanceof HTMLElement) target.focus();
  };
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.veil} />
        <Dialog.Content
          className={`${styles.modal} ${wide ? styles.wide : ''}`}
          onOpenAutoFocus={focusFirst}
          onCloseAutoFocus={goBack}
          onInteractOutside={(event) => steady && event.preventDefault()}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <header className={styles.header}>
            <Dialog.Title className={styles.title}>{title}</Dialog.Title>
            <Dialog.Close className="button quiet icon" aria-label="Close">
              <Icon name="close" />
            </Dialog.Close>
          </header>
          {description && <Dialog.Description className={styles.description}>{description}</Dialog.Description>}
          <div ref={body} className={styles.body}>
            {children}
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
