/** A card with a list of names and values. */
import type { ReactNode } from 'react';
import styles from './facts.module.css';

export interface Fact {
  readonly name: string;
  readonly value: string;
  readonly hint?: string;
}

interface FactsProps {
  readonly title: string;
  /** A note next to the title. */
  readonly mark?: string;
  readonly facts: readonly Fact[];
  readonly children?: ReactNode;
}

export function Facts({ title, mark, facts, children }: FactsProps) {
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {mark && <span className="note">{mark}</span>}
      </header>
      <div className="body">
        {children}
        <dl className={styles.facts}>
          {facts.map(({ name, value, hint }) => (
            <div key={name} title={hint}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}
