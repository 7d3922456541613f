/** A step of the startup, for progress output. */
export interface Step {
  /** The start of a sentence, such as "Downloading the database server". */
  readonly text: string;
  /** From 0 to 1, if known. */
  readonly done?: number;
}

export type OnStep = (step: Step) => void;
