/** An import dies at any of its steps: it resumes by itself, and in the end every line is counted once. */
import { expect } from 'vitest';
import type { ProductClient } from '../../../harness/product.js';
import { answerOrNull, type Scenario } from '../../crash/scenario.js';
import { type AccessLog, expectCountedOnce, makeAccessLog } from './access-log.js';
import { leaveUpload, reach, upload } from './import-client.js';

const log = makeAccessLog(1, 2500); // three batches
const finished = ({ lines, imported, rejected }: AccessLog) => ({
  state: 'FINISHED',
  lines,
  imported,
  rejected,
  failure: null,
});

export const logImport: Scenario<string | null> = {
  failpoints: {
    'log.file.stored': 1,
    'log.import.site-noted': 1,
    'log.import.lease-taken': 1,
    'log.import.taken-up': 1,
    'log.import.changed': 1,
    'log.import.left-counted': 1,
    'log.batch.events-inserted': 2,
    'log.batch.committed': 2,
    'log.hits.months-moved': 2,
    'log.hits.days-moved': 2,
    'log.hits.part-counted': 2,
    'log.file.marked-read': 1,
    'log.import.lease-released': 1,
  },
  act: (product) => answerOrNull(upload(product, log)),
  async judge(product, db, acknowledged) {
    if (acknowledged) await reach(product, acknowledged, 'FINISHED'); // without another request
    const id = await upload(product, log);
    expect(await reach(product, id, 'FINISHED')).toEqual(finished(log));
    if (acknowledged) expect(id).toBe(acknowledged);
    await expectCountedOnce(db, [log]);
  },
};

/** @returns the id of an import that has finished */
async function importLog(product: ProductClient): Promise<string> {
  const id = await upload(product, log);
  await reach(product, id, 'FINISHED');
  return id;
}

/** The same file again: it is discarded, and nothing counts twice. */
export const logRepeat: Scenario<string> = {
  failpoints: { 'log.file.deleted': 1, 'log.file.chunks-deleted': 1 },
  async act(product) {
    const id = await importLog(product);
    expect(await answerOrNull(upload(product, log))).toBeNull();
    return id;
  },
  async judge(product, db, id) {
    expect(await upload(product, log)).toBe(id);
    expect(await reach(product, id, 'FINISHED')).toEqual(finished(log));
    await expectCountedOnce(db, [log]);
  },
};

/**
 * Two files with the same start are uploaded before either is read: the second turns out to be a different file when it is read,
 * and gets its own import.
 */
export const logOfAnother: Scenario<null> = {
  failpoints: { 'log.import.given-away': 1 },
  async act(product, db) {
    await leaveUpload(db, log);
    await leaveUpload(db, other); // immediately, since the server may start to read by itself
    await answerOrNull(upload(product, other));
    return null;
  },
  async judge(product, db) {
    for (const each of [log, other]) {
      const id = await upload(product, each);
      expect(await reach(product, id, 'FINISHED')).toEqual(finished(each));
    }
    await expectCountedOnce(db, [log, other]);
  },
};
const other = makeAccessLog(2, 1500);

/** Undoing an import, one batch after the other. */
export const logUndo: Scenario<string> = {
  failpoints: { 'log.hits.part-uncounted': 2, 'log.undo.events-deleted': 2, 'log.undo.committed': 2 },
  async act(product) {
    const id = await importLog(product);
    await answerOrNull(product.request(UNDO, { id }));
    return id;
  },
  async judge(product, db, id) {
    expect(await reach(product, id, 'UNDONE')).toMatchObject({ lines: 0, imported: 0, rejected: 0 });
    await expectCountedOnce(db, []);
  },
};
const UNDO = 'mutation ($id: ID!) { undoLogImport(id: $id) { ... on LogImport { id } ... on Refusal { message } } }';
