import { describe, expect, it } from 'vitest';
import { addSample, type ImportSample, rateOf } from '../../web/src/traffic/import-rate.js';

const samplesOf = (...all: ImportSample[]) => all.reduce<readonly ImportSample[]>(addSample, []);

describe('how fast an import gets on', () => {
  it('is not known by one sight of it, or two at once', () => {
    expect(rateOf([])).toEqual({ linesPerSecond: null, secondsLeft: null });
    const [first, second] = [
      { at: 0, lines: 0, done: 0 },
      { at: 100, lines: 500, done: 0.1 },
    ];
    expect(rateOf(samplesOf(first, second))).toEqual({ linesPerSecond: null, secondsLeft: null });
  });

  it('is the lines of the latest seconds, and what is left of it', () => {
    const long = { at: 0, lines: 0, done: 0 };
    const lately = [
      { at: 10_000, lines: 1000, done: 0.25 },
      { at: 12_000, lines: 3000, done: 0.5 },
    ];
    expect(rateOf(samplesOf(long, ...lately))).toEqual({ linesPerSecond: 1000, secondsLeft: 4 });
  });

  it('is never negative while one is taken back, whose lines become fewer', () => {
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

  it('is told without an end when it turns round: an import that is taken back before it is done', () => {
    const turned = [
      { at: 0, lines: 2000, done: 0.5 },
      { at: 2000, lines: 3000, done: 0.1 },
    ];
    expect(rateOf(samplesOf(...turned))).toEqual({ linesPerSecond: 500, secondsLeft: null });
  });
});
