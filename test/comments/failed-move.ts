/** Moves of discussions that fail in the middle, for a reason that nobody foresaw. */
import { commentMove } from '../../src/models/comments/move/comment-move.js';
import type { HeldWork, WorkKind } from '../../src/models/work.js';

/** @param steps how many steps it takes before */
export const failingMove = (steps: number): WorkKind => ({
  ...commentMove,
  run: (held) => commentMove.run(new Failing(held, steps)),
});

class Failing implements HeldWork {
  readonly db;
  readonly now;
  readonly signal;
  #left: number;

  constructor(
    private readonly held: HeldWork,
    steps: number,
  ) {
    this.db = held.db;
    this.now = held.now;
    this.signal = held.signal;
    this.#left = steps;
  }

  get work() {
    return this.held.work;
  }

  async step(step: Parameters<HeldWork['step']>[0]): Promise<void> {
    if (this.#left === 0) throw new Error('Something failed that nobody foresaw');
    this.#left -= 1;
    await this.held.step(step);
  }
}
