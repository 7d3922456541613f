/** Session roll-ups, and triggering one. */
import { graphql } from '../../../generated/gql.js';
import type { RollUpLevel, RollUpMutation, SessionStatsChangedSubscription } from '../../../generated/graphql.js';
import { mutate } from '../../api/client.js';
import type { EventOf } from '../../api/subscription.js';
import { type Live, useLive } from '../../api/use-live.js';

export const SessionStatsDocument = graphql(`
  query SessionStats($userId: String, $range: DateRange!, $level: RollUpLevel!, $first: Int!, $after: String) {
    sessionStats(userId: $userId, range: $range, level: $level, first: $first, after: $after) {
      edges { cursor node { userId at total count mean } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

const SessionStatsChangedDocument = graphql(`
  subscription SessionStatsChanged($userId: String!, $level: RollUpLevel!, $after: String) {
    sessionStatsChanged(userId: $userId, level: $level, after: $after) {
      cursor reset stats { userId at total count mean }
    }
  }
`);

const RollUpDocument = graphql(`
  mutation RollUp {
    rollUp(cutoff: "PT0S") { level documentsWritten milliseconds }
  }
`);

type Change = EventOf<SessionStatsChangedSubscription>;
export type Stats = Change['stats'][number];
export type Progress = RollUpMutation['rollUp'][number];

/** A user's periods by their start. */
export type Periods = ReadonlyMap<number, Stats>;

/** The number of periods that the server sends at first and keeps up to date. */
export const PERIODS_MAX = 100;

/** The first event and a reset contain all periods; other events contain the new values of those that changed. */
function applyChange(state: Periods | null, { reset, stats }: Change): Periods {
  const changed = stats.map((each) => [Date.parse(each.at), each] as const);
  return new Map(reset || state === null ? changed : [...state, ...changed]);
}

export const useUserPeriods = (userId: string, level: RollUpLevel): Live<Periods> =>
  useLive(SessionStatsChangedDocument, { userId, level }, applyChange);

/** The lists of all users' periods contain no type by which the cache could tell that they have changed. */
const ofStats = { additionalTypenames: ['SessionStats', 'SessionStatsConnection'] };

/** Rolls up all sessions that have arrived. @returns what was written, or why it failed */
export async function rollUp(): Promise<readonly Progress[] | string> {
  const answer = await mutate(RollUpDocument, {}, ofStats);
  return typeof answer === 'string' ? answer : answer.rollUp;
}
