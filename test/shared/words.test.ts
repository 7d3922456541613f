import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/shared/time.js';
import { describeBytes, describeDuration, describeMoment } from '../../src/shared/words.js';

describe('human-readable values', () => {
  it.each([
    [30 * DAY_MS, '30 days'],
    [DAY_MS, '1 day'],
    [3650 * DAY_MS, '3650 days'],
    [DAY_MS + HOUR_MS, '1 day and 1 hour'],
    [(30 * DAY_MS) / 7, '4 days, 6 hours, 51 minutes and 25 seconds'],
    [10 * MINUTE_MS, '10 minutes'],
    [1999, '1 second'],
    [0, '0 seconds'],
  ])('a duration of %i ms is %s', (ms, words) => {
    expect(describeDuration({ ms })).toBe(words);
  });

  it.each([
    ['2026-11-22T13:00:59.999Z', '22 Nov 2026, 13:00 UTC'],
    ['2026-01-05T00:07:00Z', '5 Jan 2026, 00:07 UTC'],
  ])('the time %s is %s', (at, words) => {
    expect(describeMoment(new Date(at))).toBe(words);
  });

  it.each([
    [0, '0 B'],
    [1023, '1,023 B'],
    [1024 ** 2, '1 MiB'],
    [1.5 * 1024 ** 3, '1.5 GiB'],
    [1024 ** 4, '1 TiB'],
    [5000 * 1024 ** 4, '5,000 TiB'],
  ])('%i bytes are %s', (bytes, words) => {
    expect(describeBytes(bytes)).toBe(words);
  });
});
