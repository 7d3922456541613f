/** A form in a dialog: its fields, why it was refused, and the submit button. */
import type { ReactNode } from 'react';
import { Notice } from '../display/notice.js';
import styles from './modal.module.css';
import type { FormState } from './use-form.js';

interface ModalFormProps {
  readonly form: FormState;
  /** The label of the submit button, and its label while the form is being sent. */
  readonly yes: string;
  readonly doing: string;
  /** The action is destructive. */
  readonly danger?: boolean;
  /** The form cannot be sent yet. */
  readonly disabled?: boolean;
  /** A cancel button. Omitted: the dialog's close button is enough. */
  readonly no?: { readonly words: string; readonly act: () => void };
  readonly children: ReactNode;
}

export function ModalForm({ form, yes, doing, danger = false, disabled = false, no, children }: ModalFormProps) {
  const { busy, refusal, submit, forget } = form;
  return (
    <form className={styles.form} onSubmit={submit} onChange={forget}>
      {children}
      {refusal && (
        <div className={styles.refusal}>
          <Notice tone="bad">{refusal}</Notice>
        </div>
      )}
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
