/** A state as a badge. */
import styles from './state-badge.module.css';

export type Tone = 'open' | 'busy' | 'done' | 'over';

interface StateBadgeProps {
  readonly words: { readonly name: string; readonly meaning: string };
  readonly tone: Tone;
}

export const StateBadge = ({ words: { name, meaning }, tone }: StateBadgeProps) => (
  <span className={`badge ${styles.state}`} data-state={tone} title={meaning}>
    {name}
  </span>
);
