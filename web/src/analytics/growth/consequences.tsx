/** What a change would do, shown before it is confirmed. */
import { formatCount, formatMoment } from '../../kit/base/format.js';
import { Notice } from '../../kit/display/notice.js';
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
    <section className={styles.plan} aria-label="What will change">
      <h3>What will change</h3>
      <ol className={styles.steps}>
        {plan.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <Notice tone={loses ? 'warn' : 'good'} icon={loses ? 'warning' : 'check'}>
        {loses ? <Outside {...plan} /> : 'No stored request will be removed.'}
      </Notice>
      <div className={styles.answers}>
        <button type="button" className={`button ${loses ? 'danger' : 'primary'}`} disabled={busy} onClick={onYes}>
          {busy ? 'Applying…' : loses ? 'Apply and remove them' : 'Apply'}
        </button>
        <button type="button" className="button" disabled={busy} onClick={onNo}>
          Cancel
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
    outside the limits{keptFrom ? `: all from before ${formatMoment(Date.parse(keptFrom))} UTC` : ''}. They will be
    removed and cannot be restored.
  </>
);
