/** Old sessions are removed, and their roll-ups are kept unchanged. */
import { beforeEach, describe, expect, it } from 'vitest';
import { findRollUpViolations } from '../../../src/models/analytics/sessions/roll-up-invariants.js';
import { rollUpSessions } from '../../../src/models/analytics/sessions/roll-up-run.js';
import { recordSessions, type SessionInput, sessions } from '../../../src/models/analytics/sessions/session.js';
import { removeOldSessions } from '../../../src/models/analytics/sessions/session-removal.js';
import { DAY_MS, HOUR_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { emptyRollUps, stored } from './roll-up-support.js';

const database = useDatabase();
const KEEP_MS = 400 * DAY_MS;
const now = new Date('2026-06-15T12:30:00Z');
const later = (hours: number) => new Date(now.getTime() + hours * HOUR_MS);
/** 00:00 of the day 400 days ago. */
const horizon = new Date('2025-05-11T00:00:00Z');
const old = new Date('2025-05-10T23:59:59.999Z');

const record = (...inputs: SessionInput[]) => recordSessions(database.db, inputs, 'MAJORITY', now);
const rollUp = (rebuildMin?: number) =>
  rollUpSessions(database.db, { before: later(1000), now, ...(rebuildMin !== undefined && { rebuildMin }) });
const remove = (at: Date) => removeOldSessions(database.db, KEEP_MS, at);
const left = async () => (await sessions(database.db).find().sort({ _id: 1 }).toArray()).map(({ ts }) => ts);
async function violations() {
  const found = [];
  for await (const violation of findRollUpViolations(database.db)) found.push(violation);
  return found;
}

beforeEach(() => emptyRollUps(database.db));

describe('sessions older than the retention', () => {
  it('are refused immediately, and removed an hour later at the earliest', async () => {
    await record({ userId: 'ann', at: old, length: 1 }, { userId: 'ann', at: horizon, length: 2 });
    await rollUp();
    expect(await remove(now)).toBe(0); // announced
    expect(await record({ userId: 'bob', at: old, length: 4 }, { userId: 'bob', at: horizon, length: 8 })).toEqual({
      recorded: 1,
      rejected: [
        {
          index: 0,
          code: 'BAD_USER_INPUT',
          message: `sessions.0.at must not be before ${horizon.toISOString()}: older sessions are removed`,
        },
      ],
    });
    expect(await remove(later(0.99))).toBe(0);
    expect(await left()).toEqual([old, horizon, horizon]);
    await rollUp();
    expect(await remove(later(1))).toBe(1);
    expect(await left()).toEqual([horizon, horizon]);
    expect(await remove(later(2))).toBe(0);
  });

  it('stay in the roll-ups of all levels, even after a rebuild', async () => {
    const hours = Array.from({ length: 1200 }, (_, hour) => new Date(old.getTime() - hour * HOUR_MS));
    await record(...hours.slice(0, 600).map((at) => ({ userId: 'ann', at, length: 7 })));
    await record(...hours.slice(600).map((at) => ({ userId: 'bob', at, length: 7 })));
    await rollUp();
    const before = await stored(database.db);
    await remove(now);
    expect(await remove(later(24))).toBe(1200);
    expect(await left()).toEqual([]);
    expect(await stored(database.db)).toEqual(before);
    expect(await violations()).toEqual([]);
    await record({ userId: 'ann', at: later(0), length: 1 });
    await rollUp(1); // a rebuild
    const after = await stored(database.db);
    expect(after).toMatchObject(before);
    expect(Object.keys(after)).toHaveLength(Object.keys(before).length + 5);
    expect(await violations()).toEqual([]);
  });

  it('are kept until they are rolled up', async () => {
    await record({ userId: 'ann', at: old, length: 1 });
    await remove(now);
    expect(await remove(later(1))).toBe(0);
    await rollUp();
    expect(await remove(later(1.5))).toBe(1);
    expect(await violations()).toEqual([]);
  });

  it('change nothing when a straggler arrives for an hour whose sessions are removed', async () => {
    await record({ userId: 'ann', at: old, length: 1 });
    await rollUp();
    const before = await stored(database.db);
    await remove(now);
    await remove(later(1));
    const straggler = { _id: -1, userid: 'ann', ts: old, length: 100, arrived_at: now, pending: true } as const;
    await sessions(database.db).insertOne(straggler);
    await rollUp();
    expect(await stored(database.db)).toEqual(before);
  });
});
