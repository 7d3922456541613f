import type { TestDomain } from '../support/domain/test-domain.js';
import { exemptions } from './lists/exemptions.js';

export const system: TestDomain = {
  name: 'system',
  exemptions,
  crashScenarios: async () => (await import('./lists/crash-scenarios.js')).crashScenarios,
  contractRows: async () => (await import('./sharding/shard-rows.js')).shardRows,
  mutationSteps: async () => (await import('./lists/mutation-steps.js')).mutationSteps,
  auditDecisions: async () => (await import('./lists/audit-decisions.js')).auditDecisions,
  textPlaces: async () => (await import('./lists/text-places.js')).textPlaces,
  narrowPages: async () => (await import('./lists/narrow-pages.js')).narrowPages,
};
