/** System: the health of this server and its database, polled every few seconds. */
import { useEffect, useState } from 'react';
import { graphql } from '../../generated/gql.js';
import type { SystemQuery } from '../../generated/graphql.js';
import { usePolling } from '../api/polling.js';
import { useData } from '../api/use-data.js';
import { useDomain } from '../api/use-domain.js';
import { useClock } from '../kit/base/clock.js';
import { formatAgo, formatBytes, formatCount, formatCountOf, formatMoment, formatSpan } from '../kit/base/format.js';
import { Card } from '../kit/display/card.js';
import { Columns } from '../kit/display/columns.js';
import { JobList } from '../kit/display/jobs.js';
import { Empty, Failure } from '../kit/display/notice.js';
import { Skeleton, SkeletonRows } from '../kit/display/skeleton.js';
import { CollectionsCard } from './collections.js';
import { ExplainCard } from './explain.js';
import { type Fact, Facts } from './facts.js';
import { GroupCommitCard } from './group-commit-card.js';
import styles from './page.module.css';
import { SeedCard } from './seed-card.js';
import { SAMPLES_MAX, Sparkline } from './sparkline.js';

const SystemDocument = graphql(`
  query System {
    system {
      version
      startedAt
      database { version deployment embedded oplogWindowSeconds }
      realtime { streaming subscribers channels lagMs ringEvents ringReachSeconds resets alarm interruptions stateBytes catchingUp }
      jobs { name lastRunAt lastFinishedAt nextRunAt failure }
    }
  }
`);

const POLL_MS = 5_000;
const nothing = {};

type System = SystemQuery['system'];

export function SystemPage() {
  const { data, error, again } = useData(SystemDocument, nothing);
  usePolling(again, POLL_MS);
  const system = data?.system;
  const hasAnalytics = useDomain('analytics');
  return (
    <div className={styles.page}>
      {system ? <Uptime system={system} /> : <Skeleton width="24ch" />}
      {error && (
        <Failure again={again} old={data !== null}>
          {error}
        </Failure>
      )}
      {system ? <Health system={system} /> : !error && <SkeletonRows rows={3} height="150px" />}
      {system && (
        <>
          <CollectionsCard />
          <Columns first="1.3fr">
            {hasAnalytics && <ExplainCard />}
            <Card title="Jobs">
              {system.jobs.length === 0 && <Empty icon="system" title="No jobs are scheduled" />}
              <JobList jobs={system.jobs} />
            </Card>
          </Columns>
          <SeedCard />
        </>
      )}
    </div>
  );
}

function Uptime({ system: { version, startedAt } }: { system: System }) {
  const since = Date.parse(startedAt);
  const ago = useClock(1000, (now) => formatAgo(since, now));
  return (
    <p className="note" title={`${formatMoment(since)} UTC`}>
      Sextant {version}, this process started {ago}
    </p>
  );
}

function Health({ system }: { system: System }) {
  const { database, realtime } = system;
  const lags = useLags(system);
  const lagMax = Math.max(0, ...lags);
  const hasAnalytics = useDomain('analytics');
  const databaseFacts: Fact[] = [
    { name: 'MongoDB', value: database.version },
    { name: 'Deployment', value: database.deployment },
    { name: 'Embedded', value: database.embedded ? 'yes' : 'no' },
    {
      name: 'Oplog window',
      value: typeof database.oplogWindowSeconds === 'number' ? formatSpan(database.oplogWindowSeconds) : 'unknown',
      hint: 'A cursor older than this leads to a reset',
    },
  ];
  const realtimeFacts: Fact[] = [
    { name: 'Subscribers', value: formatCount(realtime.subscribers) },
    { name: 'Channels', value: formatCount(realtime.channels), hint: 'States and lists that clients follow' },
    { name: 'Catching up', value: formatCount(realtime.catchingUp), hint: 'Streams of clients that reconnected late' },
    {
      name: 'Ring',
      value: `${formatCountOf(realtime.ringEvents, 'event')}, ${formatSpan(realtime.ringReachSeconds)}`,
      hint: 'Events kept for clients that reconnect, and how far back they go',
    },
    {
      name: 'In memory',
      value: formatBytes(realtime.stateBytes),
      hint: 'Estimated size of subscriptions and the states that they follow',
    },
    {
      name: 'Resets',
      value: `${formatCount(realtime.resets)}${realtime.alarm ? ', too many recently' : ''}`,
      hint: 'How often the stream had to start over. If this is frequent, the oplog may be too short for the load',
    },
    {
      name: 'Interruptions',
      value: formatCount(realtime.interruptions),
      hint: 'How often the stream was interrupted and resumed after its last event',
    },
  ];
  return (
    <div className={styles.cards}>
      <Facts
        title="Realtime"
        mark={realtime.streaming ? 'stream open' : 'stream closed: no subscribers'}
        facts={realtimeFacts}
      >
        <Sparkline
          label="Lag"
          value={`${formatCount(realtime.lagMs)} ms`}
          note={`at most ${formatCount(lagMax)} ms while this page was open`}
          samples={lags}
          scaleMin={50}
        />
      </Facts>
      {hasAnalytics && <GroupCommitCard />}
      <Facts title="Database" facts={databaseFacts} />
    </div>
  );
}

/** The results of all polls since the page was opened. */
function useLags({ realtime }: System): readonly number[] {
  const [lags, setLags] = useState<readonly number[]>([]);
  useEffect(() => setLags((before) => [...before, realtime.lagMs].slice(-SAMPLES_MAX)), [realtime]);
  return lags;
}
