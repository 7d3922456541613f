/** Statistics as a file of comma-separated values. */
import { formatBytes, formatCountOf } from '../../kit/base/format.js';
import { Icon } from '../../kit/display/icon.js';
import { Notice } from '../../kit/display/notice.js';
import { isMoving } from '../../kit/display/work-state.js';
import { type StatsExport, useStatsExport } from '../data/stats-export.js';
import styles from './stats.module.css';

/** @param start @returns why it was refused, or the export */
export function StatsExportRow({ start }: { readonly start: () => Promise<string | StatsExport> }) {
  const { work, busy, refusal, begin } = useStatsExport(start);
  const runs = work !== null && isMoving(work.state);
  return (
    <div className={styles.acts}>
      <button type="button" className="button small" disabled={busy || runs} onClick={() => void begin()}>
        <Icon name="table" /> {busy || runs ? 'Exporting…' : 'Export as CSV'}
      </button>
      {work && !runs && work.url && (
        <a className="button small primary" href={work.url} download>
          <Icon name="file" /> Download
        </a>
      )}
      {work && !runs && work.url && (
        <span className="note">
          {formatCountOf(work.done, 'line')}
          {typeof work.bytes === 'number' && `, ${formatBytes(work.bytes)}`}. Kept for a day.
        </span>
      )}
      {work?.state === 'FAILED' && <Notice tone="bad">{work.failure}</Notice>}
      {refusal !== null && <Notice tone="bad">{refusal}</Notice>}
    </div>
  );
}
