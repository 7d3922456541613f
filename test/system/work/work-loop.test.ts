/** Who does background work, in which order, and what happens when something goes wrong. */
import { beforeAll, describe, expect, it } from 'vitest';
import { LeaseLostError } from '../../../src/database/index.js';
import { backgroundWork } from '../../../src/models/system/work/background-work.js';
import { requestUndo } from '../../../src/models/system/work/work-start.js';
import { findWorkToDo, recordStep, takeUp } from '../../../src/models/system/work/work-turn.js';
import { WorkFailure } from '../../../src/models/work.js';
import { BusyError, InputError } from '../../../src/shared/errors.js';
import { useDatabase } from '../../support/database.js';
import { expireLeases } from '../../support/leases.js';
import { testAct } from '../../support/people.js';
import { countingKind, kindOf, notTenths, numbersOf, useWork } from './work-support.js';

const database = useDatabase();
const { loopOf, start, find } = useWork(database);

/** Work that no query here is about. */
beforeAll(async () => {
  const ended = {
    kind: 'other',
    type: 'DataImport',
    state: 'FINISHED',
    input: {},
    done: 0,
    token: 1,
    steps: 0,
  } as const;
  const documents = Array.from({ length: 60 }, (_, index) => ({
    ...ended,
    _id: `other-${index}`,
    owner: 'another',
    attempts: 0,
    created_at: new Date(index),
    finished_at: new Date(),
  }));
  await backgroundWork(database.db).insertMany(documents);
});

/** Resolves when the test says so. */
function gate(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

const states = async () =>
  (await backgroundWork(database.db).find({ kind: 'counting' }).sort({ created_at: 1 }).toArray()).map(
    ({ state }) => state,
  );

describe('background work', () => {
  it('is done in steps, whose progress and results are stored together', async () => {
    const { _id } = await start();
    const seen: unknown[] = [];
    const loop = loopOf(undefined, {
      onStep: ({ done, total, imported, rejected }) => seen.push([done, total, imported, rejected]),
    });
    const done = await loop.run(_id);
    expect(done).toMatchObject({
      state: 'FINISHED',
      done: 45,
      imported: 41,
      rejected: 4,
      reject_reasons: { TENTH: 4 },
    });
    expect(done).not.toHaveProperty('open');
    expect(seen).toEqual([
      [20, 45, 18, 2],
      [40, 45, 36, 4],
      [45, 45, 41, 4],
    ]);
    expect(await numbersOf(database.db, _id)).toEqual(notTenths(45));
    expect(await loop.run(_id)).toBeNull();
  });

  it('is taken up by any process, by each piece only one', async () => {
    const works = await Promise.all(Array.from({ length: 8 }, () => start()));
    const loops = Array.from({ length: 3 }, () => loopOf());
    for (const loop of loops) loop.look();
    await expect.poll(states, { timeout: 20_000 }).toEqual(works.map(() => 'FINISHED'));
    await Promise.all(loops.map((loop) => loop.close()));
    for (const { _id } of works) {
      expect(await numbersOf(database.db, _id)).toEqual(notTenths(45));
      expect(await find(_id)).toMatchObject({ done: 45, steps: 6 });
    }
  });

  it('is done two pieces at a time, the oldest first, and in turn for each owner', async () => {
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const waiting = kindOf('counting', async ({ work, signal }) => {
      const { passed, open } = gate();
      begun.push(`${work.owner} ${work.created_at.getTime()}`);
      ends.set(work._id, open);
      signal.addEventListener('abort', open);
      await passed;
    });
    const at = (ms: number) => new Date(ms);
    for (const ms of [1, 2, 3]) await start(waiting, { owner: 'ann', at: at(ms) });
    for (const ms of [4, 5]) await start(waiting, { owner: 'ben', at: at(ms) });
    const loop = loopOf([waiting]);
    loop.look();
    const endFirst = () => {
      const [first] = ends;
      if (first) ends.delete(first[0]);
      first?.[1]();
    };
    await expect.poll(() => begun).toEqual(['ann 1', 'ben 4']);
    endFirst();
    await expect.poll(() => begun.slice(2)).toEqual(['ann 2']);
    endFirst(); // of Ben
    await expect.poll(() => begun.slice(3)).toEqual(['ben 5']);
    const shown = await findWorkToDo(database.db, new Set(['counting']));
    expect(shown.map(({ owner }) => owner)).toEqual(['ann']);
    await loop.close();
  });

  it('of a kind that the process does not know is left to others', async () => {
    const { _id } = await start(kindOf('unknown', async () => undefined));
    const loop = loopOf();
    loop.look();
    await loop.close();
    expect(await find(_id)).toMatchObject({ state: 'WAITING', token: 0 });
  });

  it('continues after the last step when a process has died', async () => {
    const { _id } = await start();
    const dies = loopOf([{ ...countingKind, run: (held) => diesAfter(2, held, countingKind.run) }]);
    void dies.run(_id);
    await expect.poll(async () => (await find(_id))?.steps).toBe(2);
    const other = loopOf();
    expect(await other.run(_id)).toBe('BUSY');
    await expireLeases(database.db);
    expect(await other.run(_id)).toMatchObject({ state: 'FINISHED', done: 45, steps: 6, attempts: 0 });
    expect(await numbersOf(database.db, _id)).toEqual(notTenths(45));
  });

  it('is put down when the process stops, and continued at once', async () => {
    const { _id } = await start();
    const first = loopOf(undefined, { onStep: () => first.stop() });
    expect(await first.run(_id)).toMatchObject({ state: 'WAITING', open: true, done: 20, attempts: 0 });
    expect(await loopOf().run(_id)).toMatchObject({ state: 'FINISHED', done: 45 });
    expect(await numbersOf(database.db, _id)).toEqual(notTenths(45));
  });
});

describe('a process that lost the lease', () => {
  it('writes nothing more', async () => {
    const { _id } = await start();
    const { passed, open } = gate();
    const reached = gate();
    const sleeps = loopOf([
      {
        ...countingKind,
        run: async (held) => {
          const step = held.step.bind(held);
          const slow = async (...args: Parameters<typeof step>) => {
            if (held.work.steps === 2) {
              reached.open();
              await passed;
            }
            return step(...args);
          };
          return countingKind.run(Object.create(held, { step: { value: slow }, work: { get: () => held.work } }));
        },
      },
    ]);
    const slept = sleeps.run(_id);
    await reached.passed;
    await expireLeases(database.db);
    expect(await loopOf().run(_id)).toMatchObject({ state: 'FINISHED', done: 45, token: 2 });
    open();
    expect(await slept).toBe('BUSY');
    expect(await find(_id)).toMatchObject({ state: 'FINISHED', done: 45, steps: 6, token: 2 });
    expect(await numbersOf(database.db, _id)).toEqual(notTenths(45));
  });

  it('cannot record a step, even in the transaction of its writes', async () => {
    const { _id } = await start();
    const stale = await takeUp(database.db, _id, 1);
    await takeUp(database.db, _id, 2);
    if (!stale) throw new Error('It was not taken up');
    const write = async () => {
      throw new Error('It reached the writes');
    };
    await expect(recordStep(database.db, stale, write)).rejects.toThrow(LeaseLostError);
    await expect(recordStep(database.db, stale, { done: 1 })).rejects.toThrow(LeaseLostError);
    expect(await find(_id)).toMatchObject({ done: 0, steps: 0, token: 2 });
  });

  it('cannot record a step twice', async () => {
    const { _id } = await start();
    const taken = await takeUp(database.db, _id, 1);
    if (!taken) throw new Error('It was not taken up');
    expect(await recordStep(database.db, taken, { done: 1 })).toMatchObject({ done: 1, steps: 1 });
    await expect(recordStep(database.db, taken, { done: 1 })).rejects.toThrow(LeaseLostError);
    expect(await find(_id)).toMatchObject({ done: 1, steps: 1 });
  });
});

describe('background work that fails', () => {
  it.each([
    [
      'what its kind says',
      new WorkFailure('The file ends in the middle of a row'),
      'The file ends in the middle of a row',
    ],
    ['what a rule of the domain says', new InputError('title', 'is too long'), 'title is too long'],
  ])('tells the user %s', async (_what, error, failure) => {
    const kind = kindOf('failing', () => Promise.reject(error));
    const { _id } = await start(kind);
    expect(await loopOf([kind]).run(_id)).toMatchObject({ state: 'FAILED', failure, finished_at: expect.any(Date) });
    expect(await find(_id)).not.toHaveProperty('open');
  });

  it('does not tell the user about an internal error, but the log', async () => {
    const kind = kindOf('failing', () => Promise.reject(new TypeError('x is undefined')));
    const { _id } = await start(kind);
    const faults: unknown[] = [];
    const loop = loopOf([kind], { onFault: (error, work) => faults.push([(error as Error).message, work]) });
    expect(await loop.run(_id)).toMatchObject({
      state: 'FAILED',
      failure: 'An internal error. The details are in the server’s log',
    });
    expect(faults).toEqual([['x is undefined', _id]]);
  });

  it('is tried again when others were in the way', async () => {
    let tries = 0;
    const kind = kindOf('failing', async (held) => {
      tries += 1;
      if (tries < 3) throw new BusyError('Too many concurrent writers');
      await held.step({ done: 1 });
    });
    const { _id } = await start(kind);
    expect(await loopOf([kind]).run(_id)).toMatchObject({ state: 'FINISHED', done: 1 });
    expect(tries).toBe(3);
  });

  it('is given up when processes died eight times without a step', async () => {
    const { _id } = await start();
    for (let token = 1; token <= 8; token += 1) expect(await takeUp(database.db, _id, token)).not.toBeNull();
    expect(await takeUp(database.db, _id, 9)).toBeNull();
    expect(await find(_id)).toMatchObject({
      state: 'FAILED',
      failure: 'It was interrupted 8 times in a row without any progress',
    });
    expect(await findWorkToDo(database.db, new Set(['counting']))).toEqual([]);
  });
});

describe('undoing', () => {
  const undo = (id: string) =>
    requestUndo(database.db, testAct(), { id, type: 'DataImport', owner: null, kinds: [countingKind] });

  it('takes everything back in steps, and resumes after a death', async () => {
    const { _id } = await start();
    await loopOf().run(_id);
    expect(await undo(_id)).toMatchObject({ state: 'UNDOING', open: true, done: 45 });
    const dies = loopOf([{ ...countingKind, undo: (held) => diesAfter(2, held, countingKind.undo) }]);
    void dies.run(_id);
    await expect.poll(async () => (await find(_id))?.imported).toBe(21);
    expect(await undo(_id)).toMatchObject({ __typename: 'WorkBusy', work: { state: 'UNDOING' } });
    await expireLeases(database.db);
    expect(await loopOf().run(_id)).toMatchObject({ state: 'UNDONE', imported: 0, rejected: 4, done: 4 });
    expect(await numbersOf(database.db, _id)).toEqual([]);
    expect(await undo(_id)).toMatchObject({ state: 'UNDONE' });
  });

  it('that fails can be requested again', async () => {
    const { _id } = await start();
    await loopOf().run(_id);
    await undo(_id);
    const failing = { ...countingKind, undo: () => Promise.reject(new WorkFailure('A row is locked')) };
    expect(await loopOf([failing]).run(_id)).toMatchObject({ state: 'FAILED', failure: 'A row is locked' });
    expect(await undo(_id)).toMatchObject({ state: 'UNDOING' });
    expect(await loopOf().run(_id)).toMatchObject({ state: 'UNDONE' });
  });
});

/** Runs a kind whose process dies after so many steps: the promise never settles, and nothing is released. */
function diesAfter(
  steps: number,
  held: Parameters<typeof countingKind.run>[0],
  run: typeof countingKind.run,
): Promise<void> {
  const begun = held.work.steps;
  const step = async (...args: Parameters<typeof held.step>) => {
    if (held.work.steps === begun + steps) return new Promise<void>(() => undefined);
    return held.step(...args);
  };
  return run(Object.create(held, { step: { value: step }, work: { get: () => held.work } }));
}
