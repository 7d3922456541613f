import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchLag } from '../../../src/server/observe/lag-notice.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('clients', () => {
  it('are notified while the stream is behind, every few seconds, and once when it is current again', () => {
    let lag = 0;
    const told: number[] = [];
    const stop = watchLag(
      () => lag,
      (notice) => told.push(JSON.parse(notice).payload.streamLagMs),
    );
    vi.advanceTimersByTime(10_000);
    expect(told).toEqual([]);
    lag = 4000;
    vi.advanceTimersByTime(1000);
    expect(told).toEqual([]); // this process itself may have been blocked
    vi.advanceTimersByTime(1000);
    expect(told).toEqual([4000]);
    lag = 9000;
    vi.advanceTimersByTime(5000);
    expect(told).toEqual([4000, 9000]);
    lag = 20;
    vi.advanceTimersByTime(10_000);
    expect(told).toEqual([4000, 9000, 0]);
    stop();
  });
});
