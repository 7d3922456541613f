/** One import: its progress and its result. */
import { useEffect, useRef, useState } from 'react';
import type { LogImportState } from '../../../generated/graphql.js';
import {
  formatCompact,
  formatCount,
  formatCountOf,
  formatMoment,
  formatShare,
  formatSpan,
} from '../../kit/base/format.js';
import { Confirmation } from '../../kit/controls/confirmation.js';
import { Icon } from '../../kit/display/icon.js';
import { Notice } from '../../kit/display/notice.js';
import { ProgressBar } from '../../kit/display/progress-bar.js';
import { isMoving, WorkBadge } from '../../kit/display/work-state.js';
import { tellPastChanged } from '../sites/refresh.js';
import styles from './import-card.module.css';
import { type FollowedImport, type LogImport, undoImport, useImport } from './imports.js';
import { LogRejects } from './rejects.js';

const stateWords: Partial<Record<LogImportState, string>> = { RUNNING: 'Importing', FINISHED: 'Imported' };

/** @param onChanged called when the import or its undo has ended */
export function ImportRow({ listed, onChanged }: { listed: LogImport; onChanged: () => void }) {
  const followed = useImport(listed);
  const { now } = followed;
  const [dialog, setDialog] = useState<'rejects' | 'undo' | null>(null);
  useRest(now.state, onChanged);
  const moves = isMoving(now.state);
  return (
    <li className={styles.row} data-state={now.state}>
      <div className={styles.line}>
        <Icon name="file" />
        <span className={`cut ${styles.name}`} title={now.fileName}>
          {now.fileName}
        </span>
        <WorkBadge
          state={now.state}
          word={hasNothing(now) ? 'Nothing imported' : stateWords[now.state]}
          isBad={hasNothing(now)}
        />
        {(now.state === 'FINISHED' || now.state === 'FAILED') && (
          <button
            type="button"
            className="button quiet icon"
            aria-label={`Undo the import of ${now.fileName}`}
            title="Undo this import"
            onClick={() => setDialog('undo')}
          >
            <Icon name="undo" />
          </button>
        )}
      </div>
      {moves && (
        <ProgressBar
          label={`${now.state === 'UNDOING' ? 'Undoing' : 'Importing'} ${now.fileName}`}
          share={shareOf(now)}
        />
      )}
      <p className={styles.facts}>
        <Facts followed={followed} />
        {now.rejected > 0 && (
          <button type="button" className="link" onClick={() => setDialog('rejects')}>
            {formatCount(now.rejected)} rejected
          </button>
        )}
        {!moves && now.finishedAt && <span>{formatMoment(Date.parse(now.finishedAt))} UTC</span>}
      </p>
      {now.delay && <Notice tone="plain">{now.delay}</Notice>}
      {now.failure && <Notice tone="bad">{now.failure}</Notice>}
      {dialog === 'rejects' && <LogRejects id={now.id} fileName={now.fileName} onClose={() => setDialog(null)} />}
      {dialog === 'undo' && <UndoModal target={now} onClose={() => setDialog(null)} onUndone={onChanged} />}
    </li>
  );
}

/** Calls back once when a running import has ended: charts of the past are then outdated. */
function useRest(state: LogImportState, onRest: () => void): void {
  const wasMoving = useRef(isMoving(state));
  useEffect(() => {
    if (wasMoving.current && !isMoving(state)) {
      tellPastChanged();
      onRest();
    }
    wasMoving.current = isMoving(state);
  }, [state, onRest]);
}

/** Whether all lines of the file were rejected. */
const hasNothing = ({ state, lines, rejected }: LogImport) => state === 'FINISHED' && lines > 0 && rejected === lines;

const shareOf = ({ progress }: LogImport) => progress ?? null;

function Facts({ followed: { now, linesPerSecond, secondsLeft } }: { followed: FollowedImport }) {
  const share = shareOf(now);
  if (now.state === 'WAITING') return <span>A worker will start it shortly.</span>;
  if (!isMoving(now.state)) {
    return (
      <span>
        {formatCountOf(now.lines, 'line')}, {formatCountOf(now.hits, 'hit')}
      </span>
    );
  }
  return (
    <>
      <span>
        {formatCountOf(now.lines, 'line')}
        {share !== null && `, ${formatShare(share)}`}
      </span>
      {linesPerSecond !== null && <span>{formatCompact(linesPerSecond)} lines/s</span>}
      {secondsLeft !== null && <span>{formatSpan(Math.max(1, secondsLeft))} left</span>}
    </>
  );
}

interface UndoModalProps {
  readonly target: LogImport;
  readonly onClose: () => void;
  readonly onUndone: () => void;
}

function UndoModal({ target, onClose, onUndone }: UndoModalProps) {
  const undo = async () => {
    const refused = await undoImport(target.id);
    if (refused === null) onUndone();
    return refused;
  };
  return (
    <Confirmation
      title="Undo this import?"
      consequence={`${formatCountOf(target.imported, 'request')} and ${formatCountOf(target.hits, 'hit')} of ${target.fileName} will be removed from the log and from all charts. The file can be imported again.`}
      no="Cancel"
      yes="Undo import"
      act={undo}
      onClose={onClose}
    />
  );
}
