/** A secret that is shown now and never again: with a way to take it along. */
import { useId } from 'react';
import { CopyButton } from './copy-button.js';
import { Notice } from './notice.js';
import styles from './shown-once.module.css';

interface ShownOnceProps {
  /** What it is, for example "The key". */
  readonly label: string;
  readonly text: string;
  /** The words of the button. */
  readonly copy: string;
}

export function ShownOnce({ label, text, copy }: ShownOnceProps) {
  const id = useId();
  return (
    <div className={styles.box}>
      <Notice tone="warn">Take it along now: you will not see it again. Only a fingerprint of it is stored.</Notice>
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
