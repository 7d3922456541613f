/** System in the audit trail and among the scopes of API keys. */
import type { DomainWords } from '../shell/domain-words.js';

export const words: DomainWords = {
  acts: {
    RECOVERY_STARTED: () => ['Started recovery:'],
    IMPORT_UNDONE: () => ['Undid the import of'],
    DOMAIN_SEEDED: () => ['Added sample data:'],
    SEED_UNDONE: () => ['Undid the sample data:'],
  },
  scopes: {
    SYSTEM_READ: 'Read the state of the server, for monitoring',
  },
};
