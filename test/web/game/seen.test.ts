/** Waiting until the screen shows what the server has answered. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { seen } from '../../../web/src/game/screen/seen.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function storeOf(first: number) {
  let current = first;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set: (value: number) => {
      current = value;
      for (const listener of listeners) listener();
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function watch(shown: number, isLive = () => true) {
  const state = storeOf(shown);
  let isOver = false;
  const over = seen(state, (number) => number >= 5, isLive).then(() => {
    isOver = true;
  });
  const isOverAfter = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    return isOver;
  };
  return { state, over, isOverAfter };
}

describe('what an act has done', () => {
  it('need not be waited for if it is on the screen', async () => {
    expect(await watch(5).isOverAfter(0)).toBe(true);
  });
  it('is waited for until it is on the screen', async () => {
    const { state, isOverAfter } = watch(3);
    expect(await isOverAfter(10)).toBe(false);
    state.set(4);
    expect(await isOverAfter(10)).toBe(false);
    state.set(6);
    expect(await isOverAfter(0)).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
  it('is not waited for longer than a second', async () => {
    const { isOverAfter } = watch(3);
    expect(await isOverAfter(999)).toBe(false);
    expect(await isOverAfter(1)).toBe(true);
  });
  it('is waited for while the connection is away, as long as it may soon be back', async () => {
    const { state, isOverAfter } = watch(3, () => false);
    expect(await isOverAfter(14_000)).toBe(false);
    state.set(6);
    expect(await isOverAfter(0)).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
    expect(await watch(3, () => false).isOverAfter(15_000)).toBe(true);
  });
});
