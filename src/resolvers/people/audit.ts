/** The audit trail. */
import type { AuditEntryResolvers, QueryResolvers } from '../../generated/resolvers.js';
import { findAuditTrail } from '../../models/people/audit.js';
import { isValueOf } from '../support/enum-value.js';

export const AuditEntry: Pick<AuditEntryResolvers, 'action' | 'onBehalfOf'> = {
  action: ({ action }, _args, _context, info) => (isValueOf(info, 'AuditAction', action) ? action : 'OTHER'),
  onBehalfOf: ({ on_behalf_of }) => on_behalf_of ?? null,
};

export const Query: Pick<QueryResolvers, 'auditTrail'> = {
  auditTrail: (_root, { first, after }, { db }) => findAuditTrail(db, { first, after }),
};
