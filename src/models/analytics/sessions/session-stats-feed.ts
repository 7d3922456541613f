/**
 * A user's roll-ups at one level, followed live: the latest periods, then each changed period with its new value.
 * Only the latest PERIODS_MAX periods are followed: changes to older ones are not sent.
 */
import { type ChangeEvent, changedDocument, defineFeed, type StateFeed } from '../../../database/index.js';
import { type RollUpDocument, rollUps } from './roll-up.js';
import type { RollUpLevel } from './roll-up-level.js';
import { requireUserId } from './session.js';

export interface SessionStatsArgs {
  readonly userId: string;
  readonly level: RollUpLevel;
}

/** The latest periods, by start. Documents are replaced, never modified. */
type SessionStatsState = Map<number, RollUpDocument>;

const PERIODS_MAX = 100;
const PERIOD_BYTES = 1000; // approximate size in memory

/** @throws InputError the user's id is invalid */
export function requireSessionStatsArgs({ userId, level }: SessionStatsArgs): SessionStatsArgs {
  return { userId: requireUserId('userId', userId), level };
}

export const sessionStatsFeed: StateFeed<
  SessionStatsArgs,
  SessionStatsState,
  readonly RollUpDocument[],
  readonly RollUpDocument[]
> = defineFeed({
  kind: 'state',
  name: 'session-stats',
  collections: Object.values(rollUps),

  key: ({ userId, level }) => `${level} ${userId}`,
  topic: ({ userId, level }) => `${rollUps[level].collectionName}:${userId}`,
  topics: (event) => [`${event.collection}:${idOf(event).u}`],

  snapshot: async (db, { userId, level }, session) => {
    const latest = await rollUps[level](db)
      .find({ '_id.u': userId }, { session })
      .sort({ '_id.d': -1 })
      .limit(PERIODS_MAX)
      .toArray();
    return new Map(latest.map((document) => [document._id.d.getTime(), document]));
  },

  touched: (event) => [String(idOf(event).d.getTime())],

  apply: (state, event) => {
    const begin = idOf(event).d.getTime();
    const before = state.get(begin);
    const document = changed(before, event);
    if (document) state.set(begin, document);
    else if (!state.delete(begin)) return []; // older than the periods held
    if (state.size > PERIODS_MAX) state.delete(Math.min(...state.keys()));
    return state.has(begin) || before ? [String(begin)] : [];
  },

  view: (state) => [...state.values()].sort(byBegin),
  change: (state, begins) => [...state.values()].filter(({ _id }) => begins.has(String(_id.d.getTime()))).sort(byBegin),
  bytes: (state) => state.size * PERIOD_BYTES,
});

const idOf = (event: ChangeEvent): RollUpDocument['_id'] => event.documentKey._id;

function changed(before: RollUpDocument | undefined, event: ChangeEvent): RollUpDocument | null {
  if (event.operation === 'delete') return null;
  if (event.document) return event.document as RollUpDocument;
  return before ? changedDocument(before, event) : null;
}

const byBegin = (left: RollUpDocument, right: RollUpDocument): number => left._id.d.getTime() - right._id.d.getTime();
