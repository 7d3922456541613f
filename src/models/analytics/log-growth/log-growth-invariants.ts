/** The invariants of the log's growth at rest, see `log-growth.ts`. For tests and `sextant doctor`. */
import type { Db } from 'mongodb';
import { isServerError } from '../../../database/index.js';
import { type ListedSegment, logGrowth } from './log-growth.js';
import { logEvents, segmentCollection, segmentDatabase, segmentIndexes, segmentName } from './log-segment.js';

export interface LogGrowthViolation {
  readonly invariant: 'log-segment-is-complete' | 'log-has-one-active-segment' | 'log-segment-is-listed';
  readonly subject: string;
  readonly expected: number;
  readonly found: number;
}

export async function* findLogGrowthViolations(db: Db): AsyncGenerator<LogGrowthViolation> {
  const growth = await logGrowth(db).findOne({ _id: 'log' });
  if (!growth) return; // it is created with the first request
  const { segments, next, retired, change } = growth;
  for (const segment of segments) {
    const expected = segmentIndexes(segment).map(({ key }) => JSON.stringify(key));
    const there = await indexKeys(db, segment);
    const found = expected.filter((key) => there.includes(key)).length;
    if (found < expected.length)
      yield { invariant: 'log-segment-is-complete', subject: segmentName(segment), expected: expected.length, found };
  }
  const active = segments.filter(({ until }) => until === undefined);
  if (active.length !== 1 || active[0] !== segments.at(-1))
    yield { invariant: 'log-has-one-active-segment', subject: 'log.growth', expected: 1, found: active.length };
  const known = new Set(
    [...segments, ...retired, ...(change ? [change.segment] : [])].map((segment) => nameOf(db, segment)),
  );
  for (const name of [...(await ownCollections(db)), ...(await rotatedDatabases(db, next))]) {
    if (!known.has(name)) yield { invariant: 'log-segment-is-listed', subject: name, expected: 1, found: 0 };
  }
}

/** The name of a collection here, or of a rotated database. */
function nameOf(db: Db, segment: Pick<ListedSegment, 'number' | 'strategy'>): string {
  const { databaseName } = segmentDatabase(db, segment);
  return databaseName === db.databaseName ? segmentName(segment) : databaseName;
}

async function indexKeys(db: Db, segment: ListedSegment): Promise<string[]> {
  try {
    const indexes = await segmentCollection(db, segment).listIndexes().toArray();
    return indexes.map(({ key }) => JSON.stringify(key));
  } catch (error) {
    if (isServerError(error, 'namespaceNotFound')) return [];
    throw error;
  }
}

async function ownCollections(db: Db): Promise<string[]> {
  const name = new RegExp(`^${logEvents.collectionName.replace('.', '\\.')}(_\\d+)?$`);
  return (await db.listCollections({ name }, { nameOnly: true }).toArray()).map((each) => each.name);
}

/** The rotated databases that exist. Empty without permission to list databases, so they are not checked. */
async function rotatedDatabases(db: Db, next: number): Promise<string[]> {
  try {
    const names = Array.from({ length: next }, (_, number) => `${db.databaseName}_log_${number}`);
    const { databases } = await db.admin().listDatabases({ nameOnly: true, filter: { name: { $in: names } } });
    return databases.map(({ name }) => name);
  } catch (error) {
    if (isServerError(error, 'unauthorized')) return [];
    throw error;
  }
}
