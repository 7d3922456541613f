/** The group commit of hits: what this process has written, and how fast. */
import { useEffect, useState } from 'react';
import { graphql } from '../../generated/gql.js';
import type { GroupCommitQuery } from '../../generated/graphql.js';
import { usePolling } from '../api/polling.js';
import { useData } from '../api/use-data.js';
import { formatCount } from '../kit/base/format.js';
import { Failure } from '../kit/display/notice.js';
import { SkeletonRows } from '../kit/display/skeleton.js';
import { type Fact, Facts } from './facts.js';
import { SAMPLES_MAX, Sparkline } from './sparkline.js';

const GroupCommitDocument = graphql(`
  query GroupCommit {
    system {
      groupCommit { waiting hits groups }
    }
  }
`);

const POLL_MS = 5_000;
const nothing = {};

type GroupCommit = GroupCommitQuery['system']['groupCommit'];

export function GroupCommitCard() {
  const { data, error, again } = useData(GroupCommitDocument, nothing);
  usePolling(again, POLL_MS);
  if (data) return <Commits groupCommit={data.system.groupCommit} />;
  return error ? <Failure again={again}>{error}</Failure> : <SkeletonRows rows={1} height="150px" />;
}

function Commits({ groupCommit }: { groupCommit: GroupCommit }) {
  const rates = useRates(groupCommit);
  const rate = rates.at(-1);
  const perGroup = groupCommit.groups > 0 ? groupCommit.hits / groupCommit.groups : 0;
  const facts: Fact[] = [
    { name: 'Hits written', value: formatCount(groupCommit.hits) },
    { name: 'In groups', value: formatCount(groupCommit.groups) },
    { name: 'Hits per group', value: perGroup.toFixed(1), hint: 'The mean since the process started' },
    { name: 'Waiting now', value: formatCount(groupCommit.waiting) },
  ];
  return (
    <Facts title="Group commit of hits" mark="this process" facts={facts}>
      <Sparkline
        label="Rate"
        value={rate === undefined ? 'measuring' : `${formatCount(Math.round(rate))} hits/s`}
        samples={rates}
        scaleMin={10}
      />
    </Facts>
  );
}

interface Samples {
  /** Hits per second between polls. */
  readonly rates: readonly number[];
  readonly last: { readonly at: number; readonly hits: number } | null;
}

/** The results of all polls since the page was opened. */
function useRates(groupCommit: GroupCommit): readonly number[] {
  const [{ rates }, setSamples] = useState<Samples>({ rates: [], last: null });
  useEffect(() => {
    const now = { at: performance.now(), hits: groupCommit.hits };
    setSamples(({ rates: before, last }) => {
      const rate = last && Math.max(0, ((now.hits - last.hits) * 1000) / Math.max(1, now.at - last.at));
      return { rates: rate === null ? before : [...before, rate].slice(-SAMPLES_MAX), last: now };
    });
  }, [groupCommit]);
  return rates;
}
