/** One comment that waits: who wrote it, about what, its text, the reports, and the decisions. */
import { memo, useState } from 'react';
import { useClock } from '../../kit/base/clock.js';
import { formatAgo, formatCount, formatMoment } from '../../kit/base/format.js';
import { Icon } from '../../kit/display/icon.js';
import styles from './case-row.module.css';
import type { Decision, ModeratedComment } from './moderated-comment.js';
import type { Case } from './queue.js';
import { beginningOf, decisionWords, nameOf, opposite, publishWord } from './words.js';

/** A longer text is cut until somebody asks for it. */
const TEXT_LENGTH_MAX = 900;
const REPORTS_SHOWN = 3;
const TICK_MS = 10_000;

interface CaseRowProps {
  readonly item: Case;
  readonly isSelected: boolean;
  /** Must be the same function at each call. */
  readonly onSelect: (id: string, isSelected: boolean, isRange: boolean) => void;
  /** Must be the same function at each call. */
  readonly onDecide: (ids: readonly string[], decision: Decision) => void;
}

export const CaseRow = memo(function CaseRow(props: CaseRowProps) {
  const { item } = props;
  return item.decision === null ? <Waiting {...props} /> : <Decided item={item} onDecide={props.onDecide} />;
});

function Waiting({ item, isSelected, onSelect, onDecide }: CaseRowProps) {
  const { comment, refusal, isClosed } = item;
  const { id, author } = comment;
  const by = nameOf(author);
  return (
    <li className={styles.case} data-case={id} data-selected={isSelected} data-closed={isClosed}>
      <input
        type="checkbox"
        className={styles.box}
        aria-label={`Select the comment by ${by}`}
        checked={isSelected}
        disabled={isClosed}
        onChange={({ target, nativeEvent }) => onSelect(id, target.checked, (nativeEvent as MouseEvent).shiftKey)}
      />
      <div className={styles.main}>
        <Head comment={comment} />
        <Text comment={comment} />
        <Reports reports={comment.reports} />
        {refusal && (
          <p className={styles.refusal} role="alert">
            <Icon name="warning" /> Not done: {refusal}.
          </p>
        )}
      </div>
      {isClosed ? (
        <p className={styles.closed}>Decided meanwhile</p>
      ) : (
        <div className={styles.actions}>
          <Act words={publishWord(comment)} by={by} onAct={() => onDecide([id], 'PUBLISHED')} />
          <Act words="Hide" by={by} onAct={() => onDecide([id], 'HIDDEN')} />
          <Act words="Delete" by={by} isDanger onAct={() => onDecide([id], 'DELETED')} />
        </div>
      )}
    </li>
  );
}

interface ActProps {
  readonly words: string;
  readonly by: string;
  readonly isDanger?: boolean;
  readonly onAct: () => void;
}

const Act = ({ words, by, isDanger = false, onAct }: ActProps) => (
  <button
    type="button"
    className={`button small ${isDanger ? 'danger' : ''}`}
    aria-label={`${words} the comment by ${by}`}
    onClick={onAct}
  >
    {words}
  </button>
);

function Head({
  comment: { author, state, reports, url, on, postedAt, editedAt },
}: {
  readonly comment: ModeratedComment;
}) {
  const at = Date.parse(postedAt);
  const ago = useClock(TICK_MS, (now) => formatAgo(at, now));
  return (
    <div className={styles.head}>
      <strong>{nameOf(author)}</strong>
      {author.id === null && <span className="badge">visitor</span>}
      {state === 'HELD' && (
        <span className={styles.badge} data-tone="held">
          Held
        </span>
      )}
      {reports.length > 0 && (
        <span className={styles.badge} data-tone="reported">
          {reports.length === 1 ? 'Reported' : `Reported ${formatCount(reports.length)} times`}
        </span>
      )}
      <span className="note">
        <time dateTime={postedAt} title={`${formatMoment(at)} UTC`}>
          {ago}
        </time>
        {editedAt && ', edited'} on{' '}
        <a href={url} target="_blank" rel="noreferrer">
          {on?.title || new URL(url).pathname}
        </a>
      </span>
    </div>
  );
}

/** The server has made it safe to insert. */
function Text({ comment: { html, text } }: { readonly comment: ModeratedComment }) {
  const [isWhole, setWhole] = useState((text ?? '').length <= TEXT_LENGTH_MAX);
  return (
    <>
      <div
        className={styles.text}
        data-cut={!isWhole}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized by the server, like the texts of the public site
        dangerouslySetInnerHTML={{ __html: html ?? '' }}
      />
      {!isWhole && (
        <button type="button" className={`link ${styles.more}`} onClick={() => setWhole(true)}>
          Show the whole text, {formatCount((text ?? '').length)} characters
        </button>
      )}
    </>
  );
}

function Reports({ reports }: { readonly reports: ModeratedComment['reports'] }) {
  const [isWhole, setWhole] = useState(false);
  if (reports.length === 0) return null;
  const shown = isWhole ? reports : reports.slice(0, REPORTS_SHOWN);
  const rest = reports.length - shown.length;
  return (
    <ul className={styles.reports} aria-label="Reports">
      {shown.map(({ at, reason, by }) => (
        <li key={`${by.id} ${at}`}>
          <q>{reason}</q>
          <span className="note">
            {nameOf(by)}, <time dateTime={at}>{formatMoment(Date.parse(at))} UTC</time>
          </span>
        </li>
      ))}
      {rest > 0 && (
        <li>
          <button type="button" className="link" onClick={() => setWhole(true)}>
            {rest === 1 ? 'One more report' : `${rest} more reports`}
          </button>
        </li>
      )}
    </ul>
  );
}

/** One line, until the moderator tidies up: what was decided, and its opposite. */
function Decided({ item, onDecide }: Pick<CaseRowProps, 'item' | 'onDecide'>) {
  const { comment, decision, sent, refusal } = item;
  if (decision === null) return null;
  const instead = opposite[decision];
  const by = nameOf(comment.author);
  return (
    <li className={styles.decided} data-case={comment.id} data-decision={decision}>
      <span className={styles.outcome}>
        <Icon name={decision === 'DELETED' ? 'trash' : 'check'} />
        {sent ? decisionWords[decision].acting : decisionWords[decision].done}
      </span>
      <span className="cut">
        {by}: {beginningOf(comment)}
      </span>
      {refusal && <span className={styles.refusal}>Not changed: {refusal}.</span>}
      {instead && (
        <button
          type="button"
          className="button quiet small"
          disabled={sent !== null}
          aria-label={`${decisionWords[instead].act} instead: the comment by ${by}`}
          onClick={() => onDecide([comment.id], instead)}
        >
          <Icon name="undo" /> {decisionWords[instead].act} instead
        </button>
      )}
    </li>
  );
}
