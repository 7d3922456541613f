/** When a state is read again that events no longer determine. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Uncertainty } from '../../src/realtime/channels/uncertainty.js';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

/** @returns how long after it became uncertain it is read again, in milliseconds */
function pauseAfter(note: (uncertainty: Uncertainty) => void): number | null {
  const begun = performance.now();
  let readAt: number | null = null;
  const read = async () => {
    readAt = performance.now() - begun;
    uncertainty.end();
  };
  const uncertainty: Uncertainty = new Uncertainty(read, () => undefined);
  note(uncertainty);
  uncertainty.begin();
  vi.advanceTimersByTime(600_000);
  return readAt;
}

describe('an uncertain state', () => {
  it('is read again at once after a quiet time', () => {
    expect(pauseAfter(() => undefined)).toBe(0);
  });

  it.each([
    [10, 500],
    [200, 2000],
    [499, 4990],
    [6000, 5000], // the database did not respond for a while
    [60_000, 5000],
  ])('whose last read took %i ms is read again %i ms after it', (ms, pause) => {
    expect(pauseAfter((uncertainty) => uncertainty.hasRead(ms))).toBe(pause);
  });

  it.each([
    [10, 100],
    [6000, 5000],
  ])('of which %i ms completed the rest is read again %i ms after that', (ms, pause) => {
    expect(pauseAfter((uncertainty) => uncertainty.hasCompleted(ms))).toBe(pause);
  });
});
