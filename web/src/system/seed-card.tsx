/** Sample data: which domains have it, and undoing it. */
import { useState } from 'react';
import { formatCountOf } from '../kit/base/format.js';
import { Confirmation } from '../kit/controls/confirmation.js';
import { Card } from '../kit/display/card.js';
import { Icon } from '../kit/display/icon.js';
import { Failure, Notice } from '../kit/display/notice.js';
import { ProgressBar } from '../kit/display/progress-bar.js';
import { SkeletonRows } from '../kit/display/skeleton.js';
import { addSeed, type Seed, shareOf, undoSeed, useSeed, useSeeds } from '../shell/seed/seeds.js';
import styles from './seed-card.module.css';

export function SeedCard() {
  const { seeds, error, again } = useSeeds();
  return (
    <Card title="Sample data" bodyClass={styles.body}>
      {error && (
        <Failure again={again} old={seeds !== null}>
          {error}
        </Failure>
      )}
      {!seeds && !error && <SkeletonRows rows={2} height="32px" />}
      {seeds && (
        <ul className={styles.list}>
          {seeds.map(({ domain, isEmpty, latest }) => (
            <SeedRow key={domain} domain={domain} isEmpty={isEmpty} latest={latest ?? null} onEnd={again} />
          ))}
        </ul>
      )}
    </Card>
  );
}

interface SeedRowProps {
  readonly domain: string;
  readonly isEmpty: boolean;
  readonly latest: Seed | null;
  readonly onEnd: () => void;
}

function SeedRow({ domain, isEmpty, latest, onEnd }: SeedRowProps) {
  const { seed, isMoving } = useSeed(latest, onEnd);
  const [asks, setAsks] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const canUndo = seed?.state === 'FINISHED' || seed?.state === 'FAILED';
  const name = nameOf(domain);
  return (
    <li className={styles.row}>
      <div className={styles.line}>
        <strong>{name}</strong>
        <span className={styles.state}>{stateOf(seed, isEmpty)}</span>
        {canUndo && !isEmpty && (
          <button
            type="button"
            className="button"
            aria-label={`Undo the sample data of ${name}`}
            onClick={() => setAsks(true)}
          >
            <Icon name="undo" /> Undo
          </button>
        )}
        {isEmpty && !isMoving && (
          <button
            type="button"
            className="button"
            aria-label={`Add sample data to ${name}`}
            onClick={() => void addSeed(domain).then(setRefusal)}
          >
            <Icon name="plus" /> Add
          </button>
        )}
      </div>
      {seed && isMoving && <ProgressBar label={`Sample data of ${name}`} share={shareOf(seed)} />}
      {seed?.failure && <Notice tone="bad">{seed.failure}</Notice>}
      {refusal && <Notice tone="bad">{refusal}</Notice>}
      {asks && seed && (
        <Confirmation
          title="Undo the sample data?"
          consequence={`The sample data of ${name} will be removed. What was changed or used since it was added stays.`}
          no="Cancel"
          yes="Undo sample data"
          act={() => undoSeed(seed.id)}
          onClose={() => setAsks(false)}
        />
      )}
    </li>
  );
}

/** With a capital letter: the names of domains are those in settings. */
const nameOf = (domain: string): string => domain.slice(0, 1).toUpperCase() + domain.slice(1);

function stateOf(seed: Seed | null, isEmpty: boolean): string {
  if (seed?.state === 'WAITING' || seed?.state === 'RUNNING') return 'Being added';
  if (seed?.state === 'UNDOING') return 'Being undone';
  if (isEmpty) return 'Empty';
  if (seed?.state === 'FINISHED') return 'Added';
  if (seed?.state === 'FAILED') return 'Added in part';
  if (seed?.state === 'UNDONE' && seed.kept > 0) return `Undone. ${formatCountOf(seed.kept, 'changed item')} stayed`;
  return 'Has data of its own, so none can be added';
}
