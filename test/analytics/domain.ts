import type { TestDomain } from '../support/test-domain.js';
import { exemptions } from './exemptions.js';

export const analytics: TestDomain = {
  name: 'analytics',
  exemptions,
  crashScenarios: async () => (await import('./crash-scenarios.js')).crashScenarios,
  contractRows: async () => (await import('./contract-rows.js')).contractRows,
  mutationSteps: async () => (await import('./mutation-steps.js')).mutationSteps,
  auditDecisions: async () => (await import('./audit-decisions.js')).auditDecisions,
  textPlaces: async () => (await import('./text-places.js')).textPlaces,
  narrowPages: async () => (await import('./narrow-pages.js')).narrowPages,
  signs: {
    rootFields: ['hitChart', 'sites', 'events', 'sessionStats', 'recordHits', 'importLog', 'hitChartChanged'],
    node: 'Site',
    shardSubject: 'SESSIONS',
    route: { what: 'the beacon’s script', path: '/hit.js', metric: 'sextant_hits_total' },
  },
};
