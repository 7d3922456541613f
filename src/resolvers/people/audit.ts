/** The audit trail. */
import type { AuditEntryResolvers, QueryResolvers } from '../../generated/resolvers.js';
import { findAuditTrail } from '../../models/people/audit.js';

export const AuditEntry: Pick<AuditEntryResolvers, 'detail'> = {
  detail: ({ detail }) => detail ?? null,
};

export const Query: Pick<QueryResolvers, 'auditTrail'> = {
  auditTrail: (_root, { first, after }, { db }) => findAuditTrail(db, { first, after }),
};
