/** What a change would do, before anybody confirms it. */
import { formatCount, formatMoment } from '../parts/format.js';
import { Notice } from '../parts/notice.js';
import styles from './change-card.module.css';
import type { GrowthPlan } from './growth-data.js';

interface ConsequencesProps {
  readonly plan: GrowthPlan;
  readonly busy: boolean;
  readonly onNo: () => void;
  readonly onYes: () => void;
}

export function Consequences({ plan, busy, onNo, onYes }: ConsequencesProps) {
  const loses = plan.eventsOutside > 0;
  return (
    <section className={styles.plan} aria-label="What it would do">
      <h3>What it would do</h3>
      <ol className={styles.steps}>
        {plan.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <Notice tone={loses ? 'warn' : 'good'} icon={loses ? 'warning' : 'check'}>
        {loses ? <Outside {...plan} /> : 'No request that is stored now falls out of what is kept.'}
      </Notice>
      <div className={styles.answers}>
        <button type="button" className={`button ${loses ? 'danger' : 'primary'}`} disabled={busy} onClick={onYes}>
          {busy ? 'Changing…' : loses ? 'Change it, and let them go' : 'Change it'}
        </button>
        <button type="button" className="button" disabled={busy} onClick={onNo}>
          Leave it as it is
        </button>
      </div>
    </section>
  );
}

const Outside = ({ eventsOutside, keptFrom }: GrowthPlan) => (
  <>
    <strong>
      {formatCount(eventsOutside)} {eventsOutside === 1 ? 'request falls' : 'requests fall'}
    </strong>{' '}
    out of what is kept{keptFrom ? `: all from before ${formatMoment(Date.parse(keptFrom))} UTC` : ''}. They are removed
    sooner or later, and cannot be had back.
  </>
);
