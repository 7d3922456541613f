/**
 * OpenTelemetry, when its variables are set. Its packages are not dependencies, because there are many and most users do not
 * trace: `npm install @opentelemetry/sdk-node@0.223` adds them. The standard `OTEL_` variables configure where spans go.
 */

import { setTracer, type Tracer } from '../shared/tracing.js';
import type { Environment } from './config.js';

const PACKAGE: string = '@opentelemetry/sdk-node';
const INSTALL = 'npm install @opentelemetry/sdk-node@0.223';
const SPAN_KIND = { server: 1, client: 2 } as const;
const STATUS_ERROR = 2;

/** The part of the package that is used here. */
interface Sdk {
  readonly NodeSDK: new (options: { readonly serviceName: string }) => { start(): void; shutdown(): Promise<void> };
  readonly api: {
    readonly trace: {
      getTracer(name: string): SdkTracer;
      getSpan(context: unknown): SdkSpan | undefined;
    };
    readonly context: { active(): unknown };
    readonly propagation: { extract(context: unknown, headers: object): unknown };
  };
}

interface SdkTracer {
  startSpan(name: string, options: object): SdkSpan;
  startActiveSpan<T>(name: string, options: object, context: unknown, work: (span: SdkSpan) => T): T;
}

interface SdkSpan {
  setStatus(status: { readonly code: number }): void;
  end(): void;
}

/** Tracing is enabled, but its packages are not installed. */
export class TracingError extends Error {
  override name = 'TracingError';
}

/**
 * Must run before the database connection is opened.
 * @returns a function that flushes the remaining spans; null when no `OTEL_` variable is set
 * @throws TracingError
 */
export async function startTracing(environment: Environment): Promise<(() => Promise<void>) | null> {
  if (!Object.entries(environment).some(([name, value]) => name.startsWith('OTEL_') && value)) return null;
  if (environment.OTEL_SDK_DISABLED === 'true') return null;
  const { NodeSDK, api } = await load();
  const sdk = new NodeSDK({ serviceName: environment.OTEL_SERVICE_NAME ?? 'sextant' });
  sdk.start();
  setTracer(makeTracer(api));
  return async () => {
    setTracer(null);
    await sdk.shutdown();
  };
}

async function load(): Promise<Sdk> {
  try {
    return (await import(PACKAGE)) as Sdk;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new TracingError(`OTEL_ variables are set, but OpenTelemetry is not installed. Run: ${INSTALL}`);
  }
}

function makeTracer({ trace, context, propagation }: Sdk['api']): Tracer {
  const tracer = trace.getTracer('sextant');
  return {
    run: (name, attributes, work, headers) => {
      const parent = headers ? propagation.extract(context.active(), headers) : context.active();
      return tracer.startActiveSpan(name, { kind: SPAN_KIND.server, attributes }, parent, async (span) => {
        try {
          return await work();
        } catch (error) {
          span.setStatus({ code: STATUS_ERROR });
          throw error;
        } finally {
          span.end();
        }
      });
    },
    beginChild: (name, attributes) => {
      if (!trace.getSpan(context.active())) return null;
      const span = tracer.startSpan(name, { kind: SPAN_KIND.client, attributes });
      return {
        end: (error) => {
          if (error !== undefined) span.setStatus({ code: STATUS_ERROR });
          span.end();
        },
      };
    },
  };
}
