/** The offer to fill an empty domain with sample data: a button, then the progress, then the way to the result. */
import { type ReactNode, useEffect, useState } from 'react';
import { Notice } from '../../kit/display/notice.js';
import { ProgressBar } from '../../kit/display/progress-bar.js';
import { addSeed, shareOf, useSeed, useSeeds } from './seeds.js';

interface SeedOfferProps {
  readonly domain: string;
  /** What will be added. */
  readonly children: ReactNode;
  /** The label of the button that leads to the result. */
  readonly next: string;
  readonly onNext: () => void;
  /** Called whenever some of it was added. */
  readonly onAdded?: (() => void) | undefined;
}

export function SeedOffer({ domain, children, next, onNext, onAdded }: SeedOfferProps) {
  const { seeds, error, again } = useSeeds();
  const [asked, setAsked] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const listed = seeds?.find((each) => each.domain === domain)?.latest ?? null;
  const { seed, isMoving } = useSeed(listed, again);
  const add = async () => {
    setAsked(true);
    const refused = await addSeed(domain);
    setRefusal(refused);
    setAsked(refused === null);
  };
  const isDone = seed?.state === 'FINISHED';
  const done = seed?.done ?? 0;
  useEffect(() => {
    if (isDone || done > 0) onAdded?.();
  }, [isDone, done, onAdded]);
  const isBusy = isMoving || (asked && !isDone && seed?.state !== 'FAILED');
  return (
    <>
      <p>{children}</p>
      {(refusal ?? error) && <Notice tone="bad">{refusal ?? error}</Notice>}
      {seed?.state === 'FAILED' && <Notice tone="bad">{seed.failure}</Notice>}
      {isBusy && <ProgressBar label="Adding sample data" share={seed && isMoving ? shareOf(seed) : null} />}
      {isDone ? (
        <>
          <Notice tone="good" icon="check">
            The sample data was added. To undo it, go to <a href="/system">System</a>.
          </Notice>
          <button type="button" className="button primary" onClick={onNext}>
            {next}
          </button>
        </>
      ) : (
        <button type="button" className="button" disabled={isBusy} onClick={() => void add()}>
          {isBusy ? 'Adding…' : 'Fill with sample data'}
        </button>
      )}
    </>
  );
}
