/** Which mutations of a domain are in the audit trail. Every mutation is named once. */
import type { AuditAction } from '../../../src/models/people/audit.js';

export interface AuditDecisions {
  /** Mutations that leave an entry, with its action. */
  readonly audited: Readonly<Record<string, AuditAction>>;
  /** The others, each with the reason why it is not an administrative action. */
  readonly notAdministrative: Readonly<Record<string, string>>;
}
