import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  commitConcernOf,
  defineCollection,
  inTransaction,
  lastWriteOf,
  withWriteClock,
} from '../../../src/database/index.js';
import {
  answerCall,
  idempotency,
  performOnce,
  settleCalls,
  type Work,
} from '../../../src/database/writes/idempotency.js';
import { BusyError, InputError, NothingWrittenError } from '../../../src/shared/errors.js';
import { refuse } from '../../../src/shared/outcome.js';
import { HOUR_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { now } from '../shop.js';

const database = useDatabase();
let calls: string[] = [];

beforeEach(async () => {
  await database.db.collection('idempotency').deleteMany({});
  calls = [];
});

const work = async (call: string) => {
  calls.push(call);
  return { number: calls.length, at: now };
};
const once = (
  input: unknown,
  { key = 'key' as string | null, scope = 'ann', operation = 'add', at = now } = {},
  run = work,
) => performOnce(database.db, { scope, operation, key, input, keepMs: 24 * HOUR_MS }, at, run);
const secondsLater = (seconds: number) => new Date(now.getTime() + seconds * 1000);

describe('an idempotency key', () => {
  it('returns the first answer for the same input, and refuses a different one', async () => {
    const first = await once({ sku: 'A' });
    expect(first).toEqual({ number: 1, at: now });
    expect(await once({ sku: 'A' })).toEqual(first);
    await expect(once({ sku: 'B' })).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(calls).toHaveLength(1);
  });

  it('is separate for each caller and operation, and optional', async () => {
    await once(1);
    await once(1, { scope: 'bob' });
    await once(1, { operation: 'remove' });
    await once(1, { key: null });
    await once(1, { key: null });
    expect(new Set(calls).size).toBe(5);
  });

  it('has one winner among many concurrent calls, and all get its answer', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        once(1, {}, async (call) => {
          await new Promise((resolve) => setTimeout(resolve, 100));
          return work(call);
        }),
      ),
    );
    expect(answers).toEqual(Array(20).fill({ number: 1, at: now }));
    expect(calls).toHaveLength(1);
  });

  it('is kept by the database for the configured time', async () => {
    await once(1);
    const [record] = await database.db.collection('idempotency').find().toArray();
    expect(record?.expires_at).toEqual(new Date(now.getTime() + 24 * HOUR_MS));
  });

  it.each(['', 'x'.repeat(256)])('of %j is refused', async (key) => {
    await expect(once(1, { key })).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    expect(calls).toEqual([]);
  });
});

describe('a failed call', () => {
  it('releases the key after an error of the caller', async () => {
    const failing = once({ quantity: 0 }, {}, () => Promise.reject(new InputError('quantity', 'must be more')));
    await expect(failing).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    expect(await once({ quantity: 1 })).toMatchObject({ number: 1 });
  });

  it('keeps the key for a call that was taken over: the earlier worker may be alive', async () => {
    void once(1, {}, (call) => {
      calls.push(call);
      return new Promise(() => undefined); // never resolves
    });
    await expect.poll(() => calls).toHaveLength(1);
    const failing = once(1, { at: secondsLater(11) }, () => Promise.reject(new InputError('quantity', 'must be more')));
    await expect(failing).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    await once(1, { at: secondsLater(12) });
    expect(calls).toEqual([calls[0], calls[0]]);
  });

  it('releases the key after an error of the caller if the first attempt had written nothing', async () => {
    await expect(once(1, {}, () => Promise.reject(new NothingWrittenError('Later')))).rejects.toThrow('Later');
    await expect(once(1, {}, () => Promise.reject(new InputError('quantity', 'must be more')))).rejects.toThrow();
    expect(await once(2)).toMatchObject({ number: 1 });
  });

  it('keeps the key after an error of the caller if the first attempt may have written something', async () => {
    await expect(once(1, {}, () => Promise.reject(new BusyError('Later')))).rejects.toThrow('Later');
    await expect(once(1, {}, () => Promise.reject(new InputError('quantity', 'must be more')))).rejects.toThrow();
    await expect(once(2)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('gives each attempt the time from which its lock is counted, also after it has waited', async () => {
    const lockedFor = async () => {
      const [record] = await idempotency(database.db).find().toArray();
      return (record?.locked_until.getTime() ?? 0) - 10_000;
    };
    const standsStill = new Promise<never>(() => undefined);
    const attempt = (at: Date) =>
      performOnce(
        database.db,
        { scope: 'ann', operation: 'add', key: 'key', input: 1, keepMs: HOUR_MS },
        at,
        async (_call, _begunAt, own) => {
          expect(own.at.getTime()).toBe(await lockedFor());
          return own.at.getTime() > secondsLater(9).getTime() ? own.at : standsStill;
        },
      );
    void attempt(now);
    await expect.poll(lockedFor).toBeGreaterThanOrEqual(now.getTime());
    const second = await attempt(new Date((await lockedFor()) + 9800)); // 0.2 seconds before it may take over
    expect((second as Date).getTime()).toBeGreaterThan(secondsLater(9.8).getTime());
  });

  it.each([
    ['fails', () => Promise.reject(new BusyError('Later'))],
    ['is done', work],
  ])('is answered although a slow worker holds its record in a transaction, when it %s', async (_case, end) => {
    const session = database.db.client.startSession();
    const begun = performance.now();
    const held = once(1, {}, async (call) => {
      session.startTransaction();
      await idempotency(database.db).updateOne({ call }, { $inc: { held: 1 } }, { session });
      return end(call);
    });
    await expect(held).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    expect(performance.now() - begun).toBeLessThan(30_000); // MongoDB would let it wait for a minute and more
    await session.abortTransaction();
    await session.endSession();
  });

  it('has the record that was written when its time was up', async () => {
    const admin = database.db.client.db('admin');
    await expect(once(1, {}, () => Promise.reject(new BusyError('Later')))).rejects.toThrow('Later');
    const failure = { code: 50, codeName: 'MaxTimeMSExpired', errmsg: 'waiting for replication timed out' };
    const data = {
      failCommands: ['update'],
      namespace: `${database.db.databaseName}.idempotency`,
      writeConcernError: failure,
    };
    await admin.command({ configureFailPoint: 'failCommand', mode: { times: 1 }, data });
    expect(await once(1)).toMatchObject({ number: 1 });
  });

  it('is otherwise continued immediately under the same id', async () => {
    const failed: string[] = [];
    const fail = (call: string) => {
      failed.push(call);
      return Promise.reject(new BusyError('Later'));
    };
    await expect(once(1, {}, fail)).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    await once(1);
    expect(calls).toEqual(failed);
  });

  it('whose process died is continued under the same id when its lock has expired', async () => {
    const dead = randomUUID();
    void once(1, {}, (call) => {
      calls.push(call, dead);
      return new Promise(() => undefined); // never resolves
    });
    await expect.poll(() => calls).toHaveLength(2);
    await once(1, { at: secondsLater(11) });
    expect(calls).toEqual([calls[0], dead, calls[0]]);
  });

  it('that was slow, not dead, returns the answer of the call that took over', async () => {
    let begin = () => {};
    const gate = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const slow = once(1, {}, async (call) => {
      await gate;
      return work(`${call} late`);
    });
    await expect.poll(() => database.db.collection('idempotency').countDocuments()).toBe(1);
    const first = await once(1, { at: secondsLater(11) });
    begin();
    expect(await slow).toEqual(first);
    expect(calls).toHaveLength(2); // both have done the work
    expect(await once(1)).toEqual(first);
  });

  it('is not answered with the refusal of a slow call while another one continues it', async () => {
    let [letSlow, letOther] = [() => {}, () => {}];
    const slowMay = new Promise<void>((resolve) => {
      letSlow = resolve;
    });
    const otherMay = new Promise<void>((resolve) => {
      letOther = resolve;
    });
    const slow = once(1, {}, async (call) => {
      await slowMay;
      await work(call);
      return refuse('SoldOut', 'There was none when it looked') as never;
    });
    await expect.poll(() => database.db.collection('idempotency').countDocuments()).toBe(1);
    const other = once(1, { at: secondsLater(11) }, async (call) => {
      calls.push(call);
      await otherMay;
      return work(call);
    });
    await expect.poll(() => calls).toHaveLength(1);
    letSlow();
    await expect(slow).rejects.toMatchObject({ code: 'SERVER_BUSY' }); // the client retries with its key
    letOther();
    expect(await other).toEqual({ number: 3, at: now });
    expect(await once(1)).toEqual({ number: 3, at: now });
  });

  it('that was refused for a time only is tried again by a retry, under the same id', async () => {
    const tryOnce = (run: (call: string) => Promise<unknown>) =>
      performOnce<unknown>(
        database.db,
        { scope: 'ann', operation: 'add', key: 'key', input: 1, keepMs: HOUR_MS, passing: ['TooSoon'] },
        now,
        run,
      );
    const refused: string[] = [];
    const tooSoon = async (call: string) => {
      refused.push(call);
      return refuse('TooSoon', 'Not yet');
    };
    for (const _again of [1, 2]) expect(await tryOnce(tooSoon)).toMatchObject({ __typename: 'TooSoon' });
    expect(await tryOnce(work)).toMatchObject({ number: 1 });
    expect(await tryOnce(tooSoon)).toMatchObject({ number: 1 }); // answered
    expect([...refused, ...calls]).toEqual(Array(3).fill(refused[0]));
  });

  it.each([
    ['refused for a time only', async () => refuse('TooSoon', 'Not yet'), true],
    ['ended before anything was written', () => Promise.reject(new NothingWrittenError('Later')), true],
    ['ended somewhere', () => Promise.reject(new BusyError('Later')), false],
  ])('that was %s tells the next attempt whether there is something to continue', async (_case, first, isNew) => {
    const began: (Date | null)[] = [];
    const attempt = (run: () => Promise<unknown>, at: Date) =>
      performOnce<unknown>(
        database.db,
        { scope: 'ann', operation: 'add', key: 'key', input: 1, keepMs: HOUR_MS, passing: ['TooSoon'] },
        at,
        (_call, begunAt) => {
          began.push(begunAt);
          return run();
        },
      ).catch(() => null);
    const dead = () => Promise.reject(new BusyError('It died'));
    const minutesLater = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
    for (const [at, run] of [first, first, dead, first].entries()) await attempt(run, minutesLater(at));
    const firstAt = minutesLater(0);
    expect(began).toEqual([null, isNew ? null : firstAt, isNew ? null : firstAt, isNew ? minutesLater(2) : firstAt]);
  });

  it('in progress makes a retry wait, then fail with SERVER_BUSY', async () => {
    void once(1, {}, () => new Promise(() => undefined));
    await expect.poll(() => database.db.collection('idempotency').countDocuments()).toBe(1);
    await expect(once(1)).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    expect(calls).toEqual([]);
  });
});

describe('a call that is answered before its worker is done', () => {
  const brief = { keep: (answer: unknown) => answer, recall: (kept: unknown) => Promise.resolve(kept) };
  const effects = defineCollection<{ _id: string }>('effects');
  const run = (doing: Work<unknown>, kept: typeof brief | undefined, db = database.db) =>
    performOnce(db, { scope: 'ann', operation: 'add', key: 'key', input: 1, keepMs: 24 * HOUR_MS }, now, doing, kept);
  const settling =
    (answer: unknown): Work<unknown> =>
    async (call) => {
      await settleCalls(database.db, [{ call, kept: 'done' }]);
      return answer;
    };
  const refusal = refuse('ItemGone', 'It is not here', { with: null });

  it.each([
    ['refuses it', refusal],
    ['has done it as well', 'done again'],
  ])('returns the first answer if another process has settled it, and the worker %s', async (_what, answer) => {
    expect(await run(settling(answer), brief)).toBe('done');
    expect(await run(settling('never'), brief)).toBe('done');
  });

  it('returns what the worker itself has answered with its effect, and remembers when it was written', async () => {
    const db = withWriteClock(database.db);
    const answering: Work<unknown> = (_call, _begunAt, attempt) =>
      inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
        await effects(db).insertOne({ _id: attempt.call }, { session });
        await answerCall(db, session, attempt, 'done');
        return 'done';
      }).then(({ value }) => value);
    expect(await run(answering, undefined, db)).toBe('done');
    const [record] = await idempotency(db).find().toArray();
    expect(record).toMatchObject({ answer: 'done', written_at: lastWriteOf(db) });
    expect(lastWriteOf(db)).toBeDefined();
    expect(await run(settling('never'), undefined)).toBe('done');
  });

  it('answers nothing with an effect that comes after another worker has taken over', async () => {
    const late: Work<unknown> = async (_call, _begunAt, attempt) => {
      await idempotency(database.db).updateOne({ _id: attempt.key?.record ?? '' }, { $set: { worker: 'another' } });
      const write = (session: Parameters<typeof answerCall>[1]) => answerCall(database.db, session, attempt, 'late');
      await inTransaction(database.db, commitConcernOf.MAJORITY, write);
      return 'late';
    };
    await expect(run(late, undefined)).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    const [record] = await idempotency(database.db).find().toArray();
    expect(record).not.toHaveProperty('answer');
  });
});
