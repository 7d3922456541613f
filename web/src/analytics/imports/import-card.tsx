/** Log imports: drop files, follow their progress, inspect rejected lines, undo an import. */
import { type ChangeEvent, type DragEvent, useEffect, useRef, useState } from 'react';
import { formatBytes, formatShare } from '../../kit/base/format.js';
import { useStore } from '../../kit/base/store.js';
import { Card } from '../../kit/display/card.js';
import { Icon } from '../../kit/display/icon.js';
import { Notice } from '../../kit/display/notice.js';
import { ProgressBar } from '../../kit/display/progress-bar.js';
import { SkeletonRows } from '../../kit/display/skeleton.js';
import styles from './import-card.module.css';
import { ImportRow } from './import-row.js';
import { type LogImport, useImports } from './imports.js';
import { dismissListed, dismissUpload, type Upload, upload, uploadStore } from './uploads.js';

const FIRST = 5;
const FIRST_MAX = 100;

export function ImportCard({ site }: { site: string }) {
  const [first, setFirst] = useState(FIRST);
  const { imports, more, error, again } = useImports(site, first);
  const { sending, taken } = useUploads(site, imports);
  const rows = [...taken, ...(imports ?? [])];
  return (
    <Card title="Log imports" bodyClass={styles.body}>
      <DropZone site={site} />
      {error && (
        <Notice tone="bad" action={<AgainButton onClick={again} />}>
          {error}
        </Notice>
      )}
      <ul className={styles.list}>
        {sending.map((file) => (
          <UploadRow key={file.key} file={file} />
        ))}
        {rows.map((listed) => (
          <ImportRow key={listed.id} listed={listed} onChanged={again} />
        ))}
      </ul>
      {!imports && !error && <SkeletonRows rows={3} height="40px" />}
      {imports && rows.length === 0 && sending.length === 0 && (
        <p className="note">
          Nothing has been imported yet. A file can be imported again, even after it has grown: each line counts once.
        </p>
      )}
      {more && first < FIRST_MAX && (
        <button type="button" className="button quiet" onClick={() => setFirst(FIRST_MAX)}>
          Show older imports
        </button>
      )}
    </Card>
  );
}

/**
 * Files that are being uploaded, and those that have become imports but are not in the list yet: until the refetched
 * list arrives, they would otherwise disappear for a moment.
 */
function useUploads(site: string, imports: readonly LogImport[] | null) {
  const uploads = useStore(uploadStore).filter((candidate) => candidate.site === site);
  useEffect(() => {
    if (imports) dismissListed(imports);
  }, [imports]);
  const listed = new Set(imports?.map(({ id }) => id));
  const taken = uploads.flatMap((file) => (file.taken && !listed.has(file.taken.id) ? [file.taken] : []));
  return { sending: uploads.filter((file) => !file.taken), taken: taken.reverse() };
}

const AgainButton = ({ onClick }: { onClick: () => void }) => (
  <button type="button" className="button" onClick={onClick}>
    Try again
  </button>
);

/** A button that also accepts dropped files. */
export function DropZone({ site }: { site: string }) {
  const [over, setOver] = useState(false);
  const [leaveOutRobots, setLeaveOutRobots] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const take = (files: FileList | null) => {
    if (files) upload([...files], { site, countHits: true, leaveOutRobots, durability: 'MAJORITY' });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  const pick = (event: ChangeEvent<HTMLInputElement>) => {
    take(event.target.files);
    event.target.value = ''; // so that the same file can be picked again
  };
  return (
    <div className={styles.drop}>
      <button
        type="button"
        className={styles.zone}
        data-over={over}
        onClick={() => picker.current?.click()}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Icon name="upload" size={20} />
        <span>
          <strong>Drop access logs here</strong>, or choose files
          <span className={styles.hint}>Apache or nginx, common or combined, plain or gzip</span>
        </span>
      </button>
      <input ref={picker} type="file" multiple hidden onChange={pick} data-testid="log-files" />
      <label className="check">
        <input type="checkbox" checked={leaveOutRobots} onChange={(event) => setLeaveOutRobots(event.target.checked)} />
        Do not count hits from known robots
      </label>
    </div>
  );
}

function UploadRow({ file }: { file: Upload }) {
  const share = file.bytes > 0 ? file.sent / file.bytes : 0;
  return (
    <li className={styles.row}>
      <div className={styles.line}>
        <Icon name="file" />
        <span className={`cut ${styles.name}`}>{file.fileName}</span>
        <span className="note">
          {file.failure === null &&
            (share < 1 ? `sending, ${formatShare(share)} of ${formatBytes(file.bytes)}` : 'storing')}
        </span>
        <button
          type="button"
          className="button quiet icon"
          aria-label={file.failure === null ? `Cancel ${file.fileName}` : `Dismiss ${file.fileName}`}
          onClick={file.failure === null ? file.cancel : () => dismissUpload(file.key)}
        >
          <Icon name="close" />
        </button>
      </div>
      {file.failure === null ? (
        <ProgressBar label={`Sending ${file.fileName}`} share={share} />
      ) : (
        <Notice tone="bad">{file.failure}</Notice>
      )}
    </li>
  );
}
