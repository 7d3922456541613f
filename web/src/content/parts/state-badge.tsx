/** The state of a node, with the time at which it changes or changed. */
import type { NodeState } from '../../../generated/graphql.js';
import { formatClock, formatDate, formatMoment } from '../../kit/base/format.js';
import { stateWords } from '../data/nodes.js';
import styles from './state-badge.module.css';

interface StateBadgeProps {
  readonly node: { readonly state: NodeState; readonly publishedAt?: string | null };
}

export function StateBadge({ node: { state, publishedAt } }: StateBadgeProps) {
  const at = publishedAt ? Date.parse(publishedAt) : null;
  return (
    <span className={`badges ${styles.state}`}>
      <span className={`badge ${styles.badge}`} data-state={state}>
        {stateWords[state]}
      </span>
      {at !== null && state !== 'DRAFT' && (
        <time className={styles.at} dateTime={new Date(at).toISOString()} title={`${formatMoment(at)} UTC`}>
          {formatDate(at)}
          {state === 'SCHEDULED' && `, ${formatClock(at)} UTC`}
        </time>
      )}
    </span>
  );
}
