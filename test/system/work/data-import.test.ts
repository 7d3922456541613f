/** Imports: the bounds of what is kept of rejected rows, and of how much may be open. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findRejectedRows, recordRows, workRejects } from '../../../src/models/system/work/data-import.js';
import { startWork } from '../../../src/models/system/work/work-start.js';
import { useDatabase } from '../../support/database.js';
import { kindOf, useWork } from './work-support.js';

const database = useDatabase();
const { loopOf, start } = useWork(database);

/** An import of rows that are all rejected, except the first if `isReadable`. */
const rejecting = (rows: number, batch: number, isReadable: boolean, raw = 'x') =>
  kindOf('rejecting', async (held) => {
    for (let from = 0; from < rows; from += batch) {
      const rejects = Array.from({ length: batch }, (_, index) => from + index + 1)
        .filter((row) => row > 1 || !isReadable)
        .map((row) => ({ row, line: row, reason: 'WRONG', raw }));
      await recordRows(held, async () => ({ imported: batch - rejects.length, rejects }));
    }
  });

describe('an import', () => {
  it('ends when none of its first 1,000 rows can be imported', async () => {
    const kind = rejecting(5000, 500, false);
    const { _id } = await start(kind);
    expect(await loopOf([kind]).run(_id)).toMatchObject({
      state: 'FAILED',
      failure: 'None of the first 1000 rows could be imported',
      rejected: 1000,
    });
  });

  it('keeps the first 10,000 rejected rows, and counts all', async () => {
    const kind = rejecting(12_000, 3000, true);
    const { _id } = await start(kind);
    expect(await loopOf([kind]).run(_id)).toMatchObject({
      state: 'FINISHED',
      imported: 1,
      rejected: 11_999,
      reject_reasons: { WRONG: 11_999 },
    });
    expect(await workRejects(database.db).countDocuments({ _id: { $gte: `${_id}.`, $lt: `${_id}/` } })).toBe(10_000);
    const last = await findRejectedRows(database.db, _id, { first: 500 });
    expect(last.edges[499]?.node).toMatchObject({ row: 501, line: 501 });
  });

  it('keeps at most 4096 bytes of a row, in whole characters', async () => {
    const kind = rejecting(1, 1, false, `x${'é'.repeat(5000)}`);
    const { _id } = await start(kind);
    await loopOf([kind]).run(_id);
    const { edges } = await findRejectedRows(database.db, _id, { first: 1 });
    expect(edges[0]?.node.raw).toBe(`x${'é'.repeat(2047)}`);
  });
});

describe('starting work', () => {
  it('is refused to an owner with 20 pieces of work that have not ended', async () => {
    const kind = rejecting(1, 1, true);
    for (let count = 1; count <= 20; count += 1) await start(kind, { owner: 'ann' });
    await expect(start(kind, { owner: 'ann' })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: 20 },
    });
    const { _id } = await start(kind, { owner: 'ben' });
    await loopOf([kind]).run(_id);
    expect(await start(kind, { owner: 'ben' })).toMatchObject({ state: 'WAITING' });
  });

  it('twice under one id is the same work', async () => {
    const { db } = database;
    const work = { id: randomUUID(), kind: rejecting(1, 1, true), owner: 'ann', input: {} };
    const first = await startWork(db, work, new Date(1000));
    expect(await startWork(db, { ...work, input: { other: true } }, new Date(2000))).toEqual(first);
  });
});
