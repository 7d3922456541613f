import type { TestDomain } from '../support/test-domain.js';
import { exemptions } from './exemptions.js';

export const system: TestDomain = {
  name: 'system',
  exemptions,
  crashScenarios: async () => (await import('./crash-scenarios.js')).crashScenarios,
  contractRows: async () => (await import('./contract-rows.js')).contractRows,
  mutationSteps: async () => (await import('./mutation-steps.js')).mutationSteps,
  auditDecisions: async () => (await import('./audit-decisions.js')).auditDecisions,
  narrowPages: async () => (await import('./narrow-pages.js')).narrowPages,
};
