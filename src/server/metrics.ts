/** What Prometheus reads: base units, `_total` for counters. Every bounded thing shows how full it is. */
import Fastify, { type FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Config } from '../config.js';
import type { Carrier } from './carrier.js';

export type CarrierName = 'http' | 'socket' | 'event-stream';
export type OperationOutcome = 'ok' | 'errors' | 'refused';

const PATH = '/metrics';
const SECONDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];

export class Metrics {
  readonly registry = new Registry();
  readonly #operations = new Counter({
    name: 'sextant_graphql_operations_total',
    help: 'Operations by carrier, and how they ended: refused ones were not executed, others may have errors in their answer',
    labelNames: ['carrier', 'outcome'],
    registers: [this.registry],
  });
  readonly #requests = new Histogram({
    name: 'sextant_http_request_duration_seconds',
    help: 'From the head of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  countOperation(carrier: CarrierName, outcome: OperationOutcome): void {
    this.#operations.inc({ carrier, outcome });
  }

  timeRequest(method: string, route: string, status: number, seconds: number): void {
    this.#requests.observe({ method, route, status }, seconds);
  }

  /** A figure that is looked up when somebody reads the metrics. */
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

  /** As `gauge`, for what only grows. */
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

export function watchCarrier({ metrics, services: { hub, hits }, desk, allowance, gate }: Carrier): void {
  metrics.gauge('sextant_subscriptions', 'Subscriptions that are running', () => hub.health.subscribers);
  metrics.gauge('sextant_channels', 'States and lists that are being followed', () => hub.health.channels);
  metrics.gauge('sextant_stream_lag_seconds', 'How far the change stream is behind', () => hub.health.lagMs / 1000);
  metrics.gauge('sextant_ring_events', 'Change events kept for clients that come back', () => hub.health.ringEvents);
  metrics.gauge('sextant_ring_reach_seconds', 'How far back they reach', () => hub.health.ringReachSeconds);
  metrics.gauge('sextant_catch_ups', 'Streams that catch up for late clients', () => hub.health.catchingUp);
  metrics.counter('sextant_stream_resets_total', 'Fresh starts of the change stream', () => hub.health.resets);
  metrics.gauge('sextant_hits_waiting', 'Hits that wait to be written', () => hits.health.waiting);
  metrics.counter('sextant_hits_total', 'Hits written', () => hits.health.hits);
  metrics.counter('sextant_hit_groups_total', 'Groups of hits written', () => hits.health.groups);
  metrics.gauge('sextant_operations_running', 'Operations that run, without subscriptions', () => gate.health.running);
  metrics.gauge('sextant_operations_waiting', 'Operations that wait for a place', () => gate.health.waiting);
  metrics.gauge(
    'sextant_operations_limit',
    'How many may run at once, by the delay of the event loop',
    () => gate.health.limit,
  );
  metrics.counter(
    'sextant_operations_turned_away_total',
    'Operations refused since there was too much to do',
    () => gate.health.refused,
  );
  metrics.gauge('sextant_allowances', 'Addresses and users whose spending is remembered', () => allowance.count);
  metrics.gauge('sextant_operation_cache_entries', 'Operations kept parsed', () => desk.cache.count);
  metrics.gauge('sextant_operation_cache_characters', 'The length of their texts', () => desk.cache.size);
}

/** Serves the metrics, on a port of their own when the configuration names one. @returns closes that port */
export async function serveMetrics(
  app: FastifyInstance,
  metrics: Metrics,
  config: Config,
): Promise<() => Promise<void>> {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'; // the pattern, never the path: paths would be labels without end
    metrics.timeRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
  });
  const own = config.METRICS_PORT > 0 ? Fastify() : null;
  (own ?? app).get(PATH, async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
  await own?.listen({ host: config.HOST, port: config.METRICS_PORT });
  return async () => own?.close();
}
