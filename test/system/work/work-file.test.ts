/** The files of background work, and the removal of both. */
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { system } from '../../../src/models/system/domain.js';
import { findRejectedRows } from '../../../src/models/system/work/data-import.js';
import {
  addParts,
  openFile,
  PART_BYTES,
  readParts,
  storeFile,
  workParts,
} from '../../../src/models/system/work/work-file.js';
import { requestUndo, startWork } from '../../../src/models/system/work/work-start.js';
import { LimitError } from '../../../src/shared/errors.js';
import { DAY_MS, HOUR_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { countingKind, useWork } from './work-support.js';

const database = useDatabase();
const { loopOf, start, find } = useWork(database);

const later = (ms: number) => new Date(Date.now() + ms);
const bytesOf = (length: number) => Buffer.from(Array.from({ length }, (_, index) => index % 251));
const partsOf = (id: string) => workParts(database.db).countDocuments({ _id: { $gte: `${id}.`, $lt: `${id}/` } });
const store = (id: string, bytes: Buffer, max = 10 * PART_BYTES) =>
  storeFile(database.db, id, Readable.from([bytes.subarray(0, 100), bytes.subarray(100)]), max, new Date());

async function read(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

async function cleanUp(now: Date): Promise<void> {
  const job = system.jobs.find(({ name }) => name.startsWith('Delete background work'));
  await job?.run({} as never, { db: database.db, now: () => now });
}

describe('a file', () => {
  it.each([0, 1, PART_BYTES, 2 * PART_BYTES + 7])('of %i bytes is read as it was stored', async (length) => {
    const id = `file-${length}`;
    const bytes = bytesOf(length);
    expect(await store(id, bytes)).toBe(length);
    expect(await partsOf(id)).toBe(Math.ceil(length / PART_BYTES));
    expect((await read(openFile(database.db, id))).equals(bytes)).toBe(true);
  });

  it('is read from any part on', async () => {
    await addParts(database.db, 'written', 0, [Buffer.from('one '), Buffer.from('two ')], new Date());
    await addParts(database.db, 'written', 2, [Buffer.from('three')], new Date());
    expect(String(await read(readParts(database.db, 'written')))).toBe('one two three');
    expect(String(await read(readParts(database.db, 'written', 1)))).toBe('two three');
    await expect(addParts(database.db, 'written', 2, [Buffer.from('again')], new Date())).rejects.toThrow('E11000');
  });

  it('that is too large is refused, and nothing is kept', async () => {
    await expect(store('large', bytesOf(3 * PART_BYTES), 2 * PART_BYTES)).rejects.toThrow(LimitError);
    expect(await partsOf('large')).toBe(0);
  });

  it('whose upload breaks off leaves nothing', async () => {
    const broken = Readable.from(
      (async function* () {
        yield bytesOf(2 * PART_BYTES);
        throw new Error('The line is dead');
      })(),
    );
    await expect(storeFile(database.db, 'broken', broken, 10 * PART_BYTES, new Date())).rejects.toThrow(
      'The line is dead',
    );
    expect(await partsOf('broken')).toBe(0);
  });
});

describe('the job that cleans up', () => {
  it('removes a file a day after its work has ended', async () => {
    await store('kept', bytesOf(2 * PART_BYTES));
    await startWork(
      database.db,
      { id: 'kept', kind: countingKind, owner: null, input: { rows: 5, batch: 5 } },
      new Date(),
    );
    await cleanUp(later(3 * DAY_MS));
    expect(await partsOf('kept')).toBe(2); // it is still needed
    await loopOf().run('kept');
    await cleanUp(later(DAY_MS - HOUR_MS));
    expect(await partsOf('kept')).toBe(2);
    await cleanUp(later(DAY_MS + HOUR_MS));
    expect(await partsOf('kept')).toBe(0);
    expect(await find('kept')).toMatchObject({ state: 'FINISHED' });
  });

  it('removes an upload that never led to work, after a day', async () => {
    await store('lost', bytesOf(2 * PART_BYTES));
    await cleanUp(later(DAY_MS - HOUR_MS));
    expect(await partsOf('lost')).toBe(2);
    await cleanUp(later(DAY_MS + HOUR_MS));
    expect(await partsOf('lost')).toBe(0);
  });

  it('removes work 30 days after its end, with its rejected rows and its lease', async () => {
    const { _id } = await start();
    await loopOf().run(_id);
    const open = await start();
    const rejects = async () => (await findRejectedRows(database.db, _id, { first: 10 })).edges.length;
    await cleanUp(later(29 * DAY_MS));
    expect(await find(_id)).not.toBeNull();
    expect(await rejects()).toBe(4);
    await cleanUp(later(31 * DAY_MS));
    expect(await find(_id)).toBeNull();
    expect(await rejects()).toBe(0);
    expect(await database.db.collection('leases').countDocuments({ _id: `work ${_id}` as never })).toBe(0);
    expect(await find(open._id)).toMatchObject({ state: 'WAITING' });
  });

  it('leaves work that is being undone, and what is being removed cannot be undone', async () => {
    const { _id } = await start();
    await loopOf().run(_id);
    const undo = () =>
      requestUndo(database.db, testAct(), { id: _id, type: 'DataImport', owner: null, kinds: [countingKind] });
    await undo();
    await cleanUp(later(31 * DAY_MS));
    expect(await loopOf().run(_id)).toMatchObject({ state: 'UNDONE' });
    await cleanUp(later(31 * DAY_MS));
    expect(await find(_id)).toBeNull();
  });
});
