import { expect, it } from 'vitest';
import { Metrics } from '../../../src/server/observe/metrics.js';

it('servers of one process share the metrics of Node.js, which are never released, and have their own counters', async () => {
  const [one, other] = [new Metrics(), new Metrics()];
  const collected = (metrics: Metrics) => metrics.registry.getSingleMetric('nodejs_gc_duration_seconds');
  expect(collected(one)).toBeDefined();
  expect(collected(one)).toBe(collected(other));
  one.countOperation('http', 'ok');
  const counted = 'sextant_graphql_operations_total{transport="http",outcome="ok"} 1';
  expect(await one.registry.metrics()).toContain(counted);
  expect(await other.registry.metrics()).not.toContain(counted);
  expect(await other.registry.metrics()).toContain('nodejs_eventloop_lag_seconds');
});
