/** Metrics for Prometheus: base units, `_total` for counters. Every bounded resource reports its utilization. */
import Fastify, { type FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Config } from '../../config/config.js';

export type TransportName = 'http' | 'socket' | 'event-stream';
export type OperationOutcome = 'ok' | 'errors' | 'rejected';

const PATH = '/metrics';
const SECONDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];

let ofProcess: Registry | null = null;

/** Those of Node.js. What observes the process for them is never removed, so all servers of a process share it. */
function metricsOfProcess(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

export class Metrics {
  readonly registry = new Registry();
  readonly #operations = new Counter({
    name: 'sextant_graphql_operations_total',
    help: 'Operations by transport and outcome. Rejected ones were not executed; others may have errors in their response',
    labelNames: ['transport', 'outcome'],
    registers: [this.registry],
  });
  readonly #requests = new Histogram({
    name: 'sextant_http_request_duration_seconds',
    help: 'From the headers of a request to the end of its response',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [this.registry],
  });

  constructor() {
    const shared = metricsOfProcess();
    for (const { name } of shared.getMetricsAsArray()) {
      const metric = shared.getSingleMetric(name);
      if (metric) this.registry.registerMetric(metric);
    }
  }

  countOperation(transport: TransportName, outcome: OperationOutcome): void {
    this.#operations.inc({ transport, outcome });
  }

  timeRequest(method: string, route: string, status: number, seconds: number): void {
    this.#requests.observe({ method, route, status }, seconds);
  }

  /** A value that is read on each scrape. */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  /** Like `gauge`, for values that only grow. */
  counter(name: string, help: string, read: () => number): void {
    new Counter({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }
}

/** Serves the metrics, on a separate port if one is configured. @returns closes that port */
export async function serveMetrics(
  app: FastifyInstance,
  metrics: Metrics,
  config: Config,
): Promise<() => Promise<void>> {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'; // the pattern, never the path: paths would be labels of unbounded cardinality
    metrics.timeRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
  });
  const own = config.METRICS_PORT > 0 ? Fastify() : null;
  (own ?? app).get(PATH, async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
  await own?.listen({ host: config.HOST, port: config.METRICS_PORT });
  return async () => own?.close();
}
