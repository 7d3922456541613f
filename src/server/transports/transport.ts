/** Shared by all transports of operations: they differ only in how operations and results are transported. */
import type { GraphQLSchema } from 'graphql';
import type { ServerServices } from '../context/context.js';
import type { OperationAllowance } from '../limits/allowance.js';
import type { Backlog } from '../limits/backlog.js';
import type { OverloadGate } from '../limits/overload-gate.js';
import type { Metrics } from '../observe/metrics.js';
import type { OperationAdmission } from '../operations/operation-admission.js';

export interface Transport {
  readonly services: ServerServices;
  readonly schema: GraphQLSchema;
  readonly admission: OperationAdmission;
  readonly allowance: OperationAllowance;
  readonly gate: OverloadGate;
  readonly backlog: Backlog;
  readonly metrics: Metrics;
}

/** Registers the metrics of the transports, and of the domains. */
export function watchTransports(transport: Transport): void {
  const { metrics, services, admission, allowance, gate } = transport;
  watchRealtime(transport);
  for (const { kind, name, help, read } of services.domains.flatMap((domain) => domain.metrics))
    metrics[kind](name, help, read);
  metrics.gauge('sextant_operations_running', 'Running operations, without subscriptions', () => gate.health.running);
  metrics.gauge('sextant_operations_waiting', 'Operations waiting for their turn', () => gate.health.waiting);
  metrics.gauge(
    'sextant_operations_waiting_bytes',
    'Size of the bodies and variables of waiting operations',
    () => gate.health.waitingBytes,
  );
  metrics.counter(
    'sextant_operations_rejected_total',
    'Operations rejected because of overload',
    () => gate.health.rejected,
  );
  metrics.gauge(
    'sextant_cart_allowances',
    'Addresses with a rate limit state for carts',
    () => services.cartAllowance.count,
  );
  metrics.gauge('sextant_allowances', 'Addresses and users with a rate limit state', () => allowance.count);
  metrics.gauge('sextant_operation_cache_entries', 'Parsed operations in the cache', () => admission.cache.size);
  metrics.gauge(
    'sextant_operation_cache_characters',
    'Total length of the texts of cached operations',
    () => admission.cache.calculatedSize,
  );
}

function watchRealtime({ metrics, services: { hub }, backlog }: Transport): void {
  metrics.gauge('sextant_subscriptions', 'Active subscriptions', () => hub.health.subscribers);
  metrics.gauge(
    'sextant_channels',
    'Followed states and lists, including those whose last subscriber has just left',
    () => hub.health.channels,
  );
  metrics.gauge(
    'sextant_state_bytes',
    'Estimated memory of followed states and lists, and of their subscriptions',
    () => hub.health.stateBytes,
  );
  metrics.gauge(
    'sextant_pending_parts',
    'Changed parts recorded for subscribers that are behind',
    () => hub.health.pendingParts,
  );
  metrics.gauge(
    'sextant_snapshots_waiting',
    'Subscribers waiting for a whole state',
    () => hub.health.snapshotsWaiting,
  );
  metrics.gauge('sextant_snapshots_kept', 'Rendered whole states in the cache', () => hub.health.snapshotsKept);
  metrics.gauge(
    'sextant_unsent_bytes',
    'Unread data of sockets, event streams and large responses, and operations waiting until clients read',
    () => backlog.bytes,
  );
  metrics.gauge('sextant_unsent_connections', 'Connections with unread data', () => backlog.connections);
  metrics.counter('sextant_unsent_ended_total', 'Connections closed because too much was unread', () => backlog.ended);
  metrics.gauge(
    'sextant_stream_lag_seconds',
    'Time since the change stream was last known to be current, upper bound',
    () => hub.lagMs / 1000,
  );
  metrics.counter('sextant_stream_resets_total', 'Resets of the change stream', () => hub.health.resets);
  metrics.counter(
    'sextant_stream_interruptions_total',
    'Interruptions after which the change stream was resumed',
    () => hub.health.interruptions,
  );
  metrics.gauge(
    'sextant_stream_alarm',
    '1 when the change stream was reset too often recently',
    () => +hub.health.alarm,
  );
  for (const [name, how] of [
    ['fromRing', 'the events in memory'],
    ['caughtUp', 'the oplog'],
    ['lost', 'the whole state, because the missed events were lost'],
  ] as const)
    metrics.counter(
      `sextant_resumed_${{ fromRing: 'from_ring', caughtUp: 'from_log', lost: 'reset' }[name]}_total`,
      `Subscribers that resumed, served from ${how}`,
      () => hub.health.resumed[name],
    );
  metrics.gauge('sextant_ring_events', 'Change events kept for clients that reconnect', () => hub.health.ringEvents);
  metrics.gauge('sextant_ring_bytes', 'Estimated size of the kept change events', () => hub.health.ringBytes);
  metrics.gauge(
    'sextant_ring_reach_seconds',
    'How far back the kept change events reach',
    () => hub.health.ringReachSeconds,
  );
  metrics.gauge('sextant_catch_ups', 'Change streams that catch up for late clients', () => hub.health.catchingUp);
  metrics.gauge(
    'sextant_catch_up_bytes',
    'Estimated memory of the catch-up change streams',
    () => hub.health.catchUpBytes,
  );
}
