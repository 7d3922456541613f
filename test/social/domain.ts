import type { TestDomain } from '../support/domain/test-domain.js';
import { exemptions } from './lists/exemptions.js';

export const social: TestDomain = {
  name: 'social',
  exemptions,
  crashScenarios: async () => (await import('./lists/crash-scenarios.js')).crashScenarios,
  contractRows: async () => (await import('./lists/contract-rows.js')).contractRows,
  mutationSteps: async () => (await import('./lists/mutation-steps.js')).mutationSteps,
  auditDecisions: async () => (await import('./lists/audit-decisions.js')).auditDecisions,
  textPlaces: async () => (await import('./lists/text-places.js')).textPlaces,
  narrowPages: async () => (await import('./lists/narrow-pages.js')).narrowPages,
  signs: { rootFields: ['profile', 'news', 'publishPost', 'newsChanged'], node: 'Post', shardSubject: 'POSTS' },
};
