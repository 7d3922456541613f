/** Asks for confirmation before an action that moves money or cannot be undone. */
import { type ReactNode, useState } from 'react';
import { Notice } from '../display/notice.js';
import { Modal } from './modal.js';
import styles from './modal.module.css';

interface ConfirmationProps {
  readonly title: string;
  /** What the action will do. */
  readonly consequence: ReactNode;
  /** The labels of the two buttons. */
  readonly no: string;
  readonly yes: string;
  /** The action is not destructive. */
  readonly harmless?: boolean;
  /** @returns why it was refused, or null on success */
  readonly act: () => Promise<string | null>;
  readonly onClose: () => void;
  /** Called after success, when the dialog is closed. */
  readonly onDone?: () => void;
}

export function Confirmation({
  title,
  consequence,
  no,
  yes,
  harmless = false,
  act,
  onClose,
  onDone,
}: ConfirmationProps) {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const go = async () => {
    setBusy(true);
    const refused = await act();
    setBusy(false);
    setRefusal(refused);
    if (refused !== null) return;
    onClose();
    onDone?.();
  };
  return (
    <Modal title={title} description={consequence} open onOpenChange={onClose}>
      {refusal && <Notice tone="bad">{refusal}</Notice>}
      <div className={styles.choice}>
        <button type="button" className="button" onClick={onClose}>
          {no}
        </button>
        <button
          type="button"
          className={`button ${harmless ? 'primary' : 'danger'}`}
          disabled={busy}
          onClick={() => void go()}
        >
          {yes}
        </button>
      </div>
    </Modal>
  );
}
