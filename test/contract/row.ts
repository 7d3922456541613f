/** For an operation of the contract: its variables and the expected result. */
export interface Row {
  readonly operation: string;
  /** May use values from earlier results. */
  readonly variables: object | ((earlier: Earlier) => object);
  /** For a query or mutation: its data. For a subscription: the data of its first event, or of the one at `until`. */
  readonly expected: object;
  /** For a subscription: the event to wait for. */
  readonly until?: (data: never) => boolean;
  /** The file to upload. */
  readonly file?: File;
  /** For a subscription: the operation to send after the first event, and the expected next event. */
  readonly afterwards?: {
    readonly operation: string;
    readonly variables: object | ((earlier: Earlier) => object);
    readonly expected: object;
  };
  /** A precondition: an operation that is sent first, and the values that later rows need from it. */
  readonly before?: string;
  /** Who sends it: the name of the earlier value that is their access token. Default: the administrator. */
  readonly beforeToken?: string;
  readonly beforeTells?: (data: never) => Earlier;
  /** The values that later rows need. */
  readonly tells?: (data: never) => Earlier;
  /** Sent as a visitor. */
  readonly visitor?: boolean;
  /** Sent as a visitor whose browser shows a page of this origin. */
  readonly page?: string;
}

export type Earlier = Readonly<Record<string, string>>;
