/** The strategies of the log's growth, and helpers for tests with them. */
import type { Db } from 'mongodb';
import { keptFields } from '../../../src/models/analytics/log/log-fields.js';
import { type EventFilter, findEvents } from '../../../src/models/analytics/log/request-log.js';
import { type RequestInput, recordEvents } from '../../../src/models/analytics/log/request-record.js';
import { findGrowth, type LogGrowthDocument } from '../../../src/models/analytics/log-growth/log-growth.js';
import { changeLogGrowth } from '../../../src/models/analytics/log-growth/log-growth-change.js';
import type { GrowthInput } from '../../../src/models/analytics/log-growth/log-growth-goal.js';
import type { LogEventDocument } from '../../../src/models/analytics/log-growth/log-segment.js';
import { DAY_MS } from '../../../src/shared/time.js';
import { dropRotatedDatabases } from '../../support/database-pool.js';
import { testAct } from '../../support/people.js';

/** Long enough that nothing expires by itself, because the TTL monitor uses real time. */
export const WINDOW = { ms: 3650 * DAY_MS };

export const goals = {
  UNBOUNDED: { strategy: 'UNBOUNDED' },
  CAPPED: { strategy: 'CAPPED', maxBytes: 16 * 1024 ** 2 },
  TTL: { strategy: 'TTL', maxAge: WINDOW },
  ROTATED_COLLECTIONS: { strategy: 'ROTATED_COLLECTIONS', maxAge: WINDOW, collections: 4 },
  ROTATED_DATABASES: { strategy: 'ROTATED_DATABASES', maxAge: WINDOW, collections: 4 },
  TIME_SERIES: { strategy: 'TIME_SERIES' },
} as const satisfies Record<string, GrowthInput>;

/** Drops all collections and databases of the log. */
export async function dropLog(db: Db): Promise<void> {
  await dropRotatedDatabases(db);
  const collections = await db.listCollections({ name: /^log\.(events|source)/ }, { nameOnly: true }).toArray();
  for (const { name } of collections) await db.collection(name).drop();
  await db.collection('log.growth').deleteMany();
}

/** @throws Error when the change is refused */
export async function change(db: Db, input: GrowthInput, now: Date): Promise<LogGrowthDocument> {
  const changed = await changeLogGrowth(db, testAct(), input, now);
  if (!('_id' in changed)) throw new Error(changed.message);
  return changed;
}

export const record = (db: Db, requests: readonly RequestInput[], now: Date) =>
  recordEvents(db, requests, 'MAJORITY', { now, keep: keptFields([]) });

/** The requests of all pages, in order. */
export async function allPages(db: Db, filter: EventFilter, first: number, now: Date): Promise<LogEventDocument[]> {
  const found: LogEventDocument[] = [];
  for (let after: string | null = null; ; ) {
    const page = await findEvents(db, filter, { first, after }, now);
    found.push(...page.edges.map(({ node }) => node));
    if (!page.pageInfo.hasNextPage) return found;
    after = page.pageInfo.endCursor;
  }
}

/** For failure messages: the strategies of the segments, oldest first. */
export async function strategiesOf(db: Db): Promise<string[]> {
  return (await findGrowth(db)).segments.map(({ strategy }) => strategy);
}
