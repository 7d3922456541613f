/** The form to register a site, and the snippet to paste into its pages. */
import { type FormEvent, useState } from 'react';
import { Snippet } from '../../kit/controls/snippet.js';
import { Icon } from '../../kit/display/icon.js';
import { Notice } from '../../kit/display/notice.js';
import { useRole } from '../../shell/access.js';
import styles from './site-form.module.css';
import { changeOrigins, registerSite, type Site } from './sites.js';

/** Parses origins separated by line breaks, commas or spaces. */
const readOrigins = (text: string) => text.split(/[\s,]+/).filter(Boolean);

const LOCAL = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/;

/** A local host has mostly no certificate, so its pages have the protocol of this one. */
function suggestOrigin(host: string): string {
  if (host === '') return '';
  return `${LOCAL.test(host) ? window.location.protocol : 'https:'}//${host}`;
}

export function RegisterSiteForm({ onRegistered }: { onRegistered: (site: Site) => void }) {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [host, setHost] = useState('');
  const [origins, setOrigins] = useState<string | null>(null); // null: the suggestion from the host
  const suggested = suggestOrigin(host.trim().toLowerCase());

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const answer = await registerSite(host.trim(), readOrigins(origins ?? suggested));
    setBusy(false);
    if (typeof answer === 'string') setRefusal(answer);
    else onRegistered(answer);
  };

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <div className="field">
        <label htmlFor="site-host">Hostname</label>
        <input
          className="input"
          id="site-host"
          value={host}
          onChange={(event) => setHost(event.target.value)}
          placeholder="example.org"
          maxLength={253}
          autoComplete="off"
          spellCheck={false}
          required
          aria-invalid={refusal !== null}
          aria-describedby="site-host-hint"
        />
        <span className="note" id="site-host-hint">
          With its port, unless that is 80 or 443. The pages of this server have {window.location.host}.
        </span>
      </div>
      <OriginsField value={origins ?? suggested} onChange={setOrigins} />
      {refusal && <Notice tone="bad">{refusal}</Notice>}
      <button type="submit" className="button primary" disabled={busy}>
        {busy ? 'Registering…' : 'Register site'}
      </button>
    </form>
  );
}

function OriginsField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  return (
    <div className="field">
      <label htmlFor="site-origins">Origins that may send hits</label>
      <textarea
        className="input mono"
        id="site-origins"
        rows={2}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        placeholder="https://example.org"
        spellCheck={false}
        aria-describedby="site-origins-hint"
      />
      <span className="note" id="site-origins-hint">
        One per line, at most 20, such as https://example.org. Without any, no page can send hits to this site.
      </span>
    </div>
  );
}

/** The snippet, and for administrators the origins from which it works. */
export function SiteSnippet({ site }: { site: Site }) {
  const administers = useRole('ADMIN');
  return (
    <div className={styles.form}>
      <Snippet
        label={`Paste this line into every page of ${site.host}, before </body>`}
        text={site.snippet}
        copy="Copy snippet"
        note="The chart updates within a second of the first visit."
      />
      {administers && <ChangeOriginsForm site={site} />}
    </div>
  );
}

function ChangeOriginsForm({ site }: { site: Site }) {
  const [saved, setSaved] = useState(site.allowedOrigins);
  const [origins, setOrigins] = useState(saved.join('\n'));
  const [outcome, setOutcome] = useState<{ tone: 'good' | 'bad'; text: string } | null>(null);
  const changed = readOrigins(origins).join() !== saved.join();

  const save = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await changeOrigins(site.host, readOrigins(origins));
    if (typeof answer === 'string') return setOutcome({ tone: 'bad', text: answer });
    setSaved(answer.allowedOrigins);
    setOutcome({ tone: 'good', text: 'Saved. The change applies to new hits.' });
  };

  return (
    <form className={styles.form} onSubmit={(event) => void save(event)}>
      <OriginsField value={origins} onChange={setOrigins} />
      {outcome && (
        <Notice tone={outcome.tone} icon={outcome.tone === 'good' ? 'check' : 'warning'}>
          {outcome.text}
        </Notice>
      )}
      <div>
        <button type="submit" className="button" disabled={!changed}>
          <Icon name="check" /> Save origins
        </button>
      </div>
    </form>
  );
}
