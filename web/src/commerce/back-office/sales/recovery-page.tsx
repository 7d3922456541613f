/** Invariant checks, recovery on demand, and the last runs of the recovery workers. */
import { useEffect, useRef, useState } from 'react';
import { graphql } from '../../../../generated/gql.js';
import { usePolling } from '../../../api/polling.js';
import { useData } from '../../../api/use-data.js';
import { useClock } from '../../../kit/base/clock.js';
import { formatAgo, formatCount } from '../../../kit/base/format.js';
import { Card } from '../../../kit/display/card.js';
import { Columns } from '../../../kit/display/columns.js';
import { JobList } from '../../../kit/display/jobs.js';
import { Empty, Notice } from '../../../kit/display/notice.js';
import { SkeletonRows } from '../../../kit/display/skeleton.js';
import cells from '../../../kit/lists/cells.module.css';
import { Table } from '../../../kit/lists/table.js';
import { Waiting } from '../../../kit/lists/waiting.js';
import { beginCheck, beginRecovery, type Check, type Recovery, useCheck, useRecovery } from '../data/maintenance.js';
import styles from './recovery-page.module.css';

const RecoveryJobsDocument = graphql(`
  query RecoveryJobs {
    recoveryJobs { name lastRunAt lastFinishedAt nextRunAt failure }
  }
`);

const nothing = {};
const POLL_MS = 5_000;
const ofRecovery = { additionalTypenames: ['Job'] };

export function RecoveryPage() {
  return (
    <Columns>
      <ChecksCard />
      <WorkersCard />
    </Columns>
  );
}

function ChecksCard() {
  const { state: check, refused } = useCheck();
  const { state: recovery } = useRecovery();
  const [failure, setFailure] = useState<string | null>(null);
  const begin = (start: () => Promise<string | null>) => void start().then(setFailure);
  useCheckAfter(recovery, () => begin(beginCheck));
  return (
    <Card
      title="Invariants"
      aside={
        <>
          <button
            type="button"
            className="button"
            disabled={check === null || check.state === 'RUNNING'}
            onClick={() => begin(beginCheck)}
          >
            {check?.state === 'RUNNING' ? 'Checking…' : 'Check now'}
          </button>
          <button
            type="button"
            className="button primary"
            disabled={recovery === null || recovery.state === 'RUNNING'}
            onClick={() => begin(beginRecovery)}
          >
            {recovery?.state === 'RUNNING' ? 'Recovering…' : 'Recover now'}
          </button>
        </>
      }
      bodyClass={styles.body}
    >
      {(failure ?? refused) && <Notice tone="bad">{failure ?? refused}</Notice>}
      {check ? <Found check={check} /> : !refused && <SkeletonRows rows={4} />}
      {recovery && recovery.state !== 'IDLE' && <Recovered recovery={recovery} />}
      <p className="note">
        A check runs in the background and reads every document that an invariant covers. Operations in progress may
        briefly look like violations. A recovery completes or rolls back what a process left unfinished, and does not
        change consistent data.
      </p>
    </Card>
  );
}

/** Only a check shows what a recovery has repaired, so a page that sees a recovery end starts a check. */
function useCheckAfter(recovery: Recovery | null, begin: () => void): void {
  const before = useRef<Recovery['state'] | null>(null);
  useEffect(() => {
    const ended = before.current === 'RUNNING' && recovery?.state === 'FINISHED';
    before.current = recovery?.state ?? null;
    if (ended) begin();
  });
}

const secondsOf = (now: number) => Math.floor(now / 1000);

function useAgo(moment: string | null | undefined): string {
  const now = useClock(1000, secondsOf) * 1000;
  return moment ? formatAgo(Date.parse(moment), now) : '';
}

function Found({ check }: { check: Check }) {
  const ended = useAgo(check.finishedAt);
  switch (check.state) {
    case 'IDLE':
      return <Empty icon="check" title="No check has run yet" />;
    case 'RUNNING':
      return <Progress name="The check" {...check} />;
    case 'FAILED':
      return (
        <Notice tone="bad">
          The check failed {ended}: {check.failure}
        </Notice>
      );
    case 'FINISHED':
      if (check.violations.length > 0) return <Violations violations={check.violations} ended={ended} />;
      return (
        <Notice tone="good" icon="check">
          Every invariant holds: stock, money, orders, categories, counters. Checked {ended}.
        </Notice>
      );
  }
}

interface ProgressProps {
  readonly name: string;
  readonly step: string;
  readonly done: number;
  readonly total: number;
}

function Progress({ name, step, done, total }: ProgressProps) {
  return (
    <div className={styles.progress}>
      <span>{step || 'Starting'}</span>
      <span className="note">{total > 0 && `${formatCount(done)} of ${formatCount(total)}`}</span>
      <progress aria-label={name} {...(total > 0 && { value: done, max: total })} />
    </div>
  );
}

function Violations({ violations, ended }: { violations: Check['violations']; ended: string }) {
  return (
    <>
      <Notice tone="warn">
        {formatCount(violations.length)} {violations.length === 1 ? 'violation' : 'violations'} found. Checked {ended}.
      </Notice>
      <Table label="Violations" columns={['Invariant', 'Subject', 'Found']}>
        <tbody>
          {violations.map(({ domain, invariant, subject, detail }) => (
            <tr key={`${domain} ${invariant} ${subject}`}>
              <th scope="row">
                <span className={cells.who}>{invariant.replaceAll('-', ' ')}</span>
                <span className={cells.second}>{domain}</span>
              </th>
              <td>
                <code className={styles.subject}>{subject}</code>
              </td>
              <td>{detail}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </>
  );
}

function Recovered({ recovery }: { recovery: Recovery }) {
  const ended = useAgo(recovery.finishedAt);
  if (recovery.state === 'RUNNING') return <Progress name="The recovery" {...recovery} />;
  if (recovery.state === 'FAILED') {
    return (
      <Notice tone="bad">
        The recovery failed {ended}: {recovery.failure}
      </Notice>
    );
  }
  const failed = recovery.runs.filter(({ failure }) => failure);
  const busy = recovery.runs.filter((run) => typeof run.found !== 'number' && !run.failure).map(({ worker }) => worker);
  const found = recovery.runs.filter((run) => (run.found ?? 0) > 0);
  return (
    <Notice tone="plain" icon="check">
      <div className={styles.outcome}>
        <strong>{found.length === 0 ? `Recovered ${ended}: there was nothing to do.` : `Recovered ${ended}:`}</strong>
        {found.map(({ worker, found: count }) => (
          <span key={worker}>
            {worker}: {formatCount(count ?? 0)}
          </span>
        ))}
        {failed.map(({ worker, failure }) => (
          <span key={worker}>
            {worker}: failed. {failure}
          </span>
        ))}
        {busy.length > 0 && <span>Already running in another process: {busy.join('; ')}.</span>}
      </div>
    </Notice>
  );
}

function WorkersCard() {
  const { data, error, again } = useData(RecoveryJobsDocument, nothing, ofRecovery);
  usePolling(again, POLL_MS);
  return (
    <Card title="Workers" aside={<span className="note">run automatically</span>}>
      <Waiting data={data} error={error} again={again} rows={7} height="44px" />
      {data && <JobList jobs={data.recoveryJobs} />}
    </Card>
  );
}
