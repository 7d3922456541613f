import { once } from 'node:events';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openClock } from '../../src/database/connection/clock.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/shared/time.js';
import { useDatabase } from '../support/database.js';

const database = useDatabase();

describe('the database’s clock', () => {
  let client: MongoClient;
  beforeEach(async () => {
    client = await MongoClient.connect(database.uri, { heartbeatFrequencyMS: 500 });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await client.close();
  });

  const serverTime = async () => {
    const [told] = await database.db.aggregate<{ now: Date }>([{ $documents: [{ now: '$$NOW' }] }]).toArray();
    return told?.now.getTime() ?? 0;
  };
  const tell = (localTime: Date, isWritablePrimary = true) =>
    client.emit('serverHeartbeatSucceeded', { reply: { isWritablePrimary, localTime } } as never);

  it('returns the server’s time, whatever this process’s clock shows', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - HOUR_MS });
    const now = await openClock(client);
    expect(Math.abs(now().getTime() - (await serverTime()))).toBeLessThan(SECOND_MS);
    vi.setSystemTime(Date.now() + 3 * HOUR_MS);
    expect(Math.abs(now().getTime() - (await serverTime()))).toBeLessThan(SECOND_MS);
  });

  it('receives the server’s time repeatedly', async () => {
    await openClock(client);
    const [{ reply }] = await once(client, 'serverHeartbeatSucceeded');
    expect(reply).toMatchObject({ isWritablePrimary: true, localTime: expect.any(Date) });
  });

  it('uses the freshest of the last messages, and follows a server whose clock is set', async () => {
    const now = await openClock(client);
    const before = now().getTime();
    tell(new Date(before - 5 * SECOND_MS)); // it was delayed by five seconds
    expect(now().getTime()).toBeGreaterThanOrEqual(before);
    tell(new Date(before + HOUR_MS), false); // a secondary, whose clock does not count
    expect(now().getTime()).toBeLessThan(before + MINUTE_MS);
    tell(new Date(before + HOUR_MS));
    expect(now().getTime()).toBeGreaterThanOrEqual(before + HOUR_MS);
    for (let i = 0; i < 4; i += 1) tell(new Date(before));
    expect(now().getTime()).toBeLessThan(before + MINUTE_MS);
  });

  it('is the same for all callers', async () => {
    const [first, second] = await Promise.all([openClock(client), openClock(client)]);
    expect(first).toBe(second);
  });
});
