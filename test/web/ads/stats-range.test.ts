/** Which statistics the dashboard asks for. */
import { describe, expect, it } from 'vitest';
import { rangeOf } from '../../../web/src/ads/data/stats-range.js';

const DAY_MS = 86_400_000;
const now = Date.parse('2026-11-27T12:00:00Z');
const daysFromNow = (days: number) => new Date(now + days * DAY_MS).toISOString();

describe('the statistics of a campaign', () => {
  it.each([-10, 0, 10])('include what was shown before its flight was moved to begin in %d days', (days) => {
    const { from, to } = rangeOf({ from: daysFromNow(days) }, now);
    expect(Date.parse(from)).toBeLessThan(now - 366 * DAY_MS);
    expect(to).toBe(daysFromNow(0));
  });

  it('are those of its flight if that is long over', () => {
    const { from, to } = rangeOf({ from: daysFromNow(-800) }, now);
    expect(from).toBe(daysFromNow(-800));
    expect(to).toBe(daysFromNow(-401));
  });
});
