/** How many nodes have an older form, and migrating them. */
import { useCallback, useState } from 'react';
import { usePolling } from '../../api/polling.js';
import { useData } from '../../api/use-data.js';
import { formatCount, formatCountOf } from '../../kit/base/format.js';
import { Card } from '../../kit/display/card.js';
import { Notice } from '../../kit/display/notice.js';
import { ProgressBar } from '../../kit/display/progress-bar.js';
import { isMoving } from '../../kit/display/work-state.js';
import { Waiting } from '../../kit/lists/waiting.js';
import { migrateNodes, NodeMigrationDocument } from './node-migration.js';
import { shareOf, useWork, type Work } from './work.js';
import styles from './work-page.module.css';

const POLL_MS = 10_000;
/** The server counts no further. */
const COUNTED_MAX = 10_000;
const nothing = {};

/** @param onChange called when a migration was started here, or has ended */
export function NodeMigrationCard({ onChange }: { onChange: () => void }) {
  const answer = useData(NodeMigrationDocument, nothing);
  const { data, again } = answer;
  usePolling(again, POLL_MS);
  const changed = useCallback(() => {
    again();
    onChange();
  }, [again, onChange]);
  const migration = data?.nodeMigration ?? null;
  return (
    <Card title="Form of stored nodes" bodyClass={styles.migration}>
      <Waiting {...answer} rows={1} height="32px" />
      {data &&
        (migration && isMoving(migration.state) ? (
          <Running listed={migration} onEnd={changed} />
        ) : (
          <Resting count={data.oldNodeCount} failure={migration?.failure ?? null} onStart={changed} />
        ))}
    </Card>
  );
}

function Running({ listed, onEnd }: { listed: Work; onEnd: () => void }) {
  const { done, total } = useWork(listed, true, onEnd);
  const share = shareOf({ done, total: total ?? null });
  return (
    <>
      <ProgressBar label="Migrating nodes" share={share} />
      <p className="note">
        {formatCount(done)} {total ? `of ${formatCount(total)} nodes have` : 'nodes have'} the present form. Everybody
        can read and write meanwhile.
      </p>
    </>
  );
}

interface RestingProps {
  readonly count: number;
  readonly failure: string | null;
  readonly onStart: () => void;
}

function Resting({ count, failure, onStart }: RestingProps) {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const start = async () => {
    setBusy(true);
    setRefusal(await migrateNodes());
    setBusy(false);
    onStart();
  };
  if (count === 0) return <p className="note">All nodes have the present form. There is nothing to migrate.</p>;
  const least = count >= COUNTED_MAX ? 'At least ' : '';
  return (
    <>
      {(refusal ?? failure) && <Notice tone="bad">{refusal ?? failure}</Notice>}
      <div className={styles.choice}>
        <p>
          {least}
          {formatCountOf(count, 'node')} of an earlier release {count === 1 ? 'is' : 'are'} stored in an older form.{' '}
          {count === 1 ? 'It reads' : 'They read'} the same as the others, only more slowly.
        </p>
        <button type="button" className="button" disabled={busy} onClick={() => void start()}>
          {failure ? 'Migrate again' : 'Migrate'}
        </button>
      </div>
    </>
  );
}
