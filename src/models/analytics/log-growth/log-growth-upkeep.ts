/**
 * Periodic upkeep of the log's growth: unfinished changes are completed, the next period's segment takes over, and segments completely
 * outside of the window are removed. Removal has three steps, so that processes with an older version of the growth lose nothing:
 *
 * 1. A segment that has been inactive for GRACE_MS gets its span: by then every earlier writer has finished or checks again.
 * 2. When its span is outside of the window, it is retired: processes that read the growth from then on do not read it.
 * 3. GRACE_MS later, when every earlier reader has finished, it is dropped.
 *
 * May run in several processes concurrently and die anywhere: the document holds the state of each step.
 */
import type { Db } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { sizeOf } from './log-collections.js';
import {
  activeSegment,
  commitGrowth,
  findGrowth,
  keptFrom,
  type ListedSegment,
  type LogGrowthDocument,
  rotationMs,
} from './log-growth.js';
import { finishChange, noteRotation } from './log-growth-change.js';
import { completeSegment, dropSegment, spanOf } from './log-segment.js';

const STEPS_MAX = 1000;

/** Creates missing collections and indexes of the log. For the start of a server, like `buildIndexes` for all other collections. */
export async function completeLog(db: Db): Promise<void> {
  for (const segment of (await findGrowth(db)).segments) await completeSegment(db, segment);
}

/**
 * Does all pending upkeep.
 * @param settled GRACE_MS ago: processes that read the growth before this time have finished with it
 * @returns the number of steps taken
 */
export async function keepLogGrowth(db: Db, now: Date, settled: Date): Promise<number> {
  let steps = 0;
  while (steps < STEPS_MAX && (await takeStep(db, await findGrowth(db), now, settled))) steps += 1;
  return steps;
}

/** @returns false when there is nothing to do. If another process was faster, the growth is simply read again */
async function takeStep(db: Db, growth: LogGrowthDocument, now: Date, settled: Date): Promise<boolean> {
  if (growth.change) {
    await finishChange(db, growth, now);
    return true;
  }
  const period = rotationMs(growth);
  if (period !== null && now.getTime() - activeSegment(growth).since.getTime() >= period) {
    await noteRotation(db, growth);
    failpoint('log.growth.rotation-noted');
    return true;
  }
  return (
    (await closeOne(db, growth, settled)) || (await retireOne(db, growth, now)) || (await dropOne(db, growth, settled))
  );
}

async function closeOne(db: Db, growth: LogGrowthDocument, settled: Date): Promise<boolean> {
  const segment = growth.segments.find(({ until, span }) => until && until <= settled && span === undefined);
  if (!segment) return false;
  const span = await spanOf(db, segment);
  const segments = growth.segments.map((each) => (each === segment ? { ...each, span } : each));
  await commitGrowth(db, growth, { segments });
  failpoint('log.growth.segment-closed');
  return true;
}

async function retireOne(db: Db, growth: LogGrowthDocument, now: Date): Promise<boolean> {
  for (const segment of growth.segments) {
    if (!(await isOutside(db, growth, segment, now))) continue;
    const { number, strategy } = segment;
    await commitGrowth(db, growth, {
      segments: growth.segments.filter((each) => each !== segment),
      retired: [...growth.retired, { number, strategy, retired_at: now }],
    });
    failpoint('log.growth.segment-retired');
    return true;
  }
  return false;
}

/** By age: its newest request is too old. By size: newer segments fill the window. */
async function isOutside(db: Db, growth: LogGrowthDocument, { number, span }: ListedSegment, now: Date) {
  if (span === undefined) return false;
  if (span === null) return true;
  const kept = keptFrom(growth, now);
  if (kept) return span.newest < kept;
  const { max_bytes } = growth.retention;
  if (max_bytes === undefined) return false;
  const newer = growth.segments.filter((each) => each.number > number);
  const sizes = await Promise.all(newer.map((each) => sizeOf(db, each)));
  return sizes.reduce((sum, { dataBytes }) => sum + dataBytes, 0) >= max_bytes;
}

async function dropOne(db: Db, growth: LogGrowthDocument, settled: Date): Promise<boolean> {
  const segment = growth.retired.find(({ retired_at }) => retired_at <= settled);
  if (!segment) return false;
  await dropSegment(db, segment);
  failpoint('log.growth.segment-dropped');
  await commitGrowth(db, growth, { retired: growth.retired.filter((each) => each !== segment) });
  failpoint('log.growth.drop-noted');
  return true;
}
