/** What is stored about the viewer, to download. */
import { useState } from 'react';
import { useClock } from '../kit/base/clock.js';
import { formatBytes, formatCount, formatMoment } from '../kit/base/format.js';
import { Card } from '../kit/display/card.js';
import { Icon } from '../kit/display/icon.js';
import { Failure, Notice } from '../kit/display/notice.js';
import { ProgressBar } from '../kit/display/progress-bar.js';
import { isMoving } from '../kit/display/work-state.js';
import { exportMyData, type OwnExport, useOwnExport } from './own-data.js';
import styles from './profile-page.module.css';

const MINUTE_MS = 60_000;

export function OwnDataCard() {
  const { isKnown, own, error, again } = useOwnExport();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const start = async () => {
    setBusy(true);
    setRefusal(await exportMyData());
    setBusy(false);
    again();
  };
  const runs = own !== null && isMoving(own.state);
  return (
    <Card title="Your data" bodyClass={styles.stack}>
      <div className={styles.row}>
        <p className={styles.text}>
          All that is stored about you, in one ZIP archive: files of JSON lines, your pictures, and an index.
        </p>
        <button type="button" className="button" disabled={!isKnown || busy || runs} onClick={() => void start()}>
          {runs || busy ? 'Exporting…' : 'Export my data'}
        </button>
      </div>
      {error !== null && <Failure again={again}>{error}</Failure>}
      {refusal !== null && <Notice tone="bad">{refusal}</Notice>}
      {runs && <Running own={own} />}
      {own && !runs && <Ended own={own} />}
    </Card>
  );
}

function Running({ own: { done } }: { own: OwnExport }) {
  return (
    <>
      <ProgressBar label="Exporting your data" share={null} />
      <p className="note" role="status">
        {done > 0 ? `${formatCount(done)} rows and pictures so far.` : 'It begins shortly.'} You can leave this page
        meanwhile.
      </p>
    </>
  );
}

function Ended({ own: { state, failure, url, bytes, expiresAt } }: { own: OwnExport }) {
  const until = Date.parse(expiresAt ?? '');
  const isKept = useClock(MINUTE_MS, (now) => until > now);
  if (state === 'FAILED') return <Notice tone="bad">{failure}</Notice>;
  if (!url || !isKept) return null;
  return (
    <div className={styles.row}>
      <a className="button primary" href={url} download>
        <Icon name="file" /> Download your data
      </a>
      <span className="note">
        {typeof bytes === 'number' && `${formatBytes(bytes)} · `}kept until {formatMoment(until)}
      </span>
    </div>
  );
}
