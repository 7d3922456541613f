/** The progress of a run, level by level. */
import { performance } from 'node:perf_hooks';
import { type RollUpLevel, rollUpLevels } from './roll-up-level.js';

export interface LevelProgress {
  readonly level: RollUpLevel;
  /** Roll-ups created or replaced. */
  readonly documentsWritten: number;
  readonly milliseconds: number;
}

export class RollUpProgress {
  readonly #figures = new Map(rollUpLevels.map((level) => [level, { written: 0, ms: 0 }]));

  /** Counts and times a piece of work. */
  async of<T extends { readonly written: number }>(level: RollUpLevel, work: () => Promise<T>): Promise<T> {
    const begin = performance.now();
    const result = await work();
    const before = this.#figures.get(level);
    this.#figures.set(level, {
      written: (before?.written ?? 0) + result.written,
      ms: (before?.ms ?? 0) + performance.now() - begin,
    });
    return result;
  }

  /** From hours to years. */
  get levels(): LevelProgress[] {
    return [...this.#figures].map(([level, { written, ms }]) => ({
      level,
      documentsWritten: written,
      milliseconds: Math.round(ms),
    }));
  }
}
