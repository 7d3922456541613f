import { type Db, type Document, MongoBulkWriteError } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  commitConcernOf,
  defineCollection,
  inTransaction,
  lastWriteOf,
  withWriteClock,
} from '../../src/database/index.js';
import { carts } from '../../src/models/commerce/orders/cart.js';
import { useDatabase } from '../support/database.js';

interface Thing extends Document {
  _id: string;
  size?: number;
}

const things = defineCollection<Thing>('things');
const others = defineCollection<Thing>('other.things');
const remembered = defineCollection<Thing>('remembered', [], { isBookkeeping: true });
const database = useDatabase({ checked: false });

/** The times of the writes of `work`, in order, from the change stream. */
async function timesOf(work: () => Promise<unknown>) {
  const stream = database.db.watch([], { maxAwaitTimeMS: 100 });
  await stream.tryNext();
  await work();
  await database.db.collection<Thing>('end.mark').insertOne({ _id: String(Math.random()) });
  const times = [];
  for await (const event of stream) {
    if ('ns' in event && 'coll' in event.ns && event.ns.coll === 'end.mark') break;
    times.push(event.clusterTime);
  }
  return times;
}

beforeEach(async () => {
  await things(database.db).deleteMany({});
  await others(database.db).deleteMany({});
  await things(database.db).insertOne({ _id: 'there', size: 1 });
});

const handle = () => withWriteClock(database.db);

describe('a handle with a clock', () => {
  it.each([
    ['insertOne', (own: Db) => things(own).insertOne({ _id: 'new' })],
    ['insertMany', (own: Db) => things(own).insertMany([{ _id: 'new' }])],
    ['updateOne', (own: Db) => things(own).updateOne({ _id: 'there' }, { $inc: { size: 1 } })],
    ['an upsert', (own: Db) => things(own).updateOne({ _id: 'new' }, { $inc: { size: 1 } }, { upsert: true })],
    ['replaceOne', (own: Db) => things(own).replaceOne({ _id: 'there' }, { size: 5 })],
    ['findOneAndUpdate', (own: Db) => things(own).findOneAndUpdate({ _id: 'there' }, { $inc: { size: 1 } })],
    ['findOneAndDelete', (own: Db) => things(own).findOneAndDelete({ _id: 'there' })],
    ['deleteOne', (own: Db) => things(own).deleteOne({ _id: 'there' })],
    ['bulkWrite', (own: Db) => things(own).bulkWrite([{ deleteOne: { filter: { _id: 'there' } } }])],
    [
      'a transaction',
      (own: Db) =>
        inTransaction(own, commitConcernOf.MAJORITY, (session) => things(own).insertOne({ _id: 'new' }, { session })),
    ],
  ])('knows when %s was committed', async (_name, write) => {
    const own = handle();
    const times = await timesOf(() => write(own));
    expect(times).toHaveLength(1);
    expect(lastWriteOf(own)).toEqual(times[0]);
  });

  it.each([
    ['a guard that does not match', (own: Db) => things(own).updateOne({ _id: 'none' }, { $inc: { size: 1 } })],
    ['a missing document', (own: Db) => things(own).findOneAndUpdate({ _id: 'none' }, { $inc: { size: 1 } })],
    ['bookkeeping', (own: Db) => remembered(own).insertOne({ _id: String(Math.random()) })],
    [
      'a transaction that only reads',
      (own: Db) =>
        inTransaction(own, commitConcernOf.MAJORITY, (session) => things(own).findOne({ _id: 'there' }, { session })),
    ],
    [
      'an unacknowledged write',
      (own: Db) => things(own).updateOne({ _id: 'there' }, { $inc: { size: 1 } }, { writeConcern: { w: 0 } }),
    ],
  ])('reports no time after %s', async (_name, work) => {
    const own = handle();
    await work(own);
    expect(lastWriteOf(own)).toBeUndefined();
  });

  it('reports the last of several writes', async () => {
    const own = handle();
    const times = await timesOf(async () => {
      await things(own).insertOne({ _id: 'first' });
      await others(own).insertOne({ _id: 'second' });
    });
    expect(lastWriteOf(own)).toEqual(times[1]);
  });

  it('reports the write to a followed collection, whatever is written after it', async () => {
    const own = handle();
    const times = await timesOf(async () => {
      await carts(own).updateOne({ _id: String(Math.random()) }, { $set: { state: 'ACTIVE' } }, { upsert: true });
      await things(own).insertOne({ _id: 'later' });
    });
    expect(times).toHaveLength(2);
    expect(lastWriteOf(own)).toEqual(times[0]);
  });

  it('reports the time of the stored documents when the rest was rejected', async () => {
    const own = handle();
    const insert = () => things(own).insertMany([{ _id: 'there' }, { _id: 'new' }], { ordered: false });
    const times = await timesOf(() => expect(insert()).rejects.toBeInstanceOf(MongoBulkWriteError));
    expect(times).toHaveLength(1);
    expect(lastWriteOf(own)).toEqual(times[0]);
  });

  it('does not affect other handles', async () => {
    const own = handle();
    await things(database.db).insertOne({ _id: 'new' });
    expect(lastWriteOf(own)).toBeUndefined();
    expect(lastWriteOf(database.db)).toBeUndefined();
  });
});
