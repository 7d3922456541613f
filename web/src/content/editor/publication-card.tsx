/** Whether and from when on readers see the node. The text and the time are saved together, as one version. */
import { useEffect, useId, useState } from 'react';
import { formatMoment } from '../../kit/base/format.js';
import { Choice } from '../../kit/controls/choices.js';
import { Card } from '../../kit/display/card.js';
import { Notice } from '../../kit/display/notice.js';
import type { SavedNode } from '../saver/use-saver.js';
import { isUnsaved } from '../saving/autosave.js';
import styles from './publication-card.module.css';

type Plan = 'DRAFT' | 'NOW' | 'LATER';

const HOUR_MS = 3_600_000;

export function PublicationCard({ saved: { saver, state, node } }: { readonly saved: SavedNode }) {
  const { publishedAt } = state.stored.fields;
  const [plan, setPlan] = useState<Plan>(planOf(publishedAt));
  const [time, setTime] = useState(() => inputOf(publishedAt ? Date.parse(publishedAt) : nextHour()));
  const field = useId();
  useEffect(() => {
    setPlan(planOf(publishedAt)); // after a save, or the change of someone else
    if (publishedAt) setTime(inputOf(Date.parse(publishedAt)));
  }, [publishedAt]);

  const at = Date.parse(`${time}Z`);
  const isDraft = node.state === 'DRAFT';
  const wanted = plan === 'LATER' && !Number.isNaN(at) ? new Date(at).toISOString() : null;
  const isSame =
    plan === 'DRAFT'
      ? !publishedAt
      : plan === 'LATER'
        ? wanted !== null && publishedAt !== null && publishedAt !== undefined && Date.parse(publishedAt) === at
        : node.state === 'PUBLISHED';
  const act = () => {
    if (plan === 'LATER' && wanted === null) return;
    saver.edit({ publishedAt: plan === 'DRAFT' ? null : plan === 'NOW' ? new Date().toISOString() : wanted });
    saver.save();
  };
  const isBlocked =
    state.trouble?.kind === 'conflict' || state.request !== null || (plan === 'LATER' && wanted === null);
  return (
    <Card title="Publication" bodyClass={styles.body}>
      <Choice
        label="Readers see it"
        options={[
          { value: 'DRAFT', name: 'Not yet', meaning: 'A draft, saved while you write' },
          publishedAt && node.state === 'PUBLISHED'
            ? { value: 'NOW', name: 'Now', meaning: `Since ${formatMoment(Date.parse(publishedAt))} UTC` }
            : { value: 'NOW', name: 'Now', meaning: 'From the moment you publish it' },
          { value: 'LATER', name: 'At a time', meaning: 'Also a time in the past' },
        ]}
        chosen={plan}
        onChange={setPlan}
      />
      {plan === 'LATER' && (
        <div className="field">
          <label htmlFor={field}>Date and time in UTC</label>
          <input
            className="input"
            id={field}
            type="datetime-local"
            value={time}
            aria-describedby={`${field}-local`}
            onChange={(event) => setTime(event.target.value)}
          />
          <span className="note" id={`${field}-local`}>
            {Number.isNaN(at) ? 'The site’s times are in UTC.' : localTime(at)}
          </span>
        </div>
      )}
      {!isSame && (
        <button type="button" className="button primary" disabled={isBlocked} onClick={act}>
          {labelOf(plan, isDraft, at)}
        </button>
      )}
      {isSame && !isDraft && isUnsaved(state) && state.trouble === null && (
        <Notice tone="warn">
          Readers {node.state === 'PUBLISHED' ? 'see' : 'will see'} the version before your changes until you choose
          “Update”.
        </Notice>
      )}
    </Card>
  );
}

function planOf(publishedAt: string | null | undefined): Plan {
  if (!publishedAt) return 'DRAFT';
  return Date.parse(publishedAt) > Date.now() ? 'LATER' : 'NOW';
}

function labelOf(plan: Plan, isDraft: boolean, at: number): string {
  if (plan === 'DRAFT') return 'Make it a draft';
  if (plan === 'NOW') return 'Publish now';
  if (at > Date.now()) return isDraft ? 'Schedule' : 'Change the time';
  return isDraft ? 'Publish with this date' : 'Change the date';
}

/** As a field for date and time writes it, in UTC. */
const inputOf = (at: number): string => new Date(at).toISOString().slice(0, 16);
const nextHour = (): number => Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;

/** The same moment by the user's clock. */
function localTime(at: number): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(at);
  return timeZone === 'UTC' ? 'Your own time zone is UTC, too.' : `${local} in your time zone, ${timeZone}.`;
}
