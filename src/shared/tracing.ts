/**
 * Spans, where tracing is on (`src/tracing.ts` turns it on). Otherwise nothing of OpenTelemetry is even loaded, and a span costs
 * the check of one variable.
 */
type Attributes = Readonly<Record<string, string | number>>;

/** A piece of work that is being timed. */
export interface Span {
  end(error?: unknown): void;
}

/** What an implementation offers. */
export interface Tracer {
  /** Runs `work` in a span; spans that are begun in it are its children. @param headers of a request that belongs to a trace already */
  run<T>(name: string, attributes: Attributes, work: () => Promise<T>, headers?: object): Promise<T>;
  /** A child of the span that is running here. @returns null when none is */
  beginChild(name: string, attributes: Attributes): Span | null;
}

let tracer: Tracer | null = null;

export function setTracer(implementation: Tracer | null): void {
  tracer = implementation;
}

export function isTracing(): boolean {
  return tracer !== null;
}

export function inSpan<T>(name: string, attributes: Attributes, work: () => Promise<T>, headers?: object): Promise<T> {
  return tracer === null ? work() : tracer.run(name, attributes, work, headers);
}

export function beginChildSpan(name: string, attributes: Attributes): Span | null {
  return tracer?.beginChild(name, attributes) ?? null;
}
