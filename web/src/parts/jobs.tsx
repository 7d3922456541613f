/** Work that runs without a request. */
import type { SystemQuery } from '../../generated/graphql.js';
import { useClock } from './clock.js';
import { formatAgo, formatMoment, formatSpan } from './format.js';
import styles from './jobs.module.css';

type Job = SystemQuery['system']['jobs'][number];

const secondsOf = (now: number) => Math.floor(now / 1000);

/** A card's list of them: how each went, and when it goes again. */
export function JobList({ jobs }: { jobs: readonly Job[] }) {
  const now = useClock(1000, secondsOf) * 1000;
  return (
    <ul className={styles.jobs}>
      {jobs.map((job) => (
        <li key={job.name}>
          <span className={styles.dot} data-state={stateOf(job)} />
          <div>
            <strong>{job.name}</strong>
            <p className="note">{lastRun(job, now)}</p>
            {job.failure && <p className={styles.failure}>{job.failure}</p>}
          </div>
          <span className="note" title={job.nextRunAt ? `${formatMoment(Date.parse(job.nextRunAt))} UTC` : undefined}>
            {nextRun(job, now)}
          </span>
        </li>
      ))}
    </ul>
  );
}

function stateOf({ failure, lastRunAt }: Job): 'failed' | 'well' | 'new' {
  if (failure) return 'failed';
  return lastRunAt ? 'well' : 'new';
}

function lastRun({ lastRunAt, lastFinishedAt }: Job, now: number): string {
  if (!lastRunAt) return 'Has not run yet';
  const began = Date.parse(lastRunAt);
  const ended = lastFinishedAt ? Date.parse(lastFinishedAt) : null;
  const took = ended !== null && ended >= began ? `, took ${Math.max(1, ended - began).toLocaleString('en')} ms` : '';
  return `Ran ${formatAgo(began, now)}${took}`;
}

function nextRun({ nextRunAt }: Job, now: number): string {
  if (!nextRunAt) return 'not planned';
  const seconds = (Date.parse(nextRunAt) - now) / 1000;
  return seconds <= 1 ? 'due now' : `in ${formatSpan(seconds)}`;
}
