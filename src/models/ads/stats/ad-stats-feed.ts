/** The statistics of a campaign or a zone, followed live: everything first, then the slots that changed, with their new counts. */
import { defineFeed, type StateFeed } from '../../../database/index.js';
import { InputError, LimitError } from '../../../shared/errors.js';
import { DAY_MS, HOUR_MS } from '../../../shared/time.js';
import { nextSlot, slotOf, type TimeUnit } from '../../analytics/hits/hit-slot.js';
import {
  type AdPoint,
  type AdStats,
  adStats,
  COUNTERS,
  type Counts,
  changedHours,
  countsOf,
  dayOfId,
  findCounts,
  NOTHING,
  pointsOf,
  RANGE_MAX_MS,
  type Subject,
  subjectOf,
  subjectOfId,
  sumOf,
} from './ad-stats.js';

export interface AdStatsArgs extends Subject {
  /** How far the window reaches back from now. */
  readonly lastMs: number;
  readonly unit: TimeUnit;
}

interface State {
  /** By the start of the hour. */
  readonly hours: Map<number, Counts>;
  from: number;
}

const BYTES_PER_HOUR = 200;

/** @throws InputError @throws LimitError */
export function requireAdStatsArgs(args: AdStatsArgs): AdStatsArgs {
  if (args.lastMs <= 0) throw new InputError('last', 'must be longer than zero');
  if (args.unit === 'MINUTE') throw new InputError('unit', 'must not be MINUTE: hours are the shortest slots');
  if (args.lastMs > RANGE_MAX_MS) throw new LimitError('last must not be longer than 400 days', RANGE_MAX_MS / DAY_MS);
  return args;
}

const topicOf = (subject: string) => `${adStats.collectionName}:${subject}`;

export const adStatsFeed = defineFeed<StateFeed<AdStatsArgs, State, AdStats, readonly AdPoint[]>>({
  kind: 'state',
  name: 'ad stats',
  collections: [adStats],

  key: ({ kind, id, lastMs, unit }) => JSON.stringify([unit, lastMs, kind, id]),
  topic: ({ kind, id }) => topicOf(subjectOf(kind, id)),
  topics: ({ documentKey }) => [topicOf(subjectOfId(String(documentKey._id)))],

  snapshot: async (db, args, session, now) => {
    const from = beginOf(args, now);
    const range = { from: new Date(from), to: new Date(now.getTime() + DAY_MS) };
    return { from, hours: await findCounts(db, subjectOf(args.kind, args.id), range, session) };
  },
  touched: (event, { unit }) => {
    const day = dayOfId(String(event.documentKey._id));
    return [...new Set([...changedHours(event).keys()].map((hour) => String(slotOf(unit, day + hour * HOUR_MS))))];
  },
  apply: (state, event, args, now) => {
    slide(state, args, now);
    const day = dayOfId(String(event.documentKey._id));
    const changed = new Set<string>();
    for (const [hour, stored] of changedHours(event)) {
      const at = day + hour * HOUR_MS;
      if (at < state.from) continue;
      const before = state.hours.get(at) ?? NOTHING;
      const known = Object.fromEntries(
        Object.entries(COUNTERS).map(([name, letter]) => [letter, before[name as keyof Counts]]),
      );
      state.hours.set(at, countsOf({ ...known, ...stored }));
      changed.add(String(slotOf(args.unit, at)));
    }
    return [...changed];
  },
  view: (state, args, now) => {
    slide(state, args, now);
    const { kind, id, currency, unit } = args;
    const last = slotOf(unit, now.getTime());
    const range = { from: new Date(state.from), to: new Date(nextSlot(unit, last)) };
    return { kind, id, currency, unit, range, points: pointsOf(state.hours, unit, state.from, last) };
  },
  change: (state, keys, { unit }) =>
    [...keys]
      .map(Number)
      .filter((slot) => slot >= state.from)
      .sort((one, other) => one - other)
      .map((slot) => ({ at: new Date(slot), ...countsIn(state, slot, nextSlot(unit, slot)) })),
  bytes: ({ hours }) => hours.size * BYTES_PER_HOUR,
});

const beginOf = ({ unit, lastMs }: AdStatsArgs, now: Date): number => slotOf(unit, now.getTime() - lastMs);

/** Drops hours that have left the window. */
function slide(state: State, args: AdStatsArgs, now: Date): void {
  const from = beginOf(args, now);
  if (from <= state.from) return;
  state.from = from;
  for (const hour of state.hours.keys()) if (hour < from) state.hours.delete(hour);
}

function countsIn({ hours }: State, from: number, to: number): Counts {
  let sum = NOTHING;
  for (let hour = from; hour < to; hour += HOUR_MS) sum = sumOf(sum, hours.get(hour) ?? NOTHING);
  return sum;
}
