/** The rate of an import or its undo, computed from recent samples. */

/** The rate is measured over this period. */
const RATE_OVER_MS = 8_000;
/** A shorter period is too noisy. */
const SECONDS_MIN = 0.2;

export interface ImportSample {
  /** In milliseconds. */
  readonly at: number;
  /** The number of lines; it falls during an undo. */
  readonly lines: number;
  /** The progress, from 0 to 1. */
  readonly done: number;
}

export interface ImportRate {
  /** Null while unknown. */
  readonly linesPerSecond: number | null;
  /** Null while unknown. */
  readonly secondsLeft: number | null;
}

/** @returns the samples within the period, including the new one */
export const addSample = (before: readonly ImportSample[], sample: ImportSample): readonly ImportSample[] => [
  ...before.filter(({ at }) => sample.at - at < RATE_OVER_MS),
  sample,
];

export function rateOf(samples: readonly ImportSample[]): ImportRate {
  const [first] = samples;
  const last = samples.at(-1);
  const seconds = first && last ? (last.at - first.at) / 1000 : 0;
  if (!first || !last || seconds < SECONDS_MIN) return { linesPerSecond: null, secondsLeft: null };
  const donePerSecond = (last.done - first.done) / seconds;
  return {
    linesPerSecond: Math.abs(last.lines - first.lines) / seconds,
    secondsLeft: donePerSecond <= 0 ? null : (1 - last.done) / donePerSecond,
  };
}
