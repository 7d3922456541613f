/** The latest period with sessions of any user: shown by default. */
import { graphql } from '../../../generated/gql.js';
import type { RollUpLevel } from '../../../generated/graphql.js';
import { usePolling } from '../../api/polling.js';
import { type Answer, useData } from '../../api/use-data.js';

const LatestPeriodDocument = graphql(`
  query LatestPeriod($level: RollUpLevel!, $range: DateRange!) {
    sessionStats(level: $level, range: $range, sort: AT_DESC, first: 1) { edges { node { at } } }
  }
`);

/** The widest range that the API accepts. */
const range = { from: '1970-01-01T00:00:00Z', to: '9998-12-31T00:00:00Z' };
const POLL_MS = 15_000;

interface Latest {
  /** The start of the period. Null if there are no sessions. */
  readonly at: number | null;
}

export function useLatestPeriod(level: RollUpLevel): Answer<Latest> {
  const { data, error, again } = useData(LatestPeriodDocument, { level, range });
  usePolling(again, POLL_MS);
  const [edge] = data?.sessionStats.edges ?? [];
  return { data: data && { at: edge ? Date.parse(edge.node.at) : null }, error, again };
}
