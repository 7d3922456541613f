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
