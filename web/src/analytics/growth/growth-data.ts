/** The growth of the request log: its current state, the preview of a change, and the change. */
import { useEffect } from 'react';
import { graphql } from '../../../generated/gql.js';
import type {
  LogGrowthChangedSubscription,
  LogGrowthInput,
  LogGrowthPlanQuery,
  LogGrowthQuery,
} from '../../../generated/graphql.js';
import { client, explainError, mutate } from '../../api/client.js';
import { usePolling } from '../../api/polling.js';
import type { EventOf } from '../../api/subscription.js';
import { type Answer, useData } from '../../api/use-data.js';
import { useLive } from '../../api/use-live.js';

const LogGrowthDocument = graphql(`
  query LogGrowth {
    logGrowth {
      __typename
      strategy
      retention { maxBytes maxAge collections }
      collections { name database strategy isActive events oldest newest bytes since dropsAt }
      changingTo
    }
  }
`);

const LogGrowthChangedDocument = graphql(`
  subscription LogGrowthChanged($after: String) {
    logGrowthChanged(after: $after) { cursor reset growth { strategy changingTo } }
  }
`);

const LogGrowthPlanDocument = graphql(`
  query LogGrowthPlan($input: LogGrowthInput!) {
    logGrowthPlan(input: $input) { steps eventsOutside keptFrom newCollection }
  }
`);

const ChangeLogGrowthDocument = graphql(`
  mutation ChangeLogGrowth($input: LogGrowthInput!) {
    changeLogGrowth(input: $input) {
      __typename
      ... on LogGrowth { strategy }
      ... on Refusal { message }
    }
  }
`);

export type Growth = LogGrowthQuery['logGrowth'];
export type LogCollection = Growth['collections'][number];
export type GrowthPlan = LogGrowthPlanQuery['logGrowthPlan'];

const nothing = {};
const ofGrowth = { additionalTypenames: ['LogGrowth'] };
/** The contents of the collections change without a change of the strategy. */
const POLL_MS = 10_000;

const growthOf = (_state: unknown, { growth }: EventOf<LogGrowthChangedSubscription>) => growth;

/** The growth, refetched periodically and whenever someone changes it. */
export function useGrowth(): Answer<LogGrowthQuery> {
  const answer = useData(LogGrowthDocument, nothing, ofGrowth);
  const { state } = useLive(LogGrowthChangedDocument, nothing, growthOf);
  const { again } = answer;
  usePolling(again, POLL_MS);
  useEffect(() => {
    if (state) again();
  }, [state, again]);
  return answer;
}

/** @returns what the change would do, or why it is not possible */
export async function planGrowth(input: LogGrowthInput): Promise<GrowthPlan | string> {
  const { data, error } = await client
    .query(LogGrowthPlanDocument, { input }, { requestPolicy: 'network-only' })
    .toPromise();
  if (error) return explainError(error);
  return data?.logGrowthPlan ?? 'The server did not respond.';
}

/** @returns why it was refused, or null */
export async function changeGrowth(input: LogGrowthInput): Promise<string | null> {
  const answer = await mutate(ChangeLogGrowthDocument, { input }, ofGrowth);
  if (typeof answer === 'string') return answer;
  return answer.changeLogGrowth.__typename === 'LogGrowth' ? null : answer.changeLogGrowth.message;
}
