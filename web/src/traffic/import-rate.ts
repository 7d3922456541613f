/** How fast an import, or taking one back, gets on: by what was seen of it lately. */

/** How fast it goes is measured over this long. */
const RATE_OVER_MS = 8_000;
/** In less, chance decides. */
const SECONDS_MIN = 0.2;

export interface ImportSample {
  /** Milliseconds. */
  readonly at: number;
  /** Of what is taken back, those become fewer. */
  readonly lines: number;
  /** How much is done, from 0 to 1. */
  readonly done: number;
}

export interface ImportRate {
  /** Null while it is not known. */
  readonly linesPerSecond: number | null;
  /** Null while it is not known. */
  readonly secondsLeft: number | null;
}

/** @returns those that are kept */
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
