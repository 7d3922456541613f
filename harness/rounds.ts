/** How much a test repeats that kills at random, or plays random cases. Each run chooses others, so that few per run are many over time. */
import { makeRandom } from './random.js';

/** QUICK=1: as few as find what is broken for everyone. `.ci/run` sets it; `npm run test:crash` plays all. */
export const isQuick = process.env.QUICK === '1';

/** @returns the number of rounds of a test that kills */
export const rounds = ({ quick, full }: { readonly quick: number; readonly full: number }): number =>
  isQuick ? quick : full;

/** @returns all, or with QUICK=1 so many of them, in their order, which the seed chooses */
export function chooseSome<T>(all: readonly T[], quick: number, seed: number): readonly T[] {
  if (!isQuick) return all;
  const random = makeRandom(seed);
  const left = [...all];
  while (left.length > quick) left.splice(random.below(left.length), 1);
  return left;
}

/** @returns how many random cases a property test plays: RUNS=10 plays ten times as many as usual */
export const runsOf = (usual: number): number => Math.ceil(usual * Number(process.env.RUNS ?? 1));
