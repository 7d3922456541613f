import type { TestDomain } from '../support/domain/test-domain.js';
import { exemptions } from './lists/exemptions.js';

export const comments: TestDomain = {
  name: 'comments',
  exemptions,
  crashScenarios: async () => (await import('./lists/crash-scenarios.js')).crashScenarios,
  mutationSteps: async () => (await import('./lists/mutation-steps.js')).mutationSteps,
  auditDecisions: async () => (await import('./lists/audit-decisions.js')).auditDecisions,
  narrowPages: async () => (await import('./lists/narrow-pages.js')).narrowPages,
  textPlaces: async () => (await import('./lists/text-places.js')).textPlaces,
};
