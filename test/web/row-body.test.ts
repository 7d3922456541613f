import { describe, expect, it } from 'vitest';
import { makeRandom } from '../../harness/random.js';
import { BODY_ROWS_MAX, baseFor } from '../../web/src/analytics/requests/row-body.js';

const ROWS = 1_000_000;

describe('the body of a list', () => {
  it('does not move while it can hold all rows', () => {
    expect(baseFor(BODY_ROWS_MAX - 1, 0, BODY_ROWS_MAX)).toBe(0);
  });

  it('holds the row that is to be visible, and its neighbors on both sides, wherever it was before', () => {
    const random = makeRandom(1);
    let base = 0;
    for (let step = 0; step < 10_000; step += 1) {
      const row = random.below(ROWS);
      base = baseFor(row, base, ROWS);
      expect(row - base).toBeGreaterThanOrEqual(Math.min(row, 1000));
      expect(row - base).toBeLessThan(BODY_ROWS_MAX - 1000);
    }
  });

  it('reaches the last row step by step, and the first one again, moving rarely', () => {
    let [base, moves] = [0, 0];
    const see = (row: number) => {
      const next = baseFor(row, base, ROWS);
      if (next !== base) moves += 1;
      base = next;
    };
    for (let row = 0; row < ROWS; row += 25) see(row);
    expect(base).toBeGreaterThanOrEqual(ROWS - BODY_ROWS_MAX);
    for (let row = ROWS - 1; row >= 0; row -= 25) see(row);
    expect(base).toBe(0);
    expect(moves).toBeLessThan(30);
  });
});
