/** An import into a log without transactions dies at any of its steps: in the end every line is counted once. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { activeSegment, findGrowth } from '../../../src/models/analytics/log-growth/log-growth.js';
import { segmentCollection } from '../../../src/models/analytics/log-growth/log-segment.js';
import { findLogImports, logImports } from '../../../src/models/analytics/log-import/log-import.js';
import { answerOrNull, type Scenario } from '../../crash/scenario.js';
import { change, goals } from '../log-growth/log-growth-support.js';
import { expectCountedOnce, makeAccessLog } from './access-log.js';
import { leaveUpload, reach, upload } from './import-client.js';

const log = makeAccessLog(1, 2500); // three batches
const finished = { state: 'FINISHED', lines: log.lines, imported: log.imported, rejected: log.rejected, failure: null };

/** A time series has no unique `_id` that would refuse a line that is stored twice. */
export const looseBatch: Scenario<void> = {
  failpoints: {
    'log.batch.in-flight': 2,
    'log.batch.loose-events-stored': 2,
    'log.batch.loose-committed': 2,
  },
  async act(product, db) {
    await change(db, goals.TIME_SERIES, new Date());
    await answerOrNull(upload(product, log));
  },
  async judge(product, db) {
    const id = await upload(product, log);
    expect(await reach(product, id, 'FINISHED')).toEqual(finished);
    await expectCountedOnce(db, [log]);
  },
};

/** A process died while a batch was in flight, and the process that resumes the import dies as well. */
export const looseBatchLeft: Scenario<void> = {
  failpoints: { 'log.batch.left-removed': 1, 'log.batch.left-settled': 1 },
  async act(product, db) {
    await change(db, goals.CAPPED, new Date());
    await leaveUpload(db, log);
    await leaveInFlight(db);
    await answerOrNull(upload(product, log));
  },
  async judge(product, db) {
    const id = await upload(product, log);
    expect(await reach(product, id, 'FINISHED')).toEqual(finished);
    await expectCountedOnce(db, [log]);
  },
};

/** Some lines of the first batch are stored, and not counted. */
async function leaveInFlight(db: Db): Promise<void> {
  const { edges } = await findLogImports(db, 'import.example', { first: 1 });
  const { _id } = edges[0]?.node ?? { _id: '' };
  const segment = activeSegment(await findGrowth(db));
  const stored = [1, 2, 3].map((line) => ({
    _id: `${_id}.${String(line).padStart(12, '0')}`,
    site: 'import.example',
    time: new Date(),
    host: '192.0.2.1',
    status: 200,
    import: _id,
    token: 0,
  }));
  await segmentCollection(db, segment).insertMany(stored);
  await logImports(db).updateOne(
    { _id },
    { $set: { in_flight: { segment: segment.number, first_line: 1, token: 0 } } },
  );
}

export const looseUndo: Scenario<string> = {
  failpoints: { 'log.undo.in-flight': 2, 'log.undo.loose-events-deleted': 2 },
  async act(product, db) {
    await change(db, goals.TIME_SERIES, new Date());
    const id = await upload(product, log);
    await reach(product, id, 'FINISHED');
    await answerOrNull(product.request(UNDO, { id }));
    return id;
  },
  async judge(product, db, id) {
    expect(await reach(product, id, 'UNDONE')).toMatchObject({ lines: 0, imported: 0, rejected: 0 });
    await expectCountedOnce(db, []);
  },
};
const UNDO = 'mutation ($id: ID!) { undoLogImport(id: $id) { ... on LogImport { id } ... on Refusal { message } } }';
