import { describe, expect, it } from 'vitest';
import { describeProgress } from '../../src/terminal/import-progress.js';

const begun = { at: 0, lines: 0, done: 0 };

describe('the progress of an import', () => {
  it('shows a bar, the lines, their rate, and the remaining time', () => {
    const text = describeProgress({ name: 'a.log', lines: 1000, done: 0.25 }, begun, 2000);
    expect(text).toBe(`a.log  ${'█'.repeat(6)}${'░'.repeat(18)} 25 %  1,000 lines  500 lines/s  0:06 left`);
  });

  it('fits into 80 columns, even for a large file with a long name', () => {
    const name = 'access-11-22.log';
    const text = describeProgress({ name, lines: 12_345_678, done: 0.5 }, begun, 1_000_000);
    expect(text).toMatch(/█░/);
    expect(text).toHaveLength(79);
  });

  it('has no negative rate when an import is undone', () => {
    const text = describeProgress({ name: 'a.log', lines: 500, done: null }, { at: 0, lines: 1500, done: 0 }, 1000);
    expect(text).toBe('a.log  500 lines  1,000 lines/s');
  });
});
