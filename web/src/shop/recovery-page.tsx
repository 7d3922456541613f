/** Whether all sums are right, what mends them, and how the workers that do so by themselves last went. */
import { useState } from 'react';
import { graphql } from '../../generated/gql.js';
import type { RecoverMutation, ViolationsQuery } from '../../generated/graphql.js';
import { mutate } from '../client.js';
import { Card } from '../parts/card.js';
import cells from '../parts/cells.module.css';
import { Columns } from '../parts/columns.js';
import { formatCount } from '../parts/format.js';
import { JobList } from '../parts/jobs.js';
import { Notice } from '../parts/notice.js';
import { usePolling } from '../parts/polling.js';
import { Table } from '../parts/table.js';
import { useData } from '../parts/use-data.js';
import { Waiting } from '../parts/waiting.js';
import styles from './recovery-page.module.css';

const ViolationsDocument = graphql(`
  query Violations {
    violations { domain invariant subject detail }
  }
`);

const RecoveryJobsDocument = graphql(`
  query RecoveryJobs {
    recoveryJobs { name lastRunAt lastFinishedAt nextRunAt failure }
  }
`);

const RecoverDocument = graphql(`
  mutation Recover {
    recover { worker found }
  }
`);

type Violation = ViolationsQuery['violations'][number];
type Runs = RecoverMutation['recover'];

const nothing = {};
const POLL_MS = 5_000;
const ofRecovery = { additionalTypenames: ['Violation', 'Job'] };

export function RecoveryPage() {
  return (
    <Columns>
      <ViolationsCard />
      <WorkersCard />
    </Columns>
  );
}

function ViolationsCard() {
  // Not polled: each look reads all that has an invariant.
  const { data, error, again } = useData(ViolationsDocument, nothing, ofRecovery);
  const [state, setState] = useState<'idle' | 'working'>('idle');
  const [outcome, setOutcome] = useState<Runs | string | null>(null);
  const recover = async () => {
    setState('working');
    const answer = await mutate(RecoverDocument, {}, ofRecovery);
    setState('idle');
    setOutcome(typeof answer === 'string' ? answer : answer.recover);
  };
  const violations = data?.violations;
  return (
    <Card
      title="Violated invariants"
      aside={
        <>
          <button type="button" className="button" onClick={again}>
            Check again
          </button>
          <button
            type="button"
            className="button primary"
            disabled={state === 'working'}
            onClick={() => void recover()}
          >
            {state === 'working' ? 'Recovering…' : 'Recover now'}
          </button>
        </>
      }
      bodyClass={styles.body}
    >
      <Waiting data={violations} error={error} again={again} rows={4} />
      {violations?.length === 0 && (
        <Notice tone="good" icon="check">
          Every invariant holds: stock, money, orders, categories, counters.
        </Notice>
      )}
      {violations && violations.length > 0 && <Violations violations={violations} />}
      {typeof outcome === 'string' && <Notice tone="bad">{outcome}</Notice>}
      {outcome !== null && typeof outcome !== 'string' && <Outcome runs={outcome} />}
      <p className="note">
        A look reads all documents that have an invariant, and speaks of a shop at rest: what is under way may look
        wrong for a moment. Recovering finishes or takes back what a process has left, and changes nothing that is
        sound.
      </p>
    </Card>
  );
}

function Violations({ violations }: { violations: readonly Violation[] }) {
  return (
    <>
      <Notice tone="warn">
        {formatCount(violations.length)} {violations.length === 1 ? 'thing does' : 'things do'} not hold.
      </Notice>
      <Table label="Violations" columns={['What must hold', 'Of what', 'Found']}>
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

function Outcome({ runs }: { runs: Runs }) {
  const busy = runs.filter(({ found }) => typeof found !== 'number').map(({ worker }) => worker);
  const found = runs.filter((run) => (run.found ?? 0) > 0);
  return (
    <Notice tone="plain" icon="check">
      <div className={styles.outcome}>
        <strong>{found.length === 0 ? 'There was nothing to do.' : 'Done:'}</strong>
        {found.map(({ worker, found: count }) => (
          <span key={worker}>
            {worker}: {formatCount(count ?? 0)}
          </span>
        ))}
        {busy.length > 0 && <span>Another process was at it: {busy.join('; ')}.</span>}
      </div>
    </Notice>
  );
}

function WorkersCard() {
  const { data, error, again } = useData(RecoveryJobsDocument, nothing, ofRecovery);
  usePolling(again, POLL_MS);
  return (
    <Card title="Workers" aside={<span className="note">they run by themselves</span>}>
      <Waiting data={data} error={error} again={again} rows={7} height="44px" />
      {data && <JobList jobs={data.recoveryJobs} />}
    </Card>
  );
}
