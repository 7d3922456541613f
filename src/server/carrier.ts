/** What every carrier of operations is given: they differ in how operations come and go, and in nothing else. */
import type { GraphQLSchema } from 'graphql';
import type { OperationAllowance } from './allowance.js';
import type { Backlog } from './backlog.js';
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
  readonly backlog: Backlog;
  readonly metrics: Metrics;
}

/** Shows in the metrics how it goes. */
export function watchCarrier(carrier: Carrier): void {
  const { metrics, services, desk, allowance, gate } = carrier;
  const { hits } = services;
  watchRealtime(carrier);
  metrics.gauge('sextant_hits_waiting', 'Hits that wait to be written', () => hits.health.waiting);
  metrics.counter('sextant_hits_total', 'Hits written', () => hits.health.hits);
  metrics.counter('sextant_hit_groups_total', 'Groups of hits written', () => hits.health.groups);
  metrics.gauge('sextant_operations_running', 'Operations that run, without subscriptions', () => gate.health.running);
  metrics.gauge('sextant_operations_waiting', 'Operations that wait for their turn', () => gate.health.waiting);
  metrics.gauge(
    'sextant_operations_waiting_bytes',
    'What their bodies and variables take',
    () => gate.health.waitingBytes,
  );
  metrics.counter(
    'sextant_operations_turned_away_total',
    'Operations refused since there was too much to do',
    () => gate.health.refused,
  );
  metrics.gauge(
    'sextant_cart_allowances',
    'Addresses whose visitors have started carts',
    () => services.cartAllowance.count,
  );
  metrics.gauge('sextant_allowances', 'Addresses and users whose spending is remembered', () => allowance.count);
  metrics.gauge('sextant_operation_cache_entries', 'Operations kept parsed', () => desk.cache.count);
  metrics.gauge('sextant_operation_cache_characters', 'The length of their texts', () => desk.cache.size);
}

function watchRealtime({ metrics, services: { hub }, backlog }: Carrier): void {
  metrics.gauge('sextant_subscriptions', 'Subscriptions that are running', () => hub.health.subscribers);
  metrics.gauge('sextant_channels', 'States and lists that are being followed', () => hub.health.channels);
  metrics.gauge(
    'sextant_state_bytes',
    'What they take up in memory with their subscriptions, estimated',
    () => hub.health.stateBytes,
  );
  metrics.gauge(
    'sextant_pending_parts',
    'Changed parts that are noted for subscribers that are behind',
    () => hub.health.pendingParts,
  );
  metrics.gauge(
    'sextant_snapshots_waiting',
    'Subscribers that wait for the whole of a state',
    () => hub.health.snapshotsWaiting,
  );
  metrics.gauge('sextant_snapshots_kept', 'Whole states kept for whoever comes next', () => hub.health.snapshotsKept);
  metrics.gauge(
    'sextant_unsent_bytes',
    'What clients leave unread, of sockets, event streams and large answers, and operations that wait until they read',
    () => backlog.bytes,
  );
  metrics.gauge('sextant_unsent_connections', 'Connections that leave something unread', () => backlog.connections);
  metrics.counter(
    'sextant_unsent_ended_total',
    'Connections that were ended since too much was unread',
    () => backlog.ended,
  );
  metrics.gauge(
    'sextant_stream_lag_seconds',
    'How long ago the change stream was known to be current, at most',
    () => hub.lagMs / 1000,
  );
  metrics.counter('sextant_stream_resets_total', 'Fresh starts of the change stream', () => hub.health.resets);
  metrics.counter(
    'sextant_stream_interruptions_total',
    'How often the change stream broke off and was resumed',
    () => hub.health.interruptions,
  );
  metrics.gauge(
    'sextant_stream_alarm',
    '1 when the change stream has begun anew too often lately',
    () => +hub.health.alarm,
  );
  for (const [name, how] of [
    ['fromRing', 'events in memory'],
    ['caughtUp', 'the operation log'],
    ['lost', 'the whole state, since what they missed is lost'],
  ] as const)
    metrics.counter(
      `sextant_resumed_${{ fromRing: 'from_ring', caughtUp: 'from_log', lost: 'anew' }[name]}_total`,
      `Subscribers that came back, served from ${how}`,
      () => hub.health.resumed[name],
    );
  metrics.gauge('sextant_ring_events', 'Change events kept for clients that come back', () => hub.health.ringEvents);
  metrics.gauge('sextant_ring_bytes', 'Their size, estimated', () => hub.health.ringBytes);
  metrics.gauge('sextant_ring_reach_seconds', 'How far back they reach', () => hub.health.ringReachSeconds);
  metrics.gauge('sextant_catch_ups', 'Streams that catch up for late clients', () => hub.health.catchingUp);
  metrics.gauge('sextant_catch_up_bytes', 'What they keep in memory, estimated', () => hub.health.catchUpBytes);
}
