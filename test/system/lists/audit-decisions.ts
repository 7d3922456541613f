/** The mutations of system in the audit trail. */
import type { AuditDecisions } from '../../support/domain/audit-decisions.js';

export const auditDecisions: AuditDecisions = {
  audited: {
    recover: 'RECOVERY_STARTED',
    undoImport: 'IMPORT_UNDONE',
    seedDomain: 'DOMAIN_SEEDED',
    undoSeed: 'SEED_UNDONE',
  },
  notAdministrative: {
    checkInvariants: 'changes nothing',
    uploadPicture: "adds a picture of the caller's own",
    exportMyData: 'shows callers what is their own',
  },
};
