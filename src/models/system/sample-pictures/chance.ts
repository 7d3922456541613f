/** Chance that is the same in every run: random numbers, and noise with smooth hills and valleys. */
const RANGE = 2 ** 32;

/** A linear congruential generator, from 0 to 1. */
export function makeRandom(seed: number): () => number {
  let state = (seed * 2_654_435_761) % RANGE;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % RANGE;
    return state / RANGE;
  };
}

function valueAt(x: number, y: number, seed: number): number {
  let mixed = Math.imul(x, 374_761_393) + Math.imul(y, 668_265_263) + Math.imul(seed, 1_274_126_177);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 1_274_126_177);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / RANGE;
}

const smooth = (share: number): number => share * share * (3 - 2 * share);

function noise(x: number, y: number, seed: number): number {
  const column = Math.floor(x);
  const row = Math.floor(y);
  const across = smooth(x - column);
  const upper = valueAt(column, row, seed) * (1 - across) + valueAt(column + 1, row, seed) * across;
  const lower = valueAt(column, row + 1, seed) * (1 - across) + valueAt(column + 1, row + 1, seed) * across;
  const down = smooth(y - row);
  return upper * (1 - down) + lower * down;
}

/** Noise in which each octave adds finer detail. @returns 0 to 1, mostly around 0.5 */
export function hills(x: number, y: number, seed: number, octaves = 4): number {
  let sum = 0;
  let height = 0.5;
  let scale = 1;
  for (let octave = 0; octave < octaves; octave += 1) {
    sum += noise(x * scale, y * scale, seed + octave) * height;
    height /= 2;
    scale *= 2;
  }
  return sum / (1 - 2 * height);
}
