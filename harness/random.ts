/** Random choices that are reproducible with a seed. */

export interface Random {
  readonly seed: number;
  /** A whole number from 0 to below `bound`. */
  below(bound: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
}

/** Mulberry32: 32 bits of state are plenty for choices in tests. */
export function makeRandom(seed: number): Random {
  let state = seed >>> 0;
  const below = (bound: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
  return { seed, below, pick: (items) => items[below(items.length)] as (typeof items)[number] };
}

/** The seed from the environment, to repeat a failed test, or a new one. Printed on standard error. */
export function chooseSeed(test: string): number {
  const given = process.env.SEED;
  const seed = given ? Number(given) : Math.floor(Math.random() * 2 ** 32);
  process.stderr.write(`${test}: SEED=${seed}\n`);
  return seed;
}
