/** Background jobs and the outcome of their last runs. */
import type { SystemQuery } from '../../../generated/graphql.js';
import { useClock } from '../base/clock.js';
import { formatAgo, formatMoment, formatSpan } from '../base/format.js';
import styles from './jobs.module.css';

type Job = SystemQuery['system']['jobs'][number];

const secondsOf = (now: number) => Math.floor(now / 1000);

/** The jobs as a list: how the last run of each went, and when it runs next. */
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

/** The duration of the last run in milliseconds. Null while it is running. */
function tookMs({ lastRunAt, lastFinishedAt }: Job): number | null {
  const ms = lastRunAt && lastFinishedAt ? Date.parse(lastFinishedAt) - Date.parse(lastRunAt) : -1;
  return ms < 0 ? null : ms;
}

function lastRun(job: Job, now: number): string {
  if (!job.lastRunAt) return 'Has not run yet';
  const began = formatAgo(Date.parse(job.lastRunAt), now);
  const ms = tookMs(job);
  return ms === null
    ? `Started ${began}, still running`
    : `Ran ${began}, took ${Math.max(1, ms).toLocaleString('en')} ms`;
}

function nextRun(job: Job, now: number): string {
  const { nextRunAt } = job;
  if (!nextRunAt) return 'not scheduled';
  if (job.lastRunAt && tookMs(job) === null) return 'running';
  const seconds = (Date.parse(nextRunAt) - now) / 1000;
  return seconds <= 1 ? 'due now' : `in ${formatSpan(seconds)}`;
}
