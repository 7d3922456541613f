import { describe, expect, it } from 'vitest';
import { addSample, type ImportSample, rateOf } from '../../web/src/analytics/imports/import-rate.js';

const samplesOf = (...all: ImportSample[]) => all.reduce<readonly ImportSample[]>(addSample, []);

describe('the rate of an import', () => {
  it('is unknown after one sample, or two that are too close', () => {
    expect(rateOf([])).toEqual({ linesPerSecond: null, secondsLeft: null });
    const [first, second] = [
      { at: 0, lines: 0, done: 0 },
      { at: 100, lines: 500, done: 0.1 },
    ];
    expect(rateOf(samplesOf(first, second))).toEqual({ linesPerSecond: null, secondsLeft: null });
  });

  it('is computed from the latest seconds, with the time left', () => {
    const long = { at: 0, lines: 0, done: 0 };
    const lately = [
      { at: 10_000, lines: 1000, done: 0.25 },
      { at: 12_000, lines: 3000, done: 0.5 },
    ];
    expect(rateOf(samplesOf(long, ...lately))).toEqual({ linesPerSecond: 1000, secondsLeft: 4 });
  });

  it('is never negative while an import is undone and its line count falls', () => {
    const undoing = [
      { at: 0, lines: 4000, done: 0 },
      { at: 2000, lines: 3000, done: 0.25 },
      { at: 4000, lines: 1000, done: 0.75 },
      { at: 5000, lines: 0, done: 1 },
    ];
    for (let seen = 2; seen <= undoing.length; seen += 1) {
      const { linesPerSecond, secondsLeft } = rateOf(samplesOf(...undoing.slice(0, seen)));
      expect(linesPerSecond).toBeGreaterThan(0);
      expect(secondsLeft).toBeGreaterThanOrEqual(0);
    }
  });

  it('has no estimate of the time left when an import is undone before it is finished', () => {
    const turned = [
      { at: 0, lines: 2000, done: 0.5 },
      { at: 2000, lines: 3000, done: 0.1 },
    ];
    expect(rateOf(samplesOf(...turned))).toEqual({ linesPerSecond: 500, secondsLeft: null });
  });
});
