/** What a benchmark is and what it reports. Each is in its own file and listed in the `benchmarks.ts` of its folder. */

/** Shared by all benchmarks of a run. */
export interface Surroundings {
  readonly mongodbUri: string;
  /** Interleaved rounds; at least 3 for a reliable figure. */
  readonly rounds: number;
  /** Multiplies the amount of work: 1 for figures to publish, 0.1 for a quick run. */
  readonly scale: number;
  /** The folder of the peers, ready to run; null if they are not available. */
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
  /** The goals and whether they were met. */
  readonly verdicts: readonly Verdict[];
  readonly tables: readonly Table[];
  /** How it was measured, and what differs between the contestants. One paragraph each. */
  readonly notes: readonly string[];
}

/** A goal and the measured figure. */
export interface Verdict {
  readonly row: string;
  /** The baseline; empty for an absolute figure. */
  readonly against: string;
  /** Null if it could not be measured; `remark` has the reason. */
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
