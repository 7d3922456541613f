/**
 * Spans, if tracing is on (`src/config/open-telemetry.ts` turns it on). Otherwise OpenTelemetry is not loaded, and a span costs one
 * check of a variable.
 */
type Attributes = Readonly<Record<string, string | number>>;

/** A timed piece of work. */
export interface Span {
  end(error?: unknown): void;
}

/** Implemented with OpenTelemetry in `src/config/open-telemetry.ts`. */
export interface Tracer {
  /** Runs `work` in a span; spans started in it are its children. @param headers of a request that may already belong to a trace */
  run<T>(name: string, attributes: Attributes, work: () => Promise<T>, headers?: object): Promise<T>;
  /** A child of the current span. @returns null when there is none */
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
