/** A secret that is shown only once, with a button to copy it. */
import { useId } from 'react';
import { Notice } from '../display/notice.js';
import { CopyButton } from './copy-button.js';
import styles from './shown-once.module.css';

interface ShownOnceProps {
  /** The label of the secret, for example "API key". */
  readonly label: string;
  readonly text: string;
  /** The label of the button. */
  readonly copy: string;
}

export function ShownOnce({ label, text, copy }: ShownOnceProps) {
  const id = useId();
  return (
    <div className={styles.box}>
      <Notice tone="warn">Copy it now. It will not be shown again: only a hash of it is stored.</Notice>
      <div className="field">
        <label htmlFor={id}>{label}</label>
        <textarea
          className={`input mono ${styles.text}`}
          id={id}
          value={text}
          rows={2}
          readOnly
          spellCheck={false}
          onFocus={(event) => event.target.select()}
        />
      </div>
      <CopyButton text={text} label={copy} />
    </div>
  );
}
