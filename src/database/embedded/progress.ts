/** What a start is doing, for whoever shows it. */
export interface Step {
  /** A sentence's beginning, such as "Fetching the database server". */
  readonly text: string;
  /** From 0 to 1, where it is known. */
  readonly done?: number;
}

export type OnStep = (step: Step) => void;
