import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { MongoClient } from 'mongodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  defineCollection,
  KeptLease,
  LeaseLostError,
  releaseLease,
  renewLease,
  takeLease,
  withLease,
} from '../../src/database/index.js';
import { MINUTE_MS } from '../../src/shared/time.js';
import { useDatabase } from '../support/database.js';

const database = useDatabase();
const leases = defineCollection<{ _id: string; token: number; expires_at: Date }>('leases');
const stored = (name: string) => leases(database.db).findOne({ _id: name });

/** Steps this process's wall clock; monotonic clocks continue. */
const stepTo = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: ms });
afterEach(() => {
  vi.useRealTimers();
});

describe('a lease', () => {
  it('has one holder, and goes to the next with a higher token when it is released', async () => {
    const first = await takeLease(database.db, 'given', 'a', MINUTE_MS);
    expect(first).toMatchObject({ token: 1 });
    expect(await takeLease(database.db, 'given', 'b', MINUTE_MS)).toBeNull();
    if (first) await releaseLease(database.db, first);
    expect(await takeLease(database.db, 'given', 'b', MINUTE_MS)).toMatchObject({ token: 2, holder: 'b' });
    expect(first && (await renewLease(database.db, first, MINUTE_MS))).toBe(false);
  });

  it('has one holder at a time, however many ask concurrently', async () => {
    let [holders, turns] = [0, 0];
    const ask = async (holder: string) => {
      for (let own = 0; own < 20; ) {
        const lease = await takeLease(database.db, 'crowd', holder, MINUTE_MS);
        if (!lease) continue;
        holders += 1;
        expect(holders).toBe(1);
        await stored('crowd');
        holders -= 1;
        await releaseLease(database.db, lease);
        own += 1;
        turns += 1;
      }
    };
    await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(ask));
    expect(turns).toBe(120);
    expect(await stored('crowd')).toMatchObject({ token: 120 });
  });

  it.each([
    ['three hours forward', 180 * MINUTE_MS],
    ['ten minutes back', -10 * MINUTE_MS],
  ])('is neither taken nor extended by a process whose clock steps %s', async (step, stepMs) => {
    const now = Date.now();
    const held = await takeLease(database.db, step, 'steady', MINUTE_MS);
    stepTo(now + stepMs);
    expect(await takeLease(database.db, step, 'stepping', MINUTE_MS)).toBeNull();
    expect(held && (await renewLease(database.db, held, MINUTE_MS))).toBe(true);
    const endsInMs = Number((await stored(step))?.expires_at) - now;
    expect(endsInMs).toBeGreaterThan(MINUTE_MS / 2);
    expect(endsInMs).toBeLessThan(2 * MINUTE_MS);
  });

  it('is free when it expires later than its length allows: the server’s clock was set back', async () => {
    await takeLease(database.db, 'set back', 'dead', MINUTE_MS);
    const ahead = new Date(Date.now() + 10 * MINUTE_MS);
    await leases(database.db).updateOne({ _id: 'set back' }, { $set: { expires_at: ahead } });
    expect(await takeLease(database.db, 'set back', 'living', 1000)).toMatchObject({ token: 2 });
  });

  it('without a stored length is held until it expires', async () => {
    const expires_at = new Date(Date.now() + 30_000);
    await leases(database.db).insertOne({ _id: 'old', token: 7, expires_at });
    expect(await takeLease(database.db, 'old', 'new', MINUTE_MS)).toBeNull();
    await leases(database.db).updateOne({ _id: 'old' }, { $set: { expires_at: new Date() } });
    expect(await takeLease(database.db, 'old', 'new', MINUTE_MS)).toMatchObject({ token: 8 });
  });
});

describe('a kept lease', () => {
  it('outlives its length, and is free immediately when it is released', async () => {
    const kept = await KeptLease.take(database.db, 'kept', 'a', 300);
    expect(kept).not.toBeNull();
    for (let i = 0; i < 8; i += 1) {
      await pause(100);
      kept?.requireKept();
      expect(await takeLease(database.db, 'kept', 'b', 300)).toBeNull();
    }
    await kept?.release();
    expect(await takeLease(database.db, 'kept', 'b', 300)).toMatchObject({ token: 2 });
  });

  it('tells its holder when another process has taken it', async () => {
    const kept = await KeptLease.take(database.db, 'robbed', 'a', 300);
    await leases(database.db).updateOne({ _id: 'robbed' }, { $set: { expires_at: new Date(0) } });
    expect(await takeLease(database.db, 'robbed', 'b', MINUTE_MS)).not.toBeNull();
    await new Promise((resolve) => kept?.lost.addEventListener('abort', resolve));
    expect(() => kept?.requireKept()).toThrow(LeaseLostError);
    await kept?.release();
    expect(await takeLease(database.db, 'robbed', 'c', 300)).toBeNull(); // a does not release b's lease
  });

  it('is lost when its holder sleeps past the expiry, which the holder knows without asking the server', async () => {
    const kept = await KeptLease.take(database.db, 'slept', 'a', 100);
    const wakesAtMs = performance.now() + 150;
    while (performance.now() < wakesAtMs); // nothing else runs: no renewal
    expect(() => kept?.requireKept()).toThrow(LeaseLostError);
    await kept?.release();
  });

  it('spans a piece of work, and is released when the work fails', async () => {
    const own = { name: 'work', holder: 'a', leaseMs: MINUTE_MS };
    const done = await withLease(database.db, own, async ({ token }) => {
      expect(await withLease(database.db, { ...own, holder: 'b' }, async () => 'second')).toBeNull();
      return token;
    });
    expect(done).toBe(1);
    const failing = withLease(database.db, own, async () => {
      throw new Error('It broke');
    });
    await expect(failing).rejects.toThrow('It broke');
    expect(await withLease(database.db, own, async ({ token }) => token)).toBe(3);
  });

  it.each(['returns', 'throws'])('reports what the work %s when the lease cannot be released', async (how) => {
    const client = await MongoClient.connect(database.uri);
    const db = client.db(database.db.databaseName);
    const work = withLease(db, { name: `cut off, ${how}`, holder: 'a', leaseMs: 300 }, async ({ lease }) => {
      await client.close();
      await expect(releaseLease(db, lease)).rejects.toThrow();
      if (how === 'throws') throw new Error('It broke');
      return 'done';
    });
    await (how === 'throws' ? expect(work).rejects.toThrow('It broke') : expect(work).resolves.toBe('done'));
  });
});

const LENGTH_MS = 40;
const act = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('take'), who: fc.nat(2) } as const) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('renew'), who: fc.nat(2) } as const) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('release'), who: fc.nat(2) } as const) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget'), who: fc.nat(2) } as const) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('step'), byMs: fc.integer({ min: -1e7, max: 1e7 }) } as const),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait'), ms: fc.nat(LENGTH_MS) } as const) },
);

describe('leases under clocks that step at random', () => {
  it('never have two holders, and a dead one’s is free after its length', async () => {
    let run = 0;
    let [takeovers, refusals] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 40 }), async (acts) => {
        run += 1;
        const name = `random ${run}`;
        /** By holder: its lease, and until when it may assume that it has it, on the monotonic clock. */
        const held = new Map<number, { lease: NonNullable<Awaited<ReturnType<typeof takeLease>>>; untilMs: number }>();
        for (const one of acts) {
          const askedMs = performance.now();
          if (one.kind === 'wait') await pause(one.ms);
          if (one.kind === 'step') stepTo(Date.now() + one.byMs);
          if (one.kind === 'forget') held.delete(one.who); // it has died
          if (one.kind === 'take') {
            const lease = await takeLease(database.db, name, String(one.who), LENGTH_MS);
            if (!lease) refusals += 1;
            else {
              const takenMs = performance.now();
              for (const [who, { untilMs }] of held) {
                expect(untilMs, `${who} still holds it`).toBeLessThanOrEqual(takenMs);
                takeovers += 1;
              }
              held.clear();
              held.set(one.who, { lease, untilMs: askedMs + LENGTH_MS });
            }
          }
          const own = 'who' in one ? held.get(one.who) : undefined;
          if (one.kind === 'renew' && own) {
            if (await renewLease(database.db, own.lease, LENGTH_MS)) own.untilMs = askedMs + LENGTH_MS;
            else held.delete(one.who);
          }
          if (one.kind === 'release' && own) {
            await releaseLease(database.db, own.lease);
            held.delete(one.who);
          }
        }
        await pause(LENGTH_MS + 5);
        expect(await takeLease(database.db, name, 'last', LENGTH_MS), 'no one holds it anymore').not.toBeNull();
      }),
      { numRuns: 90 }, // a third of them already meets the counts below, with few exceptions
    );
    expect(takeovers).toBeGreaterThan(10);
    expect(refusals).toBeGreaterThan(20);
  });
});
