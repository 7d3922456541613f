/** What every carrier of operations is given: they differ in how operations come and go, and in nothing else. */
import type { GraphQLSchema } from 'graphql';
import type { OperationAllowance } from './allowance.js';
import type { ServerServices } from './context.js';
import type { Metrics } from './metrics.js';
import type { OperationDesk } from './operation.js';
import type { OverloadGate } from './overload-gate.js';

export interface Carrier {
  readonly services: ServerServices;
  readonly schema: GraphQLSchema;
  readonly desk: OperationDesk;
  readonly allowance: OperationAllowance;
  readonly gate: OverloadGate;
  readonly metrics: Metrics;
}

/** Shows in the metrics how it goes. */
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
