/** The audit trail. */
import type { AuditEntryResolvers, QueryResolvers } from '../../generated/resolvers.js';
import { findAuditTrail } from '../../models/people/audit.js';

export const AuditEntry: Pick<AuditEntryResolvers, 'detail' | 'onBehalfOf'> = {
  onBehalfOf: ({ on_behalf_of }) => on_behalf_of ?? null,
  detail: ({ detail }) => detail ?? null,
};

export const Query: Pick<QueryResolvers, 'auditTrail'> = {
  auditTrail: (_root, { first, after }, { db }) => findAuditTrail(db, { first, after }),
};
