/** Analytics in the audit trail and among the scopes of API keys. */
import type { DomainWords } from '../shell/domain-words.js';

export const words: DomainWords = {
  acts: {
    SITE_REGISTERED: (detail) => ['Registered the site', detail && `accepting hits from ${detail}`],
    SITE_ORIGINS_CHANGED: (detail) => ['Changed the site', `to accept hits from ${detail || 'no origin'}`],
    LOG_IMPORT_UNDONE: (detail) => ['Undid the import of', `for the site ${detail}`],
    LOG_GROWTH_CHANGED: (detail) => ['Changed the log growth to', `(${detail})`],
  },
  scopes: {
    HITS_READ: 'Read charts and rankings of all sites, including live updates',
    HITS_WRITE: 'Record hits',
    LOGS_READ: 'Read the request log and its imports',
    LOGS_WRITE: 'Record requests and import logs',
    SESSIONS_READ: 'Read session roll-ups',
    SESSIONS_WRITE: 'Record sessions',
  },
};
