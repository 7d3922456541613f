/**
 * A dialog over the page: focuses its first control, traps focus, closes on Escape. Focus then returns to where it was,
 * or to the page's content if that element no longer exists, such as the button of a row that was deleted.
 */
import { Dialog } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { Icon } from '../display/icon.js';
import styles from './modal.module.css';

interface ModalProps {
  readonly title: string;
  /** One sentence below the title. */
  readonly description?: ReactNode;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly wide?: boolean;
  /** On a narrow page it rises from the bottom, where thumbs are. */
  readonly sheet?: boolean;
  /** Its content cannot be shown again: a click outside does not close it. */
  readonly steady?: boolean;
  readonly children: ReactNode;
}

const CONTROL = 'input, textarea, select, button, a[href], [tabindex="0"]';

export function Modal({
  title,
  description,
  open,
  onOpenChange,
  wide = false,
  sheet = false,
  steady = false,
  children,
}: ModalProps) {
  const body = useRef<HTMLDivElement>(null);
  const before = useRef<Element | null>(null);
  const focusFirst = (event: Event) => {
    before.current = document.activeElement;
    const first = body.current?.querySelector<HTMLElement>(CONTROL);
    if (!first) return; // otherwise the close button would get the focus
    event.preventDefault();
    first.focus();
  };
  const goBack = (event: Event) => {
    event.preventDefault(); // the library returns focus only to its own triggers
    const target = before.current?.isConnected ? before.current : document.getElementById('main');
    if (target instanceof HTMLElement) target.focus();
  };
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.veil} />
        <Dialog.Content
          className={`${styles.modal} ${wide ? styles.wide : ''} ${sheet ? styles.sheet : ''}`}
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
