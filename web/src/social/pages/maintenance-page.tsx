/** For administrators: importing a network, and rebuilding the news of a person. */
import { useState } from 'react';
import { navigate, useLocation } from '../../kit/base/location.js';
import { TextField } from '../../kit/controls/text-field.js';
import { textOf, useForm } from '../../kit/controls/use-form.js';
import { Card } from '../../kit/display/card.js';
import { Notice } from '../../kit/display/notice.js';
import { ProgressBar } from '../../kit/display/progress-bar.js';
import { importNetwork, rebuildNews, useNetworkWork } from '../data/maintenance.js';
import { PersonField } from '../network/person-field.js';
import { WorkProgress } from '../network/work-progress.js';
import styles from './page.module.css';

/** The work that was started last is in the address, so that a reload still follows it. */
const ADDRESS = '/social/maintenance';

export function MaintenancePage() {
  const { work, refused } = useNetworkWork(useLocation().query.get('work'));
  const follow = (id: string) => navigate(`${ADDRESS}?work=${encodeURIComponent(id)}`, { replace: true });
  return (
    <div className={styles.column}>
      {refused !== null && <Notice tone="bad">{refused}</Notice>}
      {work && <WorkProgress work={work} />}
      <ImportCard onStart={follow} />
      <RebuildCard onStart={follow} />
    </div>
  );
}

interface StartProps {
  readonly onStart: (id: string) => void;
}

function ImportCard({ onStart }: StartProps) {
  const [share, setShare] = useState(0);
  const { busy, refusal, submit } = useForm(async (fields, form) => {
    const file = fields.get('file');
    if (!(file instanceof File) || file.size === 0) return 'Choose a file that is not empty.';
    setShare(0);
    const started = await importNetwork(file, textOf(fields, 'source').trim(), setShare);
    if (typeof started === 'string') return started;
    form.reset();
    onStart(started.id);
    return null;
  });
  return (
    <Card title="Import a network">
      <form className={styles.form} onSubmit={submit}>
        <p>
          People, circles and posts from JSON lines. The people get profiles that nobody can sign in to. What is there
          already is skipped.
        </p>
        <pre className={styles.sample}>
          {[
            '{ "person": "ann", "name": "Ann" }',
            '{ "person": "ben", "name": "Ben" }',
            '{ "circle": "Friends", "of": "ann", "members": ["ben"] }',
            '{ "post": "17", "by": "ann", "text": "Hello", "at": "2026-01-01T10:00:00Z" }',
          ].join('\n')}
        </pre>
        <TextField
          label="Source"
          name="source"
          maxLength={100}
          hint="Its name, for example “old-network”. Names of people, circles and posts are unique within one source."
          required
        />
        <div className="field">
          <label htmlFor="network-file">File, plain or gzip</label>
          <input className="input" id="network-file" type="file" name="file" required />
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

function RebuildCard({ onStart }: StartProps) {
  const [person, choose] = useState<{ readonly id: string; readonly name: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const start = async () => {
    if (!person) return;
    setBusy(true);
    const started = await rebuildNews(person.id);
    setBusy(false);
    setFailure(typeof started === 'string' ? started : null);
    if (typeof started !== 'string') onStart(started.id);
  };
  return (
    <Card title="Rebuild somebody’s news">
      <div className={styles.form}>
        <p>
          Compares the news of a person with all posts, and corrects them. Nothing changes unless something was wrong.
        </p>
        <PersonField label="Person" onChoose={choose} />
        {failure !== null && <Notice tone="bad">{failure}</Notice>}
        <div>
          <button type="button" className="button" disabled={person === null || busy} onClick={() => void start()}>
            {person ? `Rebuild the news of ${person.name}` : 'Rebuild the news'}
          </button>
        </div>
      </div>
    </Card>
  );
}
