/** The mutations of system in the audit trail. */
import type { AuditDecisions } from '../../support/domain/audit-decisions.js';

export const auditDecisions: AuditDecisions = {
  audited: { recover: 'RECOVERY_STARTED' },
  notAdministrative: {
    checkInvariants: 'changes nothing',
    uploadPicture: "adds a picture of the caller's own",
  },
};
