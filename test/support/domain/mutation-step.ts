/** A mutation, sent through the API by a permitted user. */
/** Results of earlier steps. */
export interface Known {
  [name: string]: string;
}

export interface MutationStep {
  readonly mutation: string;
  /** The mutation's arguments and selection. */
  readonly text: (known: Known) => string;
  /** The parts of the result that later steps need. */
  readonly tells?: (field: Readonly<Record<string, string>>) => Known;
  /** The caller; default: the administrator. */
  readonly as?: 'visitor' | 'ann';
  /** Not recorded in the audit trail: the caller's own money, or a new product. */
  readonly isUnaudited?: true;
}
