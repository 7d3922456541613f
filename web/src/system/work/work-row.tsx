/** One piece of background work: its progress and result, and what can be done with it. */
import { useState } from 'react';
import type { RejectedRowsQuery } from '../../../generated/graphql.js';
import { formatBytes, formatCount, formatCountOf, formatMoment, formatShare } from '../../kit/base/format.js';
import { Confirmation } from '../../kit/controls/confirmation.js';
import { Icon } from '../../kit/display/icon.js';
import { Notice } from '../../kit/display/notice.js';
import { ProgressBar } from '../../kit/display/progress-bar.js';
import { isMoving, WorkBadge } from '../../kit/display/work-state.js';
import cells from '../../kit/lists/cells.module.css';
import { Moment } from '../../kit/lists/moment.js';
import { RejectsModal } from '../../kit/lists/rejects.js';
import { useRole } from '../../shell/access.js';
import { canUndo, nameOf, RejectedRowsDocument, shareOf, undoWork, useWork, type Work } from './work.js';
import styles from './work-page.module.css';

interface WorkRowProps {
  readonly listed: Work;
  readonly follows: boolean;
  /** Called when it has ended, or is being undone. */
  readonly onChange: () => void;
}

const importOf = ({ node }: RejectedRowsQuery) => (node?.__typename === 'DataImport' ? node : null);

export function WorkRow({ listed, follows, onChange }: WorkRowProps) {
  const work = useWork(listed, follows, onChange);
  const administers = useRole('ADMIN');
  const [dialog, setDialog] = useState<'undo' | 'rejects' | null>(null);
  const name = nameOf(work);
  const url = work.__typename === 'DataExport' ? work.url : null;
  return (
    <tr>
      <th scope="row">
        <span className={cells.who}>{name}</span>
        {isMoving(work.state) && (
          <span className={styles.progress}>
            <ProgressBar label={name} share={shareOf({ done: work.done, total: work.total ?? null })} />
          </span>
        )}
        <span className={cells.second}>
          {factsOf(work)}
          {work.__typename === 'DataImport' && work.rejected > 0 && (
            <>
              {' · '}
              <button type="button" className="link" onClick={() => setDialog('rejects')}>
                {formatCount(work.rejected)} rejected
              </button>
            </>
          )}
        </span>
        {work.failure && (
          <span className={styles.failure}>
            <Notice tone="bad">{work.failure}</Notice>
          </span>
        )}
        {dialog === 'rejects' && work.__typename === 'DataImport' && (
          <RejectsModal
            id={work.id}
            fileName={work.fileName}
            query={RejectedRowsDocument}
            importOf={importOf}
            onClose={() => setDialog(null)}
          />
        )}
        {dialog === 'undo' && <UndoDialog work={work} onClose={() => setDialog(null)} onDone={onChange} />}
      </th>
      <td>
        <WorkBadge state={work.state} />
      </td>
      <Moment at={work.startedAt} label="started" />
      <Moment at={work.finishedAt} label="ended" />
      <td>
        <span className={cells.actions}>
          {url && (
            <a className="button small" href={url} download aria-label={`Download: ${name}`}>
              <Icon name="file" /> Download
            </a>
          )}
          {canUndo(work, administers) && (
            <button
              type="button"
              className="button small"
              aria-label={`Undo: ${name}`}
              onClick={() => setDialog('undo')}
            >
              <Icon name="undo" /> Undo
            </button>
          )}
        </span>
      </td>
    </tr>
  );
}

/** How far it has come, and what has become of it. */
function factsOf(work: Work): string {
  const { state, done, total } = work;
  if (state === 'WAITING') return 'A worker will start it shortly';
  if (isMoving(state)) {
    const share = shareOf({ done, total: total ?? null });
    return total && share !== null
      ? `${formatCount(done)} of ${formatCount(total)}, ${formatShare(share)}`
      : `${formatCount(done)} done`;
  }
  switch (work.__typename) {
    case 'DataImport':
      return `${formatCount(work.imported)} imported${work.skipped > 0 ? ` · ${formatCount(work.skipped)} skipped` : ''}`;
    case 'DataExport':
      return exportFacts(work);
    case 'Seed':
      return work.kept > 0 ? `${formatCountOf(work.kept, 'changed item')} stayed` : formatCountOf(done, 'step');
    default:
      return total ? `${formatCount(done)} of ${formatCount(total)}` : formatCount(done);
  }
}

function exportFacts({ done, bytes, url, expiresAt }: Extract<Work, { __typename: 'DataExport' }>): string {
  const rows = formatCountOf(done, 'row');
  if (typeof bytes !== 'number') return rows;
  const file = `${rows}, ${formatBytes(bytes)}`;
  if (!expiresAt) return file;
  const until = Date.parse(expiresAt);
  if (until < Date.now()) return `${file} · the file was deleted after a day`;
  return url
    ? `${file} · kept until ${formatMoment(until)}`
    : `${file} · only the person who started it can download it`;
}

interface UndoDialogProps {
  readonly work: Work;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function UndoDialog({ work, onClose, onDone }: UndoDialogProps) {
  const undo = async () => {
    const refused = await undoWork(work);
    if (refused === null) onDone();
    return refused;
  };
  return (
    <Confirmation
      title="Undo this?"
      consequence={`${nameOf(work)}: what it created is removed, except what was changed or used since.`}
      no="Cancel"
      yes="Undo"
      act={undo}
      onClose={onClose}
    />
  );
}
