/** For editors: importing a world from a file, and exporting this one. */
import { useState } from 'react';
import type { WorldFormat } from '../../../../generated/graphql.js';
import { formatBytes, formatCount, formatCountOf, formatMoment } from '../../../kit/base/format.js';
import { navigate, useLocation } from '../../../kit/base/location.js';
import { Choice } from '../../../kit/controls/choices.js';
import { Link } from '../../../kit/controls/link.js';
import { TextField } from '../../../kit/controls/text-field.js';
import { textOf, useForm } from '../../../kit/controls/use-form.js';
import { Card } from '../../../kit/display/card.js';
import { Notice } from '../../../kit/display/notice.js';
import { ProgressBar } from '../../../kit/display/progress-bar.js';
import { isMoving, WorkBadge } from '../../../kit/display/work-state.js';
import { RejectsModal } from '../../../kit/lists/rejects.js';
import {
  exportWorld,
  formats,
  importOf,
  importWorld,
  RejectedWorldRowsDocument,
  useWorldWork,
  type WorldWork,
} from '../data/files.js';
import styles from './files-page.module.css';

/** The work that was started last is in the address, so that a reload still follows it. */
const ADDRESS = '/game/files';

export function FilesPage() {
  const { work, refused } = useWorldWork(useLocation().query.get('work'));
  const follow = (id: string) => navigate(`${ADDRESS}?work=${encodeURIComponent(id)}`, { replace: true });
  return (
    <div className={styles.column}>
      {refused !== null && <Notice tone="bad">{refused}</Notice>}
      {work && <Progress key={work.id} work={work} />}
      <ImportCard onStart={follow} />
      <ExportCard onStart={follow} />
    </div>
  );
}

interface StartProps {
  readonly onStart: (id: string) => void;
}

function ImportCard({ onStart }: StartProps) {
  const [share, setShare] = useState(0);
  const [format, setFormat] = useState<WorldFormat>('JSON_LINES');
  const { busy, refusal, submit } = useForm(async (fields, form) => {
    const file = fields.get('file');
    if (!(file instanceof File) || file.size === 0) return 'Choose a file that is not empty.';
    setShare(0);
    const prefix = textOf(fields, 'prefix').trim();
    const started = await importWorld(file, { format, prefix: prefix === '' ? null : prefix }, setShare);
    if (typeof started === 'string') return started;
    form.reset();
    onStart(started.id);
    return null;
  });
  return (
    <Card title="Import a world">
      <form className={styles.form} onSubmit={submit}>
        <p>
          Rooms, items and folk. What is there already under the same key is changed, and stays where it is. What this
          world cannot have, such as exits that work by chance, is rejected with the reason. A world in several files is
          imported as one: join them first.
        </p>
        <Choice label="Format" options={formats} chosen={format} onChange={setFormat} />
        <TextField
          label="Prefix"
          name="prefix"
          maxLength={20}
          pattern="[A-Za-z0-9]*"
          hint="Put before all keys of the file, so that worlds do not collide. Letters and digits. Empty: nothing."
        />
        <div className="field">
          <label htmlFor="world-file">File, plain or gzip</label>
          <input className="input" id="world-file" type="file" name="file" required />
        </div>
        {busy && <ProgressBar label="Sending the file" share={share} />}
        {refusal !== null && <Notice tone="bad">{refusal}</Notice>}
        <div>
          <button type="submit" className="button primary" disabled={busy}>
            {busy ? 'Sending…' : 'Import'}
          </button>
        </div>
      </form>
    </Card>
  );
}

function ExportCard({ onStart }: StartProps) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const start = async () => {
    setBusy(true);
    const started = await exportWorld();
    setBusy(false);
    setFailure(typeof started === 'string' ? started : null);
    if (typeof started !== 'string') onStart(started.id);
  };
  return (
    <Card title="Export this world">
      <div className={styles.form}>
        <p>All rooms, items and folk in a file that can be imported, here or elsewhere. Players are not in it.</p>
        {failure !== null && <Notice tone="bad">{failure}</Notice>}
        <div>
          <button type="button" className="button" disabled={busy} onClick={() => void start()}>
            {busy ? 'Starting…' : 'Export'}
          </button>
        </div>
      </div>
    </Card>
  );
}

function Progress({ work }: { work: WorldWork }) {
  const { id, state, done, total, failure } = work;
  const [showsRejects, showRejects] = useState(false);
  const isImport = work.__typename === 'DataImport';
  const name = isImport ? `Import of ${work.fileName}` : 'Export of the world';
  return (
    <Card title={name} aside={<WorkBadge state={state} />} bodyClass={styles.form}>
      {isMoving(state) && <ProgressBar label={name} share={total ? done / total : null} />}
      <p role="status">
        {isMoving(state) ? `${formatCountOf(done, 'row')}. It goes on if you leave.` : resultOf(work)}
      </p>
      {isImport && work.rejected > 0 && (
        <div>
          <button type="button" className="button small" onClick={() => showRejects(true)}>
            {formatCountOf(work.rejected, 'rejected row')}
          </button>
        </div>
      )}
      {work.__typename === 'DataExport' && work.url && (
        <div className={styles.download}>
          <a className="button primary" href={work.url} download>
            Download {work.fileName}
          </a>
          <span className="note">
            {formatBytes(work.bytes ?? 0)}
            {work.expiresAt && `, until ${formatMoment(Date.parse(work.expiresAt))} UTC`}
          </span>
        </div>
      )}
      {failure && <Notice tone="bad">{failure}</Notice>}
      {isImport && state === 'FINISHED' && (
        <p>
          <Link href="/game/world">Look at the world</Link>
        </p>
      )}
      {showsRejects && isImport && (
        <RejectsModal
          id={id}
          fileName={work.fileName}
          query={RejectedWorldRowsDocument}
          importOf={importOf}
          onClose={() => showRejects(false)}
        />
      )}
    </Card>
  );
}

function resultOf(work: WorldWork): string {
  if (work.__typename === 'DataImport')
    return `${formatCount(work.imported)} imported, ${formatCount(work.skipped)} skipped, ${formatCount(work.rejected)} rejected.`;
  return work.__typename === 'DataExport' ? `${formatCountOf(work.done, 'row')}.` : '';
}
