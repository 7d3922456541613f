/** The gate alone, with a simulated server of known capacity and simulated time. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeRandom } from '../../../harness/random.js';
import { OverloadGate } from '../../../src/server/limits/overload-gate.js';

const WAIT_MAX_MS = 1000;
/** Callers arrive in steps, so that long times are simulated fast. */
const STEP_MS = 5;
const BUSY = { code: 'SERVER_BUSY', message: 'The server is overloaded' };

vi.setConfig({ testTimeout: 120_000 }); // long simulations

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

function openGate({ operationsMax = 10_000, loopLoad = 0.9 } = {}): OverloadGate {
  const random = makeRandom(1);
  return new OverloadGate(
    { waitMaxMs: WAIT_MAX_MS, operationsMax },
    { nowMs: () => Date.now(), loopLoad: () => loopLoad, random: () => random.below(1000) / 1000 },
  );
}

/** Works on one thing after the other, like a processor or a database. */
class SimulatedServer {
  #freeAtMs = 0;

  constructor(private serviceMs: number) {}

  slowDown(serviceMs: number): void {
    this.serviceMs = serviceMs;
  }

  work = (): Promise<void> => {
    this.#freeAtMs = Math.max(this.#freeAtMs, Date.now()) + this.serviceMs;
    return new Promise((resolve) => setTimeout(resolve, this.#freeAtMs - Date.now()));
  };
}

interface Tally {
  /** How long answered calls waited, in milliseconds. */
  readonly answered: number[];
  /** The same for rejected calls. */
  readonly rejected: number[];
  readonly retryAfterMs: number[];
}

const newTally = (): Tally => ({ answered: [], rejected: [], retryAfterMs: [] });

async function ask(gate: OverloadGate, work: () => Promise<unknown>, tally: Tally, cost = 0): Promise<void> {
  const sinceMs = Date.now();
  try {
    await gate.run(work, { cost, bytes: 100 });
    tally.answered.push(Date.now() - sinceMs);
  } catch (error) {
    expect(error).toMatchObject(BUSY);
    tally.rejected.push(Date.now() - sinceMs);
    tally.retryAfterMs.push((error as { retryAfterMs: number }).retryAfterMs);
  }
}

/** Sends calls at an even rate. */
async function keepAsking(
  gate: OverloadGate,
  work: () => Promise<unknown>,
  perSecond: number,
  seconds: number,
  tally = newTally(),
): Promise<Tally> {
  let due = 0;
  for (let ms = 0; ms < seconds * 1000; ms += STEP_MS) {
    for (due += (perSecond / 1000) * STEP_MS; due >= 1; due -= 1) void ask(gate, work, tally);
    await vi.advanceTimersByTimeAsync(STEP_MS);
  }
  return tally;
}

const atShare = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

describe('a burst', () => {
  it.each([
    ['a thousand that take a second', 1000, 1],
    ['two thousand that take two seconds', 2000, 1],
    ['a thousand at a cold process, which takes four seconds', 1000, 4],
  ])('is answered: %s', async (_what, count, serviceMs) => {
    for (const loopLoad of [0.1, 0.9]) {
      const gate = openGate({ loopLoad });
      const server = new SimulatedServer(serviceMs);
      const tally = newTally();
      for (let time = 0; time < 3; time += 1) {
        for (let number = 0; number < count; number += 1) void ask(gate, server.work, tally);
        await vi.advanceTimersByTimeAsync(count * serviceMs + 100);
      }
      expect(tally.rejected).toEqual([]);
      expect(tally.answered).toHaveLength(3 * count);
      expect(Math.max(...tally.answered)).toBeLessThanOrEqual(count * serviceMs + 50);
    }
  });

  it('is answered even when its client takes a second and a half to send it, and others arrive meanwhile', async () => {
    const gate = openGate();
    const server = new SimulatedServer(3);
    const tally = await keepAsking(gate, server.work, 700, 1.5);
    await keepAsking(gate, server.work, 100, 3, tally);
    await vi.advanceTimersByTimeAsync(3000);
    expect(tally.rejected).toEqual([]);
  });

  it('serves calls that are in time before those that have waited too long', async () => {
    const gate = openGate();
    const server = new SimulatedServer(10);
    const order: string[] = [];
    for (let number = 0; number < 200; number += 1) void gate.run(server.work).then(() => order.push('first'));
    await vi.advanceTimersByTimeAsync(1500);
    void gate.run(server.work).then(() => order.push('second'));
    await vi.advanceTimersByTimeAsync(5000);
    expect(order).toHaveLength(201);
    expect(order.indexOf('second')).toBeLessThan(195);
  });
});

describe('the gate beyond its capacity', () => {
  it.each([
    ['the event loop is the bottleneck', 0.95],
    ['the database is the bottleneck', 0.2],
  ])('serves all it can at four times the load, and no call waits too long, when %s', async (_what, loopLoad) => {
    const gate = openGate({ loopLoad });
    const { answered, rejected, retryAfterMs } = await keepAsking(gate, new SimulatedServer(4).work, 1000, 30);
    await vi.advanceTimersByTimeAsync(5000);
    expect(answered.length).toBeGreaterThan(0.97 * 30 * 250);
    expect(answered.length + rejected.length).toBe(30_000);
    expect(atShare(answered, 0.99)).toBeLessThanOrEqual(1.1 * WAIT_MAX_MS);
    // Only calls that arrived while it was still a burst had to wait.
    expect(rejected.filter((ms) => ms > 100).length).toBeLessThan(4000);
    expect(atShare(retryAfterMs, 0.5)).toBeGreaterThan(2000);
    expect(atShare(retryAfterMs, 0.5)).toBeLessThan(8000);
    expect(new Set(retryAfterMs).size).toBeGreaterThan(100);
  });

  it('limits the wait of closed-loop callers, too', async () => {
    const gate = openGate();
    const server = new SimulatedServer(20);
    const tally = newTally();
    const caller = async () => {
      for (let time = 0; time < 100; time += 1) {
        await ask(gate, server.work, tally);
        await new Promise((resolve) => setTimeout(resolve, tally.rejected.length > 0 ? 500 : 0));
      }
    };
    for (let number = 0; number < 400; number += 1) void caller();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(tally.rejected.length).toBeGreaterThan(0);
    expect(tally.answered.length).toBeGreaterThan(0.95 * 1000);
    expect(atShare(tally.answered, 0.8)).toBeLessThanOrEqual(1.1 * WAIT_MAX_MS);
    expect(Math.max(...tally.answered)).toBeLessThanOrEqual(4.5 * WAIT_MAX_MS); // while it was still a burst
  });

  it('adapts to a machine that gets slower and faster', async () => {
    const gate = openGate();
    const server = new SimulatedServer(2);
    const before = await keepAsking(gate, server.work, 2000, 10);
    server.slowDown(8);
    const slow = await keepAsking(gate, server.work, 2000, 10);
    server.slowDown(2);
    const after = await keepAsking(gate, server.work, 2000, 10);
    expect(before.answered.length).toBeGreaterThan(0.9 * 5000);
    expect(slow.answered.length).toBeGreaterThan(0.9 * 1250);
    expect(after.answered.length).toBeGreaterThan(0.8 * 5000);
    expect(atShare(after.answered, 0.99)).toBeLessThanOrEqual(1.2 * WAIT_MAX_MS);
  });

  it('rejects nothing once the load has dropped', async () => {
    const gate = openGate();
    const server = new SimulatedServer(4);
    await keepAsking(gate, server.work, 1000, 5);
    const calm = await keepAsking(gate, server.work, 200, 10);
    await vi.advanceTimersByTimeAsync(2000);
    expect(calm.rejected.length).toBeLessThan(400); // in the first seconds
    const { rejected } = await keepAsking(gate, server.work, 200, 5);
    expect(rejected).toEqual([]);
    expect(gate.health).toMatchObject({ waiting: 0, waitingBytes: 0 });
  });

  it('rejects expensive operations before cheap ones', async () => {
    const gate = openGate();
    const server = new SimulatedServer(4);
    const cheap = newTally();
    const expensive = newTally();
    for (let ms = 0; ms < 20_000; ms += 1) {
      void ask(gate, server.work, cheap);
      if (ms % 10 === 0) void ask(gate, server.work, expensive, 2000);
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(expensive.answered.length / 2000).toBeLessThan(cheap.answered.length / 20_000);
  });
});

describe('the gate', () => {
  it('ignores time during which the process was suspended', async () => {
    const gate = openGate();
    const server = new SimulatedServer(5);
    const tally = newTally();
    for (let number = 0; number < 200; number += 1) void ask(gate, server.work, tally);
    await vi.advanceTimersByTimeAsync(100);
    vi.setSystemTime(Date.now() + 60_000); // timers continue where they were, as after SIGCONT
    for (let number = 0; number < 50; number += 1) void ask(gate, server.work, tally);
    await vi.advanceTimersByTimeAsync(65_000);
    expect(tally.rejected).toEqual([]);
    expect(tally.answered).toHaveLength(250);
  });

  it('resets its measurements after a break, and rejects nothing because of old ones', async () => {
    const gate = openGate();
    const slow = new SimulatedServer(100);
    await keepAsking(gate, slow.work, 8, 10);
    const tally = newTally();
    const fast = new SimulatedServer(1);
    for (let number = 0; number < 900; number += 1) void ask(gate, fast.work, tally);
    await vi.advanceTimersByTimeAsync(2000);
    expect(tally.rejected).toEqual([]);
  });

  it('lets other calls pass work that is blocked on something else', async () => {
    const gate = openGate({ loopLoad: 0.1 });
    for (let number = 0; number < 500; number += 1) void gate.run(() => new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(20_000);
    const { rejected, answered } = await keepAsking(gate, new SimulatedServer(1).work, 200, 10);
    await vi.advanceTimersByTimeAsync(1000);
    expect(rejected).toEqual([]);
    expect(answered).toHaveLength(2000);
    expect(atShare(answered, 0.99)).toBeLessThan(100);
  });

  it('forms large groups of work that completes together', async () => {
    const gate = openGate({ loopLoad: 0.3 });
    let group: (() => void)[] = [];
    const sizes: number[] = [];
    const write = () => {
      const written = group;
      group = [];
      if (written.length > 0) sizes.push(written.length);
      for (const answer of written) answer();
      setTimeout(write, 150); // a distant majority
    };
    write();
    const { rejected, answered } = await keepAsking(
      gate,
      () => new Promise<void>((resolve) => group.push(resolve)),
      2000,
      10,
    );
    await vi.advanceTimersByTimeAsync(2000);
    expect(rejected).toEqual([]);
    expect(answered).toHaveLength(20_000);
    expect(Math.max(...sizes)).toBeGreaterThan(250);
  });

  it('rejects at zero throughput, and retries with a few', async () => {
    const gate = openGate({ loopLoad: 0.1 });
    const begun: (() => void)[] = [];
    const hang = () => new Promise<void>((resolve) => begun.push(resolve));
    const { rejected } = await keepAsking(gate, hang, 500, 10);
    expect(rejected.length).toBeGreaterThan(2000);
    expect(begun.length).toBeLessThan(1000);
    for (const end of begun) end();
    const { rejected: later, answered } = await keepAsking(gate, new SimulatedServer(1).work, 500, 10);
    expect(later.length).toBeLessThan(1500);
    expect(answered.length).toBeGreaterThan(3500);
  });

  it('is bounded in number and in bytes', async () => {
    const gate = openGate({ operationsMax: 100 });
    const tally = newTally();
    for (let number = 0; number < 150; number += 1) void ask(gate, new SimulatedServer(1).work, tally);
    expect(gate.hasRoom()).toBe(false);
    await vi.advanceTimersByTimeAsync(1000);
    expect([tally.answered.length, tally.rejected.length]).toEqual([100, 50]);
    expect(gate.health).toEqual({ running: 0, waiting: 0, waitingBytes: 0, rejected: 51 });

    const large = openGate();
    const results = Array.from({ length: 200 }, () =>
      large.run(new SimulatedServer(1).work, { cost: 0, bytes: 1_000_000 }),
    );
    const settled = Promise.allSettled(results);
    await vi.advanceTimersByTimeAsync(1000);
    const rejected = (await settled).filter(({ status }) => status === 'rejected');
    expect(rejected).toHaveLength(200 - 64 - 67); // 64 start immediately, 67 MB may wait
  });

  it('skips work of disconnected callers', async () => {
    const gate = openGate();
    const server = new SimulatedServer(5);
    const tally = newTally();
    for (let number = 0; number < 100; number += 1) void ask(gate, server.work, tally);
    const work = vi.fn(server.work);
    const left = gate.run(work, { cost: 0, bytes: 0, isGone: () => true });
    const answer = expect(left).rejects.toMatchObject(BUSY);
    await vi.advanceTimersByTimeAsync(1000);
    await answer;
    expect(work).not.toHaveBeenCalled();
  });

  it('accepts new connections before the next work starts, for a few turns of the event loop', async () => {
    const gate = openGate();
    const ends: (() => void)[] = [];
    for (let number = 0; number < 100; number += 1)
      void gate.run(() => new Promise<void>((resolve) => ends.push(resolve)));
    await vi.advanceTimersByTimeAsync(0);
    const begun = ends.length;
    expect(begun).toBeGreaterThan(0);
    expect(begun).toBeLessThan(100);
    gate.noteConnection();
    ends[0]?.();
    let turns = 0;
    for (; ends.length === begun; turns += 1) {
      gate.noteConnection();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(turns).toBeGreaterThan(4);
    expect(turns).toBeLessThan(20);
  });

  it('also makes room when running work fails', async () => {
    const gate = openGate();
    await expect(gate.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(gate.health.running).toBe(0);
  });
});
