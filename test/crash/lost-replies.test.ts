/** Commands that fail, and executed commands whose reply is lost: each hit still counts exactly once. */
import { type Db, type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Member, type ReplicaSet, startReplicaSet } from '../../harness/replica-set.js';
import { buildIndexes } from '../../src/database/index.js';
import { createHitRecorder, type HitRecorder } from '../../src/models/analytics/hits/hit-recorder.js';
import { keptFields } from '../../src/models/analytics/log/log-fields.js';
import { recordEvents } from '../../src/models/analytics/log/request-record.js';
import { recordSessions } from '../../src/models/analytics/sessions/session.js';
import { type LossyProxy, startLossyProxy } from '../support/lossy-proxy.js';

const at = new Date('2026-02-03T04:05:06.000Z');
const now = new Date('2026-02-03T05:00:00.000Z');
const keep = keptFields([]);
const HITS = 10;

describe('a group commit', () => {
  let set: ReplicaSet;
  let member: Member;
  let proxy: LossyProxy;
  let client: MongoClient;
  let recorder: HitRecorder;
  let site = 0;

  beforeAll(async () => {
    set = await startReplicaSet();
    member = await set.primary();
    proxy = await startLossyProxy({ host: '127.0.0.1', port: member.port });
    client = await MongoClient.connect(proxy.uri, { writeConcern: { w: 'majority' } });
    await buildIndexes(client.db('lost_replies'));
  });
  afterAll(async () => {
    await client.close();
    await proxy.close();
    await set.stop();
  });
  beforeEach(() => {
    site += 1;
    recorder = createHitRecorder({ client, db: client.db('lost_replies'), waitingMax: 1000 });
  });

  const record = () => {
    const hits = Array.from({ length: HITS }, (_, i) => ({ site: `site-${site}.example`, page: `/${i % 2}`, at }));
    return Promise.all(hits.map((hit) => recorder.record([hit], 'MAJORITY')));
  };
  const stored = async () => {
    const sum = async (collection: string, field: string) => {
      const pipeline = [
        { $match: { 'metadata.site': `site-${site}.example` } },
        { $group: { _id: null, sum: { $sum: `$${field}` } } },
      ];
      const [row] = await client
        .db('lost_replies')
        .collection(collection)
        .aggregate<{ sum: number }>(pipeline)
        .toArray();
      return row?.sum ?? 0;
    };
    return { days: await sum('hits.daily', 'hourly.4'), months: await sum('hits.monthly', 'daily.3') };
  };

  it.each([
    ['commitTransaction', 1],
    ['commitTransaction', 3],
    ['update', 1],
    ['update', 2],
  ])('counts each hit once when replies to %s are lost, %d in a row', async (command, times) => {
    const before = proxy.lost;
    proxy.loseRepliesTo(command, times);
    const answers = await record();
    expect(proxy.lost - before).toBe(times);
    expect(answers.map(({ recorded }) => recorded)).toEqual(Array(HITS).fill(1));
    expect(await stored()).toEqual({ days: HITS, months: HITS });
  });

  it.each([
    ['the connection breaks before a commit', { failCommands: ['commitTransaction'], closeConnection: true }],
    ['the connection breaks before an update', { failCommands: ['update'], closeConnection: true }],
    [
      'a commit fails transiently',
      { failCommands: ['commitTransaction'], errorCode: 112, errorLabels: ['TransientTransactionError'] },
    ],
    ['an update conflicts', { failCommands: ['update'], errorCode: 112, errorLabels: ['TransientTransactionError'] }],
    [
      'the primary has stepped down at the commit',
      { failCommands: ['commitTransaction'], errorCode: 10107, errorLabels: ['RetryableWriteError'] },
    ],
    [
      'the commit times out waiting for a majority',
      { failCommands: ['commitTransaction'], writeConcernError: { code: 64, errmsg: 'waiting' } },
    ],
  ])('counts each hit once when %s', async (_case, data: Document) => {
    await set.command(member, { configureFailPoint: 'failCommand', mode: { times: 2 }, data });
    const answers = await record();
    expect(answers.map(({ recorded }) => recorded)).toEqual(Array(HITS).fill(1));
    expect(await stored()).toEqual({ days: HITS, months: HITS });
  });

  it('stores nothing when the database rejects the commit permanently', async () => {
    const data = { failCommands: ['commitTransaction'], errorCode: 251 }; // NoSuchTransaction without a label
    await set.command(member, { configureFailPoint: 'failCommand', mode: 'alwaysOn', data });
    try {
      const answers = await record();
      expect(answers.map(({ recorded, failed }) => [recorded, failed.length])).toEqual(Array(HITS).fill([0, 1]));
    } finally {
      await set.command(member, { configureFailPoint: 'failCommand', mode: 'off' });
    }
    expect(await stored()).toEqual({ days: 0, months: 0 });
  });

  it.each([
    [
      'requests',
      (db: Db) =>
        recordEvents(db, [{ site: 'a.example', time: at, host: 'h', status: 200 }], 'MAJORITY', { now, keep }),
      'log.events',
      5,
    ],
    ['sessions', (db: Db) => recordSessions(db, [{ userId: 'u', at, length: 1 }], 'MAJORITY', now), 'sessions', 2],
  ])(
    'does not acknowledge %s when the connection breaks before the insert and its retries',
    async (_what, record, name, times) => {
      const db = client.db('lost_replies');
      const data = { failCommands: ['insert'], closeConnection: true };
      await set.command(member, { configureFailPoint: 'failCommand', mode: { times }, data });
      await expect(record(db)).rejects.toThrow(/connection/);
      expect(await db.collection(name).countDocuments()).toBe(0);
    },
  );
});
