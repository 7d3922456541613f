import type { TestDomain } from '../support/domain/test-domain.js';
import { exemptions } from './lists/exemptions.js';

export const content: TestDomain = {
  name: 'content',
  exemptions,
  crashScenarios: async () => (await import('./lists/crash-scenarios.js')).crashScenarios,
  contractRows: async () => (await import('./lists/contract-rows.js')).contractRows,
  mutationSteps: async () => (await import('./lists/mutation-steps.js')).mutationSteps,
  auditDecisions: async () => (await import('./lists/audit-decisions.js')).auditDecisions,
  textPlaces: async () => (await import('./lists/text-places.js')).textPlaces,
  narrowPages: async () => (await import('./lists/narrow-pages.js')).narrowPages,
  signs: {
    rootFields: ['nodeByPath', 'nodes', 'recentPosts', 'tagged', 'createNode', 'nodeChanged'],
    node: 'ContentNode',
    shardSubject: 'NODES',
    route: { what: 'the public site', path: '/robots.txt', metric: 'sextant_site_pages' },
  },
};
