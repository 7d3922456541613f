import type { TestDomain } from '../support/test-domain.js';
import { exemptions } from './exemptions.js';

export const analytics: TestDomain = {
  name: 'analytics',
  exemptions,
  crashScenarios: async () => (await import('./crash-scenarios.js')).crashScenarios,
  contractRows: async () => (await import('./contract-rows.js')).contractRows,
  mutationSteps: async () => (await import('./mutation-steps.js')).mutationSteps,
};
