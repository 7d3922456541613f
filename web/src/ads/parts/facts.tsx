/** Figures with their names, side by side. */
import { Skeleton } from '../../kit/display/skeleton.js';
import styles from './facts.module.css';

interface FactsProps {
  /** Null values are still loading. */
  readonly facts: readonly (readonly [name: string, value: string | null])[];
  readonly large?: boolean;
}

export const Facts = ({ facts, large = false }: FactsProps) => (
  <dl className={styles.facts} data-large={large}>
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value ?? <Skeleton width="5ch" height="0.9em" />}</dd>
      </div>
    ))}
  </dl>
);
