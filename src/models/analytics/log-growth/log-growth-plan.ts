/** A dry run of a change of the log's growth settings. */
import type { Db } from 'mongodb';
import { describeBytes, describeDuration, describeMoment } from '../../../shared/words.js';
import { sizeOf } from './log-collections.js';
import {
  activeSegment,
  findGrowth,
  type GrowthGoal,
  isSameGoal,
  keptFrom,
  type ListedSegment,
  type LogGrowthDocument,
  rotationMs,
} from './log-growth.js';
import { requireRoom, tooShort } from './log-growth-change.js';
import { type GrowthInput, requireGoal, segmentFor } from './log-growth-goal.js';
import {
  isTimeSeries,
  type LogSegment,
  type LogStrategy,
  logIndexes,
  segmentCollection,
  segmentDatabase,
  segmentIndexes,
  segmentName,
  timeSeriesIndexes,
} from './log-segment.js';

export interface LogGrowthPlan {
  readonly steps: readonly string[];
  /** Requests outside of the new window. */
  readonly eventsOutside: number;
  readonly keptFrom: Date | null;
  readonly newCollection: string;
}

/** Read-only. @throws InputError, LimitError as the change itself would */
export async function planLogGrowth(db: Db, input: GrowthInput, now: Date): Promise<LogGrowthPlan> {
  const goal = requireGoal(input);
  const growth = await findGrowth(db);
  const kept = keptFrom(goal, now);
  if (isSameGoal(growth, goal)) {
    const active = segmentName(activeSegment(growth));
    return {
      steps: ['Nothing changes: these are the current settings.'],
      eventsOutside: 0,
      keptFrom: kept,
      newCollection: active,
    };
  }
  requireRoom(db, growth, goal);
  const segment = segmentFor(goal, growth.next);
  const eventsOutside = await countOutside(db, growth, goal, kept);
  return {
    steps: stepsOf(db, growth, goal, segment, kept),
    eventsOutside,
    keptFrom: kept,
    newCollection: segmentName(segment),
  };
}

/** By age: counted with an index. By size: estimated as the share of each segment that does not fit. */
async function countOutside(db: Db, growth: LogGrowthDocument, goal: GrowthGoal, kept: Date | null): Promise<number> {
  const { max_bytes } = goal.retention;
  const counts: number[] = [];
  let bytes = 0;
  for (const segment of growth.segments.toReversed()) {
    if (kept) counts.push(await countBefore(db, segment, kept));
    if (max_bytes === undefined) continue;
    const { events, dataBytes } = await sizeOf(db, segment);
    bytes += dataBytes;
    if (bytes > max_bytes) counts.push(Math.round(events * Math.min(1, (bytes - max_bytes) / dataBytes)));
  }
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The index starts with the site, so the server skips from one site's old requests to those of the next. */
async function countBefore(db: Db, segment: ListedSegment, kept: Date): Promise<number> {
  if (segment.span && segment.span.oldest >= kept) return 0;
  const before = isTimeSeries(segment) ? { time: { $lt: kept } } : { site: { $gte: '' }, time: { $lt: kept } };
  const hint = isTimeSeries(segment) ? timeSeriesIndexes.ends : logIndexes.time;
  const [counted] = await segmentCollection(db, segment)
    .aggregate<{ events: number }>([{ $match: before }, { $count: 'events' }], { hint })
    .toArray();
  return counted?.events ?? 0;
}

function stepsOf(
  db: Db,
  growth: LogGrowthDocument,
  goal: GrowthGoal,
  segment: LogSegment,
  kept: Date | null,
): string[] {
  const names = growth.segments.map(segmentName).join(', ');
  const place =
    goal.strategy === 'ROTATED_DATABASES' ? ` in the database ${segmentDatabase(db, segment).databaseName}` : '';
  return [
    `Nothing is copied or moved: requests in ${names} stay there and can still be read.`,
    ...tooShort(growth, goal).map((each) => `Requests in ${segmentName(each)} no longer expire by age.`),
    `${segmentName(segment)} is created${place} with ${segmentIndexes(segment).length} indexes${strategyEffects[goal.strategy](goal)}.`,
    'From then on new requests are written there. Reads and writes are not interrupted.',
    ...(kept
      ? [`Requests from before ${describeMoment(kept)} are no longer shown. This limit moves forward with time.`]
      : []),
    describeRemoval(goal),
  ];
}

/** What happens to the previous segments. */
function describeRemoval({ retention }: GrowthGoal): string {
  if (retention.max_age_ms !== undefined)
    return 'An older collection is dropped when everything in it is outside of the window.';
  if (retention.max_bytes !== undefined)
    return `Older collections are dropped when newer ones hold ${describeBytes(retention.max_bytes)}. Until then the log is larger than that.`;
  return 'Nothing is dropped.';
}

const strategyEffects: Readonly<Record<LogStrategy, (goal: GrowthGoal) => string>> = {
  UNBOUNDED: () => '',
  CAPPED: ({ retention }) =>
    `; when it holds ${describeBytes(retention.max_bytes ?? 0)}, new requests replace the oldest ones`,
  TTL: ({ retention }) => `; the database removes each request ${age(retention.max_age_ms)} after its time`,
  ROTATED_COLLECTIONS: (goal) => `; the next one takes over after ${age(rotationMs(goal))}`,
  ROTATED_DATABASES: (goal) => `; the next one takes over after ${age(rotationMs(goal))}`,
  TIME_SERIES: ({ retention }) =>
    retention.max_age_ms === undefined
      ? ', as a time series'
      : `, as a time series; the database removes a bucket when everything in it is older than ${age(retention.max_age_ms)}`,
};

const age = (ms: number | null | undefined): string => describeDuration({ ms: ms ?? 0 });
