/** The query plan of the requests shown, loaded on demand. */
import { useState } from 'react';
import type { EventFilter } from '../../../generated/graphql.js';
import { useData } from '../../api/use-data.js';
import { ExplainEventsDocument, Plan } from '../../kit/display/plan.js';
import { Waiting } from '../../kit/lists/waiting.js';
import styles from './explain-fold.module.css';

export function ExplainFold({ filter }: { filter: EventFilter }) {
  const [open, setOpen] = useState(false);
  const answer = useData(ExplainEventsDocument, open ? { filter, query: 'EVENTS' } : null);
  return (
    <details className={`card ${styles.fold}`} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>How the database finds them</summary>
      <div className={styles.body} aria-live="polite">
        <Waiting {...answer} rows={4} />
        {answer.data && <Plan plan={answer.data.explainEvents} />}
      </div>
    </details>
  );
}
