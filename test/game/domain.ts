import type { TestDomain } from '../support/domain/test-domain.js';
import { exemptions } from './lists/exemptions.js';
import { laterOperations } from './lists/later-operations.js';

export const game: TestDomain = {
  name: 'game',
  exemptions,
  laterOperations,
  contractRows: async () => (await import('./lists/contract-rows.js')).contractRows,
  mutationSteps: async () => (await import('./lists/mutation-steps.js')).mutationSteps,
  auditDecisions: async () => (await import('./lists/audit-decisions.js')).auditDecisions,
  textPlaces: async () => (await import('./lists/text-places.js')).textPlaces,
  crashScenarios: async () => (await import('./lists/crash-scenarios.js')).crashScenarios,
  signs: {
    rootFields: ['characters', 'locations', 'commands', 'pickUpItem', 'sendCommand', 'roomChanged'],
    node: 'Character',
    shardSubject: 'CHARACTERS',
  },
};
