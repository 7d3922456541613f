/** The filters of the requests. Typed text applies after a short pause, or immediately on Enter. */
import { type HTMLInputTypeAttribute, useEffect, useId, useRef, useState } from 'react';
import { useMedia } from '../../kit/base/media.js';
import { Icon } from '../../kit/display/icon.js';
import styles from './filters.module.css';
import { countNarrowings, everything, type RequestView, readStatus } from './view.js';

const QUIET_MS = 400;

interface FiltersProps {
  readonly hosts: readonly string[];
  readonly site: string;
  readonly view: RequestView;
  readonly onView: (change: Partial<RequestView>, options?: { replace: boolean }) => void;
}

export function Filters({ hosts, site, view, onView }: FiltersProps) {
  const isWide = useMedia('(min-width: 1201px)');
  const id = useId();
  const narrowings = countNarrowings(view);
  const set = (change: Partial<RequestView>) => onView(change, { replace: true });
  const isReversed = view.from !== '' && view.to !== '' && view.from >= view.to;
  return (
    <section className={`card ${styles.card}`} aria-label="Filters">
      <div className={`field ${styles.site}`}>
        <label htmlFor={id}>Site</label>
        <select className="input" id={id} value={site} onChange={(event) => onView({ site: event.target.value })}>
          {hosts.map((host) => (
            <option key={host}>{host}</option>
          ))}
        </select>
      </div>
      {/* Collapsed on narrower windows, where it would take space from the list. */}
      <details key={String(isWide)} className={styles.fold} open={isWide}>
        <summary hidden={isWide}>Filters{narrowings > 0 && ` (${narrowings})`}</summary>
        <div className={styles.fields}>
          <QuietField label="Path" value={view.path} onValue={(path) => set({ path })} placeholder="/index.html" />
          <QuietField label="Client" value={view.host} onValue={(host) => set({ host })} placeholder="203.0.113.7" />
          <QuietField
            label="Status"
            value={view.status}
            onValue={(status) => set({ status })}
            placeholder="404 or 4xx"
            invalid={readStatus(view.status) === null ? 'Enter three digits, or a class such as 4xx.' : null}
          />
          <QuietField label="From (UTC)" type="datetime-local" value={view.from} onValue={(from) => set({ from })} />
          <QuietField
            label="To (UTC)"
            type="datetime-local"
            value={view.to}
            onValue={(to) => set({ to })}
            invalid={isReversed ? 'The end must be after the start.' : null}
          />
          <button type="button" className="button" disabled={narrowings === 0} onClick={() => onView(everything)}>
            <Icon name="close" /> Show all
          </button>
        </div>
      </details>
    </section>
  );
}

interface QuietFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly type?: HTMLInputTypeAttribute;
  readonly placeholder?: string;
  /** What is wrong with the value; null if it is valid. */
  readonly invalid?: string | null;
}

function QuietField({ label, value, onValue, invalid = null, ...input }: QuietFieldProps) {
  const id = useId();
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const latest = useRef(onValue);
  latest.current = onValue;
  const typed = text.trim();
  if (known !== value) {
    setKnown(value);
    if (value !== typed) setText(value); // changed elsewhere: by a button, or by "back"
  }
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => latest.current(typed), QUIET_MS);
    return () => clearTimeout(timer);
  }, [typed, value]);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        className="input"
        id={id}
        value={text}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={invalid !== null}
        aria-describedby={invalid === null ? undefined : `${id}-wrong`}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && onValue(typed)}
        {...input}
      />
      {invalid !== null && (
        <span id={`${id}-wrong`} role="alert" className={styles.wrong}>
          {invalid}
        </span>
      )}
    </div>
  );
}
