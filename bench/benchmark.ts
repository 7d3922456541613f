/** What a benchmark is and what it reports. Each stands in a file of its own and is listed in `main.ts`. */

/** What all benchmarks of a run share. */
export interface Surroundings {
  readonly mongodbUri: string;
  /** Interleaved rounds; at least 3 for a figure to be believed. */
  readonly rounds: number;
  /** Multiplies the amount of work: 1 for figures to publish, 0.1 for a quick look. */
  readonly scale: number;
  /** The folder of the peers, ready to run; null where they are not at hand. */
  readonly peers: string | null;
  /** Only these contestants; null for all. */
  readonly only: readonly string[] | null;
  /** For the product's process. */
  readonly nodeOptions: readonly string[];
  log(line: string): void;
}

export interface Benchmark {
  /** As given on the command line. */
  readonly name: string;
  readonly title: string;
  run(surroundings: Surroundings): Promise<Findings>;
}

export interface Findings {
  /** What was to be reached. */
  readonly verdicts: readonly Verdict[];
  readonly tables: readonly Table[];
  /** How it was measured, and what is not equal. One paragraph each. */
  readonly notes: readonly string[];
}

/** A goal, and how near we are. */
export interface Verdict {
  readonly row: string;
  /** What it was compared with; empty for an absolute figure. */
  readonly against: string;
  /** Null where it could not be measured, and `remark` says why. */
  readonly measured: number | null;
  readonly bound: 'at most' | 'at least';
  readonly goal: number;
  readonly unit?: string;
  readonly remark?: string;
}

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function isReached({ measured, bound, goal }: Verdict): boolean {
  return measured !== null && (bound === 'at most' ? measured <= goal : measured >= goal);
}
