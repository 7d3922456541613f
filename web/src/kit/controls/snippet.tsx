/** Text to copy: a line to paste, a command to run. */
import { CopyButton } from './copy-button.js';
import styles from './snippet.module.css';

interface SnippetProps {
  /** What to do with it. */
  readonly label: string;
  readonly text: string;
  /** The label of the button. */
  readonly copy: string;
  /** What happens next. */
  readonly note: string;
}

export const Snippet = ({ label, text, copy, note }: SnippetProps) => (
  <div className="field">
    <span className="label">{label}</span>
    <pre className={styles.snippet}>{text}</pre>
    <div className={styles.row}>
      <CopyButton text={text} label={copy} />
      <span className="note">{note}</span>
    </div>
  </div>
);
