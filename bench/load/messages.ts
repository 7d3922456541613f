/** The requests of a benchmark to the subscriber process, and its answers. */
export interface SubscribersOptions {
  readonly port: number;
  readonly init: object;
  readonly query: string;
  readonly operationName: string;
  /** In addition to `site` and `page`. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly subscribers: number;
  readonly topics: number;
  /** Whether the first message of each subscription is the state instead of a change. */
  readonly snapshot: boolean;
  readonly mongodbUri: string;
  readonly database: string;
  readonly site: string;
  /** The minute that is written to, in milliseconds since 1970. */
  readonly slot: number;
}

/** One request at a time. */
export type Request =
  | { readonly kind: 'connect'; readonly options: SubscribersOptions }
  | { readonly kind: 'saturate'; readonly writes: number; readonly window: number }
  | { readonly kind: 'pace'; readonly writes: number; readonly everyMs: number };

export interface Answer {
  /** Messages that arrived. */
  readonly delivered: number;
  readonly seconds: number;
  /** Milliseconds from the start of a write to its arrival, over all messages. Only for `pace`. */
  readonly latencies: { readonly p50: number; readonly p99: number } | null;
  /** The last message, as received. */
  readonly sample: string;
}
