/** A part of a page, under a heading of its own. */
import { type ReactNode, useId } from 'react';

interface CardProps {
  readonly title: ReactNode;
  /** What stands beside the heading: a remark, or what can be done with it all. */
  readonly aside?: ReactNode;
  /** How what is in it is laid out. */
  readonly bodyClass?: string | undefined;
  readonly children: ReactNode;
}

export function Card({ title, aside, bodyClass = '', children }: CardProps) {
  const heading = useId();
  return (
    <section className="card" aria-labelledby={heading}>
      <header>
        <h2 id={heading}>{title}</h2>
        {aside}
      </header>
      <div className={`body ${bodyClass}`}>{children}</div>
    </section>
  );
}
