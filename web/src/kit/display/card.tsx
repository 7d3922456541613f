/** A section of a page with its own heading. */
import { type ReactNode, useId } from 'react';

interface CardProps {
  readonly title: ReactNode;
  /** Shown next to the heading: a note, or actions on the whole card. */
  readonly aside?: ReactNode;
  /** CSS class for the layout of the content. */
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
