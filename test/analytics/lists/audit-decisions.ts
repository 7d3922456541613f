/** The mutations of analytics in the audit trail. */
import type { AuditDecisions } from '../../support/domain/audit-decisions.js';

const FIGURES = 'records external events, thousands per second';

export const auditDecisions: AuditDecisions = {
  audited: {
    registerSite: 'SITE_REGISTERED',
    changeSiteOrigins: 'SITE_ORIGINS_CHANGED',
    undoLogImport: 'LOG_IMPORT_UNDONE',
    changeLogGrowth: 'LOG_GROWTH_CHANGED',
  },
  notAdministrative: {
    recordHit: FIGURES,
    recordHits: FIGURES,
    recordEvents: FIGURES,
    recordSessions: FIGURES,
    rollUp: 'does what the server does automatically every 30 seconds',
    importLog: 'is listed as an import, and can be undone',
  },
};
