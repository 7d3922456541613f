/** A form in a dialog: what is asked for, why it was refused, and the button that sends it. */
import type { ReactNode } from 'react';
import styles from './modal.module.css';
import { Notice } from './notice.js';
import type { FormState } from './use-form.js';

interface ModalFormProps {
  readonly form: FormState;
  /** The words of the button that sends it, and those while it is on its way. */
  readonly yes: string;
  readonly doing: string;
  /** Takes something away. */
  readonly danger?: boolean;
  /** Cannot be sent as it is. */
  readonly disabled?: boolean;
  /** A button that leaves all as it is. Left out: the cross of the dialog is enough. */
  readonly no?: { readonly words: string; readonly act: () => void };
  readonly children: ReactNode;
}

export function ModalForm({ form, yes, doing, danger = false, disabled = false, no, children }: ModalFormProps) {
  const { busy, refusal, submit } = form;
  return (
    <form className={styles.form} onSubmit={submit}>
      {children}
      {refusal && <Notice tone="bad">{refusal}</Notice>}
      <div className={styles.choice}>
        {no && (
          <button type="button" className="button" onClick={no.act}>
            {no.words}
          </button>
        )}
        <button type="submit" className={`button ${danger ? 'danger' : 'primary'}`} disabled={busy || disabled}>
          {busy ? doing : yes}
        </button>
      </div>
    </form>
  );
}
