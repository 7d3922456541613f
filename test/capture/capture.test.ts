/** The capture's rules: each one reports its violation. */
import { describe, expect, it } from 'vitest';
import {
  buildIndexes,
  commitConcernOf,
  defineCollection,
  inTransaction,
  releaseLease,
  takeLease,
  updateInTransaction,
} from '../../src/database/index.js';
import { dailyHits } from '../../src/models/analytics/hits/hit.js';
import { failpoint } from '../../src/shared/failpoint.js';
import { useDatabase } from '../support/database.js';
import { capturedShapes, takeUnwatchedCommands } from './capture.js';
import { planViolations, routingViolations } from './capture-check.js';
import { asOperation, takeWriteViolations } from './operation.js';
import { shapesOf } from './query-shape.js';
import { unshardableIndexes } from './write-routing.js';

const rooms = defineCollection<{ _id: string; house: string; number: number }>(
  'capture.rooms',
  [{ key: { house: 1, number: 1 } }, { key: { number: 1 }, unique: true }],
  { shardKey: { house: 1 } },
);
const test = useDatabase();

/** A write by a plain command, as the product uses for bulk updates. */
async function openHall(): Promise<void> {
  const update = { q: { house: 'house 1', _id: 'hall' }, u: { $set: { number: -1 } }, upsert: true };
  await inTransaction(test.db, commitConcernOf.MAJORITY, (session) =>
    updateInTransaction(test.db, rooms.collectionName, [update], session),
  );
}

async function plan(name: string, command: object): Promise<string[]> {
  const [shape] = shapesOf(name, command);
  if (!shape) throw new Error('No shape');
  return planViolations(test.db, shape.text, { caller: 'here', samples: [shape] });
}

function routing(name: string, command: object): string[] {
  return shapesOf(name, command).flatMap((shape) =>
    routingViolations(shape.text, { caller: 'here', samples: [shape] }),
  );
}

describe('a query that the product sends', () => {
  it('is captured with its caller, unlike a test’s own queries', async () => {
    const lease = await takeLease(test.db, 'capture', 'me', 1000);
    await test.db.collection('leases').findOne({ holder: 'me' });
    if (lease) await releaseLease(test.db, lease);
    expect([...capturedShapes(test.db.databaseName)].map(([text, { caller }]) => [text, caller])).toEqual([
      [
        'findAndModify leases {_id, $expr: {$or: [{$lte}, {$gt: [{$add: [{$ifNull}]}]}]}}',
        'src/database/collections/lease.ts takeLease',
      ],
      ['findAndModify leases {_id, token}', 'src/database/collections/lease.ts createLease'],
      ['update leases {_id, token, holder}', 'src/database/collections/lease.ts releaseLease'],
    ]);
  });

  it('is also captured as a plain command', async () => {
    await openHall();
    const shape = capturedShapes(test.db.databaseName).get('update capture.rooms {house, _id}');
    expect(shape?.caller).toBe('src/database/writes/write-command.ts write');
    expect(shape?.samples[0].write).toEqual({ filter: { house: 'house 1', _id: 'hall' }, multi: false });
  });

  it('is reported when it comes from an unwatched method', async () => {
    await test.db.runCursorCommand({ find: 'leases', filter: { holder: 'me' } }).toArray();
    expect(takeUnwatchedCommands(test.db.databaseName)).toEqual(['find leases']);
  });
});

describe('the plan of a query', () => {
  it('may use an index', async () => {
    await buildIndexes(test.db);
    await rooms(test.db).insertMany(
      Array.from({ length: 100 }, (_, number) => ({ _id: `room ${number}`, house: `house ${number % 2}`, number })),
    );
    expect(await plan('find', { find: 'capture.rooms', filter: { house: 'house 1' }, sort: { number: 1 } })).toEqual(
      [],
    );
    expect(await plan('find', { find: 'capture.rooms', filter: { _id: 'room 1' } })).toEqual([]);
  });

  it.each([
    ['scans the collection', 'COLLSCAN', { find: 'capture.rooms', filter: { colour: 'red' } }],
    ['sorts in memory', 'SORT', { find: 'capture.rooms', filter: { house: 'house 1' }, sort: { colour: 1 } }],
    ['queries a missing collection', 'EOF', { find: 'capture.nowhere', filter: { _id: 1 } }],
    [
      'reads much more than it returns',
      'EXAMINED',
      { find: 'capture.rooms', filter: { house: 'house 1', colour: 'red' } },
    ],
  ])('fails when it %s', async (_case, fault, command) => {
    expect(await plan('find', command)).toContainEqual(expect.stringContaining(`(here): ${fault}: `));
  });

  it.each([
    [
      'sorts what it has grouped',
      'SORT',
      [{ $match: { house: 'house 1' } }, { $group: { _id: '$number' } }, { $sort: { _id: 1 } }],
    ],
    [
      'joins without an index',
      'COLLSCAN',
      [{ $match: { number: 1 } }, { $lookup: { from: 'capture.rooms', localField: 'a', foreignField: 'a', as: 'b' } }],
    ],
    [
      'unites with a scan',
      'COLLSCAN',
      [{ $match: { number: 1 } }, { $unionWith: { coll: 'capture.rooms', pipeline: [] } }],
    ],
  ])('fails when a pipeline %s', async (_case, fault, pipeline) => {
    const faults = await plan('aggregate', { aggregate: 'capture.rooms', pipeline });
    expect(faults).toContainEqual(expect.stringContaining(`(here): ${fault}: `));
  });

  it('treats the filter of a write as a query', async () => {
    const command = { update: 'capture.rooms', updates: [{ q: { colour: 'red' }, u: { $set: { colour: 'blue' } } }] };
    expect(await plan('update', command)).toContainEqual(expect.stringContaining('(here): COLLSCAN: '));
  });
});

describe('the filter of a write', () => {
  it('may name the shard key', () => {
    expect(routing('update', { update: 'capture.rooms', updates: [{ q: { house: 'a', _id: 'b' }, u: {} }] })).toEqual(
      [],
    );
    expect(routing('findAndModify', { findAndModify: 'capture.rooms', query: { house: { $eq: 'a' } } })).toEqual([]);
  });

  it.each([
    ['omits it', { _id: 'room 1' }],
    ['only bounds it', { house: { $gt: 'a' } }],
  ])('fails when it %s', (_case, q) => {
    const faults = routing('delete', { delete: 'capture.rooms', deletes: [{ q, limit: 1 }] });
    expect(faults).toEqual([expect.stringContaining("the filter does not fix the shard key's house")]);
  });

  it('fails when it matches many documents and is not listed as exempt', () => {
    const faults = routing('delete', { delete: 'capture.rooms', deletes: [{ q: { house: 'a' }, limit: 0 }] });
    expect(faults).toEqual([
      expect.stringContaining('delete many capture.rooms {house} (here): writes many documents'),
    ]);
  });

  it('may name only _id on an unsharded database, if it is listed as exempt', () => {
    const updates = [{ q: { _id: '20260105/a.example//' }, u: { $inc: { 'hourly.1': 1 } } }];
    expect(routing('update', { update: dailyHits.collectionName, updates })).toEqual([]);
    expect(routing('findAndModify', { findAndModify: dailyHits.collectionName, query: updates[0]?.q })).toEqual([
      expect.stringContaining("the filter does not fix the shard key's metadata.site, metadata.page, metadata.date"),
    ]);
  });

  it('fails when the collection is not declared', () => {
    const faults = routing('update', { update: 'capture.nowhere', updates: [{ q: { _id: 1 }, u: {} }] });
    expect(faults).toEqual([expect.stringContaining('capture.nowhere is not declared')]);
  });
});

describe('a unique index', () => {
  it('fails when it does not start with the shard key', () => {
    expect(unshardableIndexes(rooms as never)).toEqual(['number']);
  });
});

describe('two writes in a row', () => {
  const writeTwice = (between: () => void) =>
    asOperation('twice', async () => {
      const lease = await takeLease(test.db, 'twice', 'me', 1000);
      between();
      if (lease) await releaseLease(test.db, lease);
    });

  it('fail in one operation without a failpoint between them', async () => {
    await writeTwice(() => undefined);
    expect(takeWriteViolations()).toEqual([
      'twice: findAndModify by src/database/collections/lease.ts createLease, then update by src/database/collections/lease.ts releaseLease',
    ]);
  });

  it('fail when they are transactions of plain commands', async () => {
    await asOperation('opened', async () => {
      await openHall();
      await openHall();
    });
    const transaction = 'transaction by src/database/writes/write-command.ts write';
    expect(takeWriteViolations()).toEqual([`opened: ${transaction}, then ${transaction}`]);
  });

  it('pass with a failpoint between them', async () => {
    await writeTwice(() => failpoint('capture.between'));
    expect(takeWriteViolations()).toEqual([]);
  });

  it('pass in two separate operations', async () => {
    const lease = await takeLease(test.db, 'apart', 'me', 1000);
    if (lease) await releaseLease(test.db, lease);
    expect(takeWriteViolations()).toEqual([]);
  });
});
